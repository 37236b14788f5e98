// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement, from each expression to its operands, see
// ApartParts.h. An address that comes to anything else than an element is not
// followed.

#include "ApartParts.h"
#include "Spans.h"
#include "Validation/Trees/CudaDeclarations.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What an expression is of the block: nothing, if it has no Name.
struct InBlock {
  const VarDecl *Name = nullptr;
  std::optional<Span> At; ///< bytes from the block's beginning
};

class PartsWalk {
public:
  PartsWalk(const TileLoop &Loop, const StagedBuffer &B, ASTContext &Context)
      : Loop(Loop), Block(B.Var), Views(B.Views), Context(Context),
        Numbers(Context, Loop.Function->getBody(), B.ApartInBlock),
        Apart(B.Apart.begin(), B.Apart.end()) {}

  const Stmt *run() {
    statement(Loop.Function->getBody());
    for (const VarDecl *V : Views)
      if (!Names.count(V))
        lose(Loop.Loop);
    for (const auto &[V, Part] : Apart)
      if (!Names.count(V))
        lose(Loop.Loop);
    for (const Used &A : Uses)
      for (const Used &B : Uses)
        if (!Lost && part(A.Name) != part(B.Name) && A.From < B.To &&
            B.From < A.To)
          Lost = A.Where;
    return Lost;
  }

private:
  struct Used {
    const VarDecl *Name;
    int64_t From, To;
    const Stmt *Where;
  };
  const TileLoop &Loop;
  const VarDecl *Block;
  llvm::ArrayRef<const VarDecl *> Views;
  ASTContext &Context;
  Spans Numbers;
  ApartNames Apart;
  llvm::DenseMap<const VarDecl *, std::optional<Span>> Names;
  std::vector<Used> Uses;
  bool InLoop = false;
  const Stmt *Lost = nullptr;

  const VarDecl *part(const VarDecl *Name) const { return Apart.lookup(Name); }

  InBlock lose(const Stmt *S) {
    if (!Lost)
      Lost = S;
    return {};
  }

  bool names(const Stmt *S) const {
    const auto *D = dyn_cast_or_null<DeclRefExpr>(S);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return (V && (V == Block || Names.count(V))) ||
           (S && llvm::any_of(S->children(),
                              [&](const Stmt *Kid) { return names(Kid); }));
  }

