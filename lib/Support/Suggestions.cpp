// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Suggestions.h.
#include "kpipe/Suggestions.h"
#include "llvm/ADT/Twine.h"

namespace kpipe {

llvm::StringRef nearest(llvm::StringRef Word,
                        llvm::ArrayRef<llvm::StringRef> Known) {
  // Of a longer word two letters that changed places.
  const unsigned Near = Word.size() < 3 ? 1 : 2;
  unsigned Least = Near + 1;
  llvm::StringRef Found;
  if (Word.size() < 2)
    return Found;
  for (llvm::StringRef Candidate : Known) {
    if (Candidate.size() < 2)
      continue;
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
