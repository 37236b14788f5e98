// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EngineComparison.h.
#include "EngineComparison.h"
#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/JumpMeaning.h"
#include "WordsStored.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool callsPrimitive(const Tree &T, llvm::StringRef Name) {
  const auto *C = dyn_cast_or_null<CallExpr>(T.Origin);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && F->getName() == Name &&
         F->getQualifiedNameAsString() == ("kpipe::" + Name).str();
}

bool EngineComparison::isNew(const Tree &T, size_t Place) {
  if (Place == 0) {
    const auto *V = T.is("DeclStmt") && T.Kids.size() == 1
                        ? dyn_cast_or_null<VarDecl>(T.kid(0).Of)
                        : nullptr;
    Full = V ? T.kid(0).Local : 0;
    return V && V->hasAttr<CUDASharedAttr>() && !V->hasInit() &&
           T.kid(0).Type == "unsigned long long";
  }
  if (Place == 1) {
    const TreeList Then = T.is("IfStmt") && T.Kids.size() == 2
                              ? statementsIn(T.kid(1))
                              : TreeList();
    return Then.size() == 2 && callsPrimitive(*Then[0], "init_full") &&
           Then[0]->Kids.size() == 2 && names(Then[0]->kid(1), Full) &&
           callsPrimitive(*Then[1], "fence_proxy_async");
  }
  if (Place == 2)
    return isBarrier(T);
  const bool Declares = Place == 3 && T.is("DeclStmt") && T.Kids.size() == 1 &&
                        T.kid(0).Kids.size() == 1 &&
                        T.kid(0).Type == "unsigned int" &&
                        isNumber(T.kid(0).kid(0), "0");
  Bit = Declares ? T.kid(0).Local : 0;
  return Declares;
}

bool EngineComparison::isNumber(const Tree &T, llvm::StringRef Value) {
  const Tree *X = &T;
  while (X->is("ImplicitCastExpr") && X->Kids.size() == 1)
    X = &X->kid(0);
  return X->is("IntegerLiteral") && X->Label == Value;
}

bool EngineComparison::names(const Tree &T, unsigned Local) {
  return Local && withoutCasts(T).is("DeclRefExpr") &&
         withoutCasts(T).Local == Local;
}

bool EngineComparison::isBarrier(const Tree &T) {
  const auto *C = dyn_cast_or_null<CallExpr>(T.Origin);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && F->getName() == "__syncthreads";
}

bool EngineComparison::isIssue(const Tree &T, llvm::StringRef Copy) const {
  if (!T.is("IfStmt") || T.Kids.size() != 2)
    return false;
  const TreeList Then = statementsIn(T.kid(1));
  if (Then.size() < 2 || !callsPrimitive(*Then[0], "expect_tile") ||
      !llvm::all_of(llvm::drop_begin(Then), [&](const Tree *One) {
        return callsPrimitive(*One, Copy);
      }))
    return false;
  for (const Tree *One : Then)
    if (!names(One->Kids.size() == 3 ? One->kid(1) : *One->Kids.back(), Full))
      return false;
  return true;
}

bool EngineComparison::isWait(const Tree &T) const {
  return callsPrimitive(T, "wait_full") && T.Kids.size() == 3 &&
         names(T.kid(1), Full) && (!Bit || names(T.kid(2), Bit));
}

bool EngineComparison::isFlip(const Tree &T) const {
  return T.is("CompoundAssignOperator") && T.Label == "^=" &&
         names(T.kid(0), Bit) && isNumber(T.kid(1), "1");
}

bool EngineComparison::isCopy(const Tree &T, unsigned Multiple) const {
  return T.Origin && !T.is("DeclStmt") && storesOf(T.Origin, Context, Multiple);
}

} // namespace kpipe
