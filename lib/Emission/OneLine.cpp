// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OneLine.h.
#include "OneLine.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

std::string onOneLine(llvm::StringRef Text) {
  if (!Text.contains('\n') || Text.contains("//") || Text.contains("/*") ||
      Text.find_first_of("#\"\\") != llvm::StringRef::npos)
    return Text.str();
  std::string Out;
  for (llvm::StringRef Line : llvm::split(Text, '\n')) {
    const llvm::StringRef Code = Line.trim();
    const bool Joined = Out.empty() || Out.back() == '(' || Out.back() == '[' ||
                        Code.starts_with(")") || Code.starts_with("]");
    Out += (Joined || Code.empty() ? "" : " ") + Code.str();
  }
  return Out;
}

} // namespace kpipe
