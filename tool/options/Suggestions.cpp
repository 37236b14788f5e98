// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Suggestions.h.
#include "Suggestions.h"
#include "llvm/ADT/Twine.h"

namespace kpipe {

llvm::StringRef nearest(llvm::StringRef Word,
                        llvm::ArrayRef<llvm::StringRef> Known) {
  constexpr unsigned Near = 2; // two letters that changed places
  unsigned Least = Near + 1;
  llvm::StringRef Found;
  if (Word.size() < 3)
    return Found;
  for (llvm::StringRef Candidate : Known) {
    unsigned Distance = Word.edit_distance_insensitive(
        Candidate, /*AllowReplacements=*/true, Near);
    if (Distance < Least) {
      Least = Distance;
      Found = Candidate;
    }
  }
  return Found;
}

std::string didYouMean(llvm::StringRef Word,
                       llvm::ArrayRef<llvm::StringRef> Known) {
  llvm::StringRef Meant = nearest(Word, Known);
  return Meant.empty() ? "" : ("; did you mean '" + Meant + "'?").str();
}

} // namespace kpipe
