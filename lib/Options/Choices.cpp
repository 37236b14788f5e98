// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of loops and the look-up by name, see Choices.h.

#include "Choices.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace kpipe {

/// The hash of a text in which any white space is one blank, so that neither
/// indentation nor line ends matter.
static std::string hashOf(llvm::StringRef Text) {
  std::string Words;
  for (llvm::StringRef Word : llvm::split(Text, '\n'))
    for (llvm::StringRef Rest = Word.trim(); !Rest.empty();) {
      size_t End = std::min(Rest.find_first_of(" \t\r\f\v"), Rest.size());
      Words += Rest.take_front(End);
      Words += ' ';
      Rest = Rest.drop_front(End).ltrim();
    }
  return llvm::utohexstr(llvm::xxh3_64bits(Words), /*LowerCase=*/true,
                         /*Width=*/16);
}

LoopKey loopKey(const FunctionDecl *Function, const Stmt *Loop,
                unsigned Ordinal, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  llvm::StringRef Text =
      Lexer::getSourceText(SM.getExpansionRange(Loop->getSourceRange()), SM,
                           Context.getLangOpts());
  return {Function->getQualifiedNameAsString(), Ordinal, hashOf(Text)};
}

FoundChoice findChoice(llvm::ArrayRef<LoopChoice> Choices, const LoopKey &Loop,
                       llvm::StringRef Arch) {
  FoundChoice Found;
  for (const LoopChoice &C : Choices) {
    if (C.Loop.Function != Loop.Function || C.Loop.Ordinal != Loop.Ordinal)
      continue;
    if (C.Loop == Loop && C.Arch == Arch)
      return {&C.Chosen, {}};
    if (C.Arch == Arch)
      Found.Stale = msg::loop_changed_since;
    else if (Found.Stale.empty())
      Found.Stale = {msg::measured_elsewhere, C.Arch, Arch};
  }
  return Found;
}

FoundChoice findChoice(llvm::ArrayRef<LoopChoice> Choices, const LoopKey &Loop,
                       llvm::ArrayRef<const ArchLimits *> Archs) {
  FoundChoice First = findChoice(Choices, Loop, Archs.front()->Name);
  for (const ArchLimits *Arch : Archs.drop_front()) {
    FoundChoice Found = findChoice(Choices, Loop, Arch->Name);
    if (!Found.Chosen)
      return Found;
    if (First.Chosen && !(*First.Chosen == *Found.Chosen))
      return {nullptr,
              {msg::archs_chose_otherwise, Archs.front()->Name, Arch->Name}};
  }
  return First;
}

} // namespace kpipe