  void statement(const Stmt *S) {
    if (!S || Lost)
      return;
    if (const auto *E = dyn_cast<Expr>(S))
      return void(value(E));
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One))
          declaration(V, S);
      return;
    }
    if (isa<LabelStmt, GotoStmt, IndirectGotoStmt, AsmStmt, CXXTryStmt>(S) &&
        (!isa<AsmStmt>(S) || names(S)))
      return void(lose(S));
    const bool Outer = InLoop;
    InLoop |= S == Loop.Loop;
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      statement(F->getInit());
      statement(F->getCond());
      const VarDecl *Counter = Numbers.enter(F);
      statement(F->getBody());
      if (Counter)
        Numbers.leave(Counter);
      statement(F->getInc());
    } else {
      for (const Stmt *Kid : S->children())
        statement(Kid);
    }
    InLoop = Outer;
  }

  void declaration(const VarDecl *V, const Stmt *S) {
    if (!V->getInit())
      return;
    const InBlock Of = value(V->getInit());
    Numbers.declare(V);
    if (!Of.Name)
      return;
    const QualType T = V->getType();
    const bool Same = (part(V) != nullptr) == (part(Of.Name) != nullptr);
    if (!V->hasLocalStorage() ||
        !(T->isReferenceType() ||
          (T->isPointerType() && Numbers.isSteady(V))) ||
        (InLoop && !Same))
      return void(lose(S));
    Names[V] = Of.At;
  }

  std::optional<int64_t> sizeOf(QualType T) const {
    if (T->isIncompleteType() || T->isDependentType() || T->isFunctionType() ||
        T->isReferenceType())
      return std::nullopt;
    return Context.getTypeSizeInChars(T).getQuantity();
  }

  InBlock used(const InBlock &P, QualType T, const Stmt *At) {
    if (!P.Name)
      return {};
    const auto Size = sizeOf(T);
    if (!P.At || !Size)
      return lose(At);
    Uses.push_back({P.Name, P.At->Low, P.At->High + *Size, At});
    return {};
  }

  void no(const Expr *E) {
    if (value(E).Name)
      lose(E);
  }

  InBlock shifted(InBlock P, const Expr *By, QualType Element, bool Back) {
    const auto Count = P.At ? Numbers.of(By) : std::nullopt;
    const auto Size = sizeOf(Element);
    if (!Count || !Size)
      P.At.reset();
    else if (Back)
      P.At = Span{P.At->Low - Count->High * *Size,
                  P.At->High - Count->Low * *Size};
    else
      P.At = Span{P.At->Low + Count->Low * *Size,
                  P.At->High + Count->High * *Size};
    return P;
  }

  InBlock value(const Expr *E) {
    if (!E || Lost)
      return {};
    if (const auto *P = dyn_cast<ParenExpr>(E))
      return value(P->getSubExpr());
    if (const auto *F = dyn_cast<FullExpr>(E))
      return value(F->getSubExpr());
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (V == Block)
        return {V, Span{}};
      auto It = V ? Names.find(V) : Names.end();
      return It == Names.end() ? InBlock() : InBlock{V, It->second};
    }
    if (const auto *C = dyn_cast<CastExpr>(E))
      return cast(C);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      no(A->getIdx());
      const InBlock P = value(A->getBase());
      return P.Name ? shifted(P, A->getIdx(), A->getType(), false) : P;
    }
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return member(M);
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      const InBlock P = value(U->getSubExpr());
      if (!P.Name || U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf)
        return P;
      return U->isIncrementDecrementOp() && !isVariable(U->getSubExpr())
                 ? used(P, U->getSubExpr()->getType(), U)
                 : lose(U);
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return binary(B);
    if (const auto *C = dyn_cast<CXXConstructExpr>(E);
        C && C->getNumArgs() == 1 && C->getConstructor()->isTrivial())
      return used(value(C->getArg(0)), C->getType(), C);
    if (const auto *C = dyn_cast<CallExpr>(E))
      return call(C);
    if (isa<PseudoObjectExpr, UnaryExprOrTypeTraitExpr>(E))
      return {};
    if (isa<LambdaExpr, StmtExpr>(E))
      return names(E) ? lose(E) : InBlock();
    for (const Stmt *Kid : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Kid))
        no(Sub);
      else
        statement(Kid);
    return {};
  }

  bool isVariable(const Expr *E) const {
    return E->getType()->isPointerType() && isa<DeclRefExpr>(E->IgnoreParens());
  }

  InBlock cast(const CastExpr *C) {
    const InBlock P = value(C->getSubExpr());
    if (!P.Name)
      return P;
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
      return isVariable(C->getSubExpr()) ? P : used(P, C->getType(), C);
    case CK_ArrayToPointerDecay:
    case CK_BitCast:
    case CK_LValueBitCast:
    case CK_NoOp:
      return P;
    default:
      return lose(C);
    }
  }

  InBlock member(const MemberExpr *M) {
    InBlock P = value(M->getBase());
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!P.Name)
      return P;
    if (!F || F->isBitField() || F->getType()->isReferenceType())
      return lose(M);
    const int64_t Bytes =
        Context.toCharUnitsFromBits(Context.getFieldOffset(F)).getQuantity();
    if (P.At)
      P.At = Span{P.At->Low + Bytes, P.At->High + Bytes};
    return P;
  }

  InBlock binary(const BinaryOperator *B) {
    const InBlock L = value(B->getLHS()), R = value(B->getRHS());
    if (B->isCommaOp())
      return R;
    if (B->isAssignmentOp())
      return R.Name || (L.Name && isVariable(B->getLHS()))
                 ? lose(B)
                 : used(L, B->getLHS()->getType(), B);
    if (!L.Name && !R.Name)
      return {};
    if (!B->isAdditiveOp() || !B->getType()->isPointerType() ||
        (L.Name && R.Name))
      return lose(B);
    return shifted(L.Name ? L : R, L.Name ? B->getRHS() : B->getLHS(),
                   B->getType()->getPointeeType(), B->getOpcode() == BO_Sub);
  }

  InBlock call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    const bool Copies =
        isa<CXXOperatorCallExpr>(C) && M && M->isTrivial() &&
        (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator());
    const bool Atomic = F && F->getIdentifier() && isCudas(F) &&
                        F->getName().starts_with("atomic");
    if (const auto *Of = dyn_cast<CXXMemberCallExpr>(C))
      no(Of->getImplicitObjectArgument());
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      const Expr *Arg = C->getArg(I);
      const InBlock P = value(Arg);
      if (!P.Name)
        continue;
      if (Copies)
        used(P, Arg->getType(), C);
      else if (Atomic && I == 0)
        used(P, Arg->getType()->getPointeeType(), C);
      else
        lose(C);
    }
    return {};
  }
};

} // namespace

ApartNames apartNames(const TileLoop &Loop) {
  ApartNames All;
  for (const StagedBuffer &B : Loop.Buffers)
    if (!B.Apart.empty()) {
      All.insert(B.Apart.begin(), B.Apart.end());
      for (const VarDecl *V : B.Views)
        All[V] = B.Var;
    }
  return All;
}

const Stmt *leavesItsPart(const TileLoop &Loop, const StagedBuffer &B,
                          ASTContext &Context) {
  return B.Apart.empty() ? nullptr : PartsWalk(Loop, B, Context).run();
}

} // namespace kpipe
