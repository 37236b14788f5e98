// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that hold errors, see Broken.h.

#include "ParseErrors.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

const Note *BrokenFunctions::inText(const FunctionDecl *F) {
  SourceRange Range = F->getSourceRange();
  PresumedLoc Begin =
      SM.getPresumedLoc(SM.getExpansionLoc(Range.getBegin()), false);
  PresumedLoc End =
      SM.getPresumedLoc(SM.getExpansionRange(Range.getEnd()).getEnd(), false);
  if (Begin.isInvalid() || End.isInvalid())
    return nullptr;
  for (const Note &E : Errors)
    if (E.Where.Line >= Begin.getLine() && E.Where.Line <= End.getLine() &&
        E.Where.File == Begin.getFilename())
      return &E;
  return inIncluded({SM.getExpansionLoc(Range.getBegin()),
                     SM.getExpansionRange(Range.getEnd()).getEnd()});
}

/// An error that may concern a file that is included inside Text.
const Note *BrokenFunctions::inIncluded(SourceRange Text) {
  auto [File, From] = SM.getDecomposedLoc(Text.getBegin());
  auto [Other, To] = SM.getDecomposedLoc(Text.getEnd());
  for (const Include &I : includes()) {
    // What the files that it includes include comes behind them.
    if (File == Other
            ? I.In != File || I.Offset < From || I.Offset > To
            : !SM.isPointWithin(I.Where, Text.getBegin(), Text.getEnd()))
      continue;
    for (const Note &E : Errors)
      if (E.Where.File == SM.getPresumedLoc(I.Start, false).getFilename())
        return &E;
    return &Errors.front();
  }
  return nullptr;
}

const std::vector<BrokenFunctions::Include> &BrokenFunctions::includes() {
  if (Includes)
    return *Includes;
  Includes.emplace();
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    SourceLocation Where =
        Entry.isFile() ? Entry.getFile().getIncludeLoc() : SourceLocation();
    if (Where.isInvalid())
      continue;
    auto [In, Offset] = SM.getDecomposedLoc(Where);
    Includes->push_back({Where,
                         SourceLocation::getFromRawEncoding(Entry.getOffset()),
                         In, Offset});
  }
  return *Includes;
}

const Note *BrokenFunctions::firstError(const FunctionDecl *F) {
  const FunctionDecl *Definition = nullptr;
  if (Errors.empty() || !F || !F->hasBody(Definition))
    return nullptr;
  auto [It, New] = Known.try_emplace(Definition, nullptr);
  if (!New)
    return It->second;
  const Note *Found = inText(Definition);
  struct Callees : ConstDynamicRecursiveASTVisitor {
    llvm::SmallVector<const FunctionDecl *, 8> Called;
    bool VisitCallExpr(const CallExpr *C) override {
      Called.push_back(C->getDirectCallee());
      return true;
    }
    bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
      Called.push_back(C->getConstructor());
      return true;
    }
  } In;
  if (!Found)
    In.TraverseStmt(Definition->getBody());
  for (const FunctionDecl *Callee : In.Called)
    if (!Found)
      Found = firstError(Callee);
  Known[Definition] = Found;
  return Found;
}

} // namespace kpipe
