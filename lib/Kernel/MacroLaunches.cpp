// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch can be edited where it is one argument of the macro, or where the
// macro's own text, or what it is given, says the bytes of that kernel alone;
// see MacroLaunches.h.
#include "MacroLaunches.h"
#include "Code/MacroPlaces.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace kpipe {

/// Is Other given to the same macros as At, as a part of the same argument? The
/// bytes alone, or the kernel's name, may mean something else there as well.
static bool isGivenWith(SourceLocation At, SourceLocation Other,
                        const SourceManager &SM) {
  for (; At.isMacroID(); At = SM.getImmediateSpellingLoc(At),
                         Other = SM.getImmediateSpellingLoc(Other))
    if (!Other.isMacroID() || !SM.isMacroArgExpansion(Other) ||
        SM.getImmediateExpansionRange(At).getBegin() !=
            SM.getImmediateExpansionRange(Other).getBegin())
      return false;
  return true;
}

/// In the text between two commas, or a comma and what closes the list?
static bool isWholeArgument(SourceRange R, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const llvm::StringRef Text = SM.getBufferData(SM.getFileID(R.getBegin()));
  const unsigned Begin = SM.getFileOffset(R.getBegin()),
                 End = SM.getFileOffset(R.getEnd()) +
                       Lexer::MeasureTokenLength(R.getEnd(), SM,
                                                 Context.getLangOpts());
  const llvm::StringRef Before = Text.take_front(Begin).rtrim(" \t\r\n\\"),
                        Behind = Text.drop_front(End).ltrim(" \t\r\n\\");
  return Before.ends_with(",") &&
         (Behind.starts_with(",") || Behind.starts_with(">>>"));
}

/// Do the kernel's name and the bytes stand in the text of one macro, which
/// launches that kernel alone wherever it is used?
static bool isOfText(const Launch &L, const FunctionDecl *Written,
                     const LaunchIndex &Index, FileID File,
                     const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (!L.Call || !L.Kernel || !isOfMacro(L.Kernel->getLocation(), SM))
    return false;
  auto Kernel = placeInMacro(L.Kernel, SM), Bytes = placeInMacro(L.Bytes, SM);
  if (!Kernel || !Bytes || SM.getFileID(Kernel->getBegin()) != File ||
      SM.getFileID(Bytes->getBegin()) != File ||
      !isWholeArgument(*Bytes, Context))
    return false;
  // In no other macro's text.
  const SourceLocation Name = SM.getSpellingLoc(L.Kernel->getLocation());
  if (Name != placeInMacro(L.Kernel->getLocation(), false, SM))
    return false;
  for (const auto &[Launched, All] : Index.Of)
    if (writtenKernel(Launched) != Written)
      for (const Launch &Other : All)
        if (SM.getSpellingLoc(
                (Other.Kernel ? Other.Kernel : Other.Holder)->getLocation()) ==
            Name)
          return false;
  const CallExpr *Config = L.Call->getConfig();
  auto Apart = [&](const Expr *E) {
    if (isa<CXXDefaultArgExpr>(E))
      return true;
    auto Place = placeInMacro(E, SM);
    return Place && (Place->getEnd() < Bytes->getBegin() ||
                     Bytes->getEnd() < Place->getBegin());
  };
  for (unsigned I = 0; I != Config->getNumArgs(); ++I)
    if (I != 2 && !Apart(Config->getArg(I)))
      return false;
  return Kernel->getEnd() < Bytes->getBegin();
}

/// The kernel and the bytes are each given to the macro that makes the launch,
/// which does nothing else with the bytes.
static bool isGivenApart(const Launch &L, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto Given = [&](SourceLocation At) {
    return At.isMacroID() && SM.isMacroArgExpansion(At) &&
           SM.getImmediateSpellingLoc(At).isFileID();
  };
  if (!L.Call || !L.Kernel || !Given(L.Kernel->getLocation()) ||
      !Given(L.Kernel->getBeginLoc()) || !Given(L.Kernel->getEndLoc()) ||
      !Given(L.Bytes->getBeginLoc()) || !Given(L.Bytes->getEndLoc()))
    return false;
  const SourceLocation From =
      SM.getImmediateExpansionRange(L.Bytes->getBeginLoc()).getBegin();
  if (From != SM.getImmediateExpansionRange(L.Bytes->getEndLoc()).getBegin())
    return false;
  // The macro is called in the file itself, by its name.
  auto Place = placeInMacro(L.Bytes, SM), Kernel = placeInMacro(L.Kernel, SM);
  return Place && Kernel && Place->getBegin() == Place->getEnd() &&
         SM.getImmediateExpansionRange(From).getBegin().isFileID() &&
         isWholeArgument(*Place, Context) &&
         // As a parameter, and here.
         namedInDefinition(Place->getBegin(), Context) == 2;
}

BytesPlace placeOfBytes(const Launch &L, const FunctionDecl *Written,
                        const LaunchIndex &Index, FileID File,
                        const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  // A macro may set them, of what it says itself.
  if (L.Configured && Lexer::makeFileCharRange(CharSourceRange::getTokenRange(
                                                   L.Bytes->getSourceRange()),
                                               SM, Context.getLangOpts())
                          .isInvalid())
    return BytesPlace::Hidden;
  if (isOfText(L, Written, Index, File, Context))
    return BytesPlace::MacroText;
  return isGivenApart(L, Context) || !isMadeByMacro(L, SM) ? BytesPlace::Code
                                                           : BytesPlace::Hidden;
}

bool isMadeByMacro(const Launch &L, const SourceManager &SM) {
  const SourceLocation Kernel = (L.Kernel ? L.Kernel : L.Holder)->getLocation();
  if (isOfMacro(Kernel, SM) ||
      (L.Bytes && L.Bytes->getBeginLoc().isMacroID() &&
       !isGivenWith(Kernel, L.Bytes->getBeginLoc(), SM)))
    return true;
  return L.Call && (isOfMacro(L.Call->getBeginLoc(), SM) ||
                    isOfMacro(L.Call->getEndLoc(), SM) ||
                    !isGivenWith(Kernel, L.Call->getBeginLoc(), SM) ||
                    !isGivenWith(Kernel, L.Call->getEndLoc(), SM));
}

bool launchesAnother(const Launch &L, const FunctionDecl *Written,
                     const LaunchIndex &Index, const SourceManager &SM) {
  if (!L.Kernel || !L.Kernel->getLocation().isMacroID())
    return false;
  const SourceLocation Text = SM.getFileLoc(L.Kernel->getLocation());
  for (const auto &[Launched, All] : Index.Of)
    if (writtenKernel(Launched) != Written)
      for (const Launch &Other : All)
        if (Other.Kernel && SM.getFileLoc(Other.Kernel->getLocation()) == Text)
          return true;
  return false;
}

} // namespace kpipe
