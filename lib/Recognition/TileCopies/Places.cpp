// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of stores, see Places.h.
#include "Places.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Sugar.h"
#include "CopyLoops.h"
#include "HelperCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

StoredPlace Places::pointerVariable(const VarDecl *V, const Scope &In) {
  StoredPlace P;
  if (V->getType()->isArrayType()) {
    P.Known = true;
    P.Array = V;
    return P;
  }
  bool Reference = V->getType()->isReferenceType();
  if (!Reference && !Sums.isUnchanged(V)) {
    // A place that does not move while the tile is loaded.
    if (!V->hasLocalStorage() || Sums.isMoving(V) || In.caller())
      return P;
    P.Known = true;
    P.Array = V;
    return P;
  }
  const Expr *From = V->getInit();
  const Scope *Where = &In;
  if (isa<ParmVarDecl>(V)) {
    From = In.argument(V);
    Where = In.caller();
  }
  if (From && Where) {
    P = Reference ? lvalue(From, *Where) : pointer(From, *Where);
    if (P.Known && mayHaveChanged(P.Bytes)) {
      P = StoredPlace();
      // What it was made of may be another by now; itself it stays.
      P.Known = !Reference && Sums.isOutside(V, In);
      P.Array = V;
    }
    return P;
  }
  P.Known = V->hasLocalStorage() || V->hasAttr<CUDASharedAttr>();
  P.Array = V;
  return P;
}

static StoredPlace moved(StoredPlace P, const Sum &By, std::string Step) {
  P.Bytes = add(P.Bytes, By);
  P.Known &= P.Bytes.Known;
  P.Steps.push_back({std::move(Step), By});
  return P;
}

StoredPlace Places::pointer(const Expr *E, const Scope &In) {
  E = evaluated(E);
  if (++At.Depth >= StoreSite::MostDepth || !E->getType()->isPointerType()) {
    --At.Depth;
    return {};
  }
  auto Size = [&](QualType T) {
    return hasSize(T) ? In.context().getTypeSizeInChars(T).getQuantity()
                      : int64_t(1);
  };
  StoredPlace P;
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_ArrayToPointerDecay)
      P = lvalue(C->getSubExpr(), In);
    else if (C->getCastKind() == CK_LValueToRValue) {
      if (const auto *D = dyn_cast<DeclRefExpr>(evaluated(C->getSubExpr())))
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          P = pointerVariable(V, In);
    } else if (C->getCastKind() == CK_BitCast || C->getCastKind() == CK_NoOp) {
      P = pointer(C->getSubExpr(), In);
      // Another view of the memory has other indices.
      if (C->getCastKind() == CK_BitCast)
        P.Steps.push_back({"view", Sum()});
    }
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf)
      P = lvalue(U->getSubExpr(), In);
  } else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->isAdditiveOp()) {
    const Expr *L = B->getLHS(), *R = B->getRHS();
    if (!L->getType()->isPointerType())
      std::swap(L, R);
    int64_t Bytes = Size(E->getType()->getPointeeType());
    Sum By = times(Sums.of(R, In), B->getOpcode() == BO_Sub ? -Bytes : Bytes);
    P = moved(pointer(L, In), By, std::to_string(Bytes));
  } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      P = pointerVariable(V, In);
  }
  --At.Depth;
  return P;
}

StoredPlace Places::lvalue(const Expr *E, const Scope &In) {
  E = evaluated(E);
  StoredPlace P;
  if (++At.Depth >= StoreSite::MostDepth) {
    --At.Depth;
    return P;
  }
  ASTContext &Context = In.context();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      if (V->getType()->isReferenceType()) {
        P = pointerVariable(V, In);
      } else {
        P.Known = true;
        P.Array = V;
      }
    }
  } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (!E->getType()->isIncompleteType()) {
      int64_t Bytes = Context.getTypeSizeInChars(E->getType()).getQuantity();
      P = moved(pointer(A->getBase(), In),
                times(Sums.of(A->getIdx(), In), Bytes), std::to_string(Bytes));
    }
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
        F && !F->isBitField() && !F->getType()->isReferenceType()) {
      P = M->isArrow() ? pointer(M->getBase(), In) : lvalue(M->getBase(), In);
      P = moved(P, Sum::constant(Context.getFieldOffset(F) / 8),
                "." + F->getNameAsString());
      // Members of a union are one place.
      if (F->getParent()->isUnion())
        P.Steps.push_back({"view", Sum()});
    }
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_Deref) {
    P = pointer(U->getSubExpr(), In);
  } else if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueBitCast) {
      P = lvalue(C->getSubExpr(), In);
      if (C->getCastKind() == CK_LValueBitCast)
        P.Steps.push_back({"view", Sum()});
    }
  }
  --At.Depth;
  return P;
}

/// The loops and the `if`s of Root around Target.
void Places::surround(const Stmt *Root, const Stmt *Target, const Scope &In,
                      PlacedStore &Out) {
  const CallExpr *Here = In.caller() ? At.Call : nullptr;
  llvm::SmallVector<std::pair<const Stmt *, int>, 8> Path, Found;
  bool Labels = false;
  auto Walk = [&](auto &Self, const Stmt *S, bool Inside) -> bool {
    if (!S)
      return false;
    Labels |= isa<LabelStmt>(S);
    if (S == Target)
      return true;
    if (isa<LambdaExpr>(S))
      return false;
    for (const Stmt *Child : S->children()) {
      int Branch = -1;
      if (const auto *I = dyn_cast<IfStmt>(S))
        Branch = Child == I->getThen() ? 1 : Child == I->getElse() ? 0 : -1;
      Path.push_back({S, Branch});
      if (Self(Self, Child, Inside)) {
        Path.pop_back();
        Found.push_back({S, Branch});
        return true;
      }
      Path.pop_back();
    }
    return false;
  };
  Walk(Walk, Root, false);
  for (auto &[S, Branch] : llvm::reverse(Found)) {
    if (isa<IfStmt>(S) && Branch >= 0)
      Out.Branches[{S, Here}] = Branch;
    if (!isLoop(S))
      continue;
    // `do … while (0)`, as macros are written.
    if (const auto *D = dyn_cast<DoStmt>(S);
        D && constantValue(D->getCond(), In.context()) == 0)
      continue;
    Out.Loops.insert({S, Here});
    if (const auto *F = dyn_cast<ForStmt>(S))
      At.Around.push_back({describeCopyLoop(F, In), Here});
  }
  // A jump back is a loop that nobody sees.
  if (Labels)
    Out.Loops.insert({nullptr, Here});
}

PlacedStore Places::of(const TileCopy &C) {
  PlacedStore Out;
  Out.Store = C.Store;
  Out.Call = C.HelperCall;
  Out.Through = C.Through;
  Out.Bytes = C.Bytes;
  At.Around.clear();
  At.Call = C.HelperCall;
  const Stmt *Outer =
      C.HelperCall ? static_cast<const Stmt *>(C.HelperCall) : C.Store;
  for (const BodyItem &I : Facts.Tile.Body)
    if (I.InLoad)
      surround(I.S, Outer, *Facts.In, Out);
  std::optional<Scope> Callee;
  if (C.Helper) {
    Callee.emplace(helperScope(C, *Facts.In));
    surround(C.Helper->getBody(), C.Store, *Callee, Out);
  }
  At.Loops = Out.Loops;
  Out.Place = lvalue(C.Dst, Callee ? *Callee : *Facts.In);
  // What other loops change from turn to turn is not followed.
  for (const InnerLoop &L : Out.Loops)
    Out.Place.Known &= L.first && isa<ForStmt>(L.first);
  return Out;
}

} // namespace kpipe
