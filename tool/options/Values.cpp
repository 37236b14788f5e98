// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Values.h.
#include "Values.h"
#include "kpipe/Target.h"
#include "support/Failure.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

namespace kpipe {

llvm::Error checkRegex(llvm::StringRef Option, llvm::StringRef Text) {
  std::string Why;
  if (Text.empty() || llvm::Regex(Text).isValid(Why))
    return llvm::Error::success();
  return optionError("--" + Option + "='" + Text +
                     "': no valid regular expression: " + Why);
}

llvm::Expected<std::array<unsigned, 3>> parseBlock(llvm::StringRef Text) {
  // The limits of every architecture that kpipe knows.
  constexpr unsigned MostPerAxis[] = {1024, 1024, 64};
  std::array<unsigned, 3> Shape{1, 1, 1};
  llvm::SmallVector<llvm::StringRef> Parts;
  Text.split(Parts, ',');
  bool Good = Parts.size() <= 3;
  for (size_t I = 0; Good && I < Parts.size(); ++I)
    Good = !Parts[I].getAsInteger(10, Shape[I]) && Shape[I] >= 1 &&
           Shape[I] <= MostPerAxis[I];
  if (!Good || Shape[0] * Shape[1] * Shape[2] > ArchLimits::ThreadsPerBlock)
    return optionError("--block=" + Text +
                       ": want X[,Y[,Z]] with 1 to 1024 threads in all");
  return Shape;
}

} // namespace kpipe
