// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that hold errors, see Broken.h.

#include "ParseErrors.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

const Note *BrokenFunctions::inText(const FunctionDecl *F) const {
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
const Note *BrokenFunctions::inIncluded(SourceRange Text) const {
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    SourceLocation Where = Entry.getFile().getIncludeLoc();
    if (Where.isInvalid() || !SM.isPointWithin(Where, Text.getBegin(),
                                               Text.getEnd()))
      continue;
    SourceLocation Start = SourceLocation::getFromRawEncoding(Entry.getOffset());
    for (const Note &E : Errors)
      if (E.Where.File == SM.getPresumedLoc(Start, false).getFilename())
        return &E;
    return &Errors.front();
  }
  return nullptr;
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
