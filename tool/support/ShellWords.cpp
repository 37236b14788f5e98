// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single quotes: nothing but a single quote means anything between them.
#include "ShellWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

std::string shellWord(llvm::StringRef Word) {
  auto Plain = [](char C) {
    return llvm::isAlnum(C) || llvm::StringRef("_-+./,:=@%").contains(C);
  };
  if (!Word.empty() && llvm::all_of(Word, Plain))
    return Word.str();
  std::string Quoted = "'";
  for (char C : Word)
    C == '\'' ? Quoted += "'\\''" : Quoted += C;
  return Quoted + "'";
}

std::string shellLine(llvm::ArrayRef<std::string> Words) {
  return llvm::join(llvm::map_range(Words, shellWord), " ");
}

} // namespace kpipe
