// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FileTexts.h"

using namespace clang;

namespace kpipe {

llvm::StringRef FileText::counter() const {
  if (!Counter.empty())
    return Counter;
  const llvm::StringSet<> Taken = takenWords(Source);
  Counter = "word";
  for (unsigned N = 2; Taken.contains(Counter); ++N)
    Counter = "word" + std::to_string(N);
  return Counter;
}

FileID FileTexts::fileOf(const FunctionDecl *F) const {
  const SourceManager &SM = Context.getSourceManager();
  return SM.getFileID(SM.getExpansionLoc(F->getLocation()));
}

} // namespace kpipe
