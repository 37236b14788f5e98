// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects knows a local variable by its name and by pointers and references
// that can be traced to it. A store that cannot be traced, or a call that
// cannot be looked into, may change any variable whose address was taken.

#include "Code/SelfNames.h"
#include "Rules.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// Local variables that something else has a name for, with the place of that:
/// their address is taken, an array decays to a pointer that is not used at
/// once, a reference is bound, a closure captures, a member function is called.
class AddressFinder : public ConstDynamicRecursiveASTVisitor {
public:
  struct Name {
    SourceLocation Where;
    msg::Id What = msg::address_taken_here;
  };
  llvm::DenseMap<const VarDecl *, Name> Taken;

  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->getOpcode() == UO_AddrOf)
      take(U->getSubExpr(), U);
    else if (U->getOpcode() == UO_Deref)
      Used.insert(U->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *A) override {
    Used.insert(A->getBase()->IgnoreParens());
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_ArrayToPointerDecay && !Used.count(C))
      take(C->getSubExpr(), C);
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->getType()->isReferenceType() && V->hasInit() && !isa<ParmVarDecl>(V))
      bind(V->getInit());
    // However it is made, it may keep its address.
    if (mayKnowItself(V->getType()))
      Taken.try_emplace(V, Name{V->getLocation(), msg::keeps_own_address});
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *L) override {
    if (!L->isSemanticForm()) // as written: nothing says what is bound
      L = L->getSemanticForm();
    if (L)
      bindParts(L);
    return true;
  }
  bool VisitCXXParenListInitExpr(const CXXParenListInitExpr *L) override {
    for (const Expr *I : L->getInitExprs())
      bind(I);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    if (!C->getConstructor()->isCopyOrMoveConstructor() ||
        !C->getConstructor()->isTrivial())
      for (const Expr *A : C->arguments())
        bind(A);
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(F); M && M->isTrivial())
      return true;
    for (const Expr *A : C->arguments())
      bind(A);
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
      if (const Expr *Object = M->getImplicitObjectArgument())
        bind(Object);
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          Taken.try_emplace(V, Name{startOf(L)});
    return true;
  }

private:
  /// Decayed arrays that are indexed there and then; parents come first.
  llvm::SmallPtrSet<const Expr *, 16> Used;

  void bindParts(const InitListExpr *L) {
    for (const Expr *I : L->inits())
      if (const auto *Inner = dyn_cast<InitListExpr>(I))
        bindParts(Inner);
      else
        bind(I);
  }
  /// An object that a reference is bound to.
  void bind(const Expr *E) {
    if (E && E->isGLValue())
      take(E, E);
  }
  void take(const Expr *E, const Expr *Where) {
    if (const auto *Whole = dyn_cast<FullExpr>(E))
      E = Whole->getSubExpr();
    E = E->IgnoreParens();
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() != CK_LValueToRValue)
        take(C->getSubExpr(), Where);
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (!M->isArrow())
        take(M->getBase(), Where);
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      take(A->getBase(), Where);
    } else if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      take(C->getTrueExpr(), Where);
      take(C->getFalseExpr(), Where);
    } else if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      take(B->getOpcode() == BO_Comma ? B->getRHS() : B->getLHS(), Where);
    } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      if (U->isIncrementDecrementOp())
        take(U->getSubExpr(), Where);
    } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (C->getOperator() == OO_Equal) // the result of a class's assignment
        take(C->getArg(0), Where);
    } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const ValueDecl *Named = D->getDecl();
      if (const auto *Part = dyn_cast<BindingDecl>(Named))
        Named = Part->getDecomposedDecl();
      if (const auto *V = dyn_cast_or_null<VarDecl>(Named);
          V && V->isLocalVarDeclOrParm())
        Taken.try_emplace(V, Name{startOf(Where)});
    }
  }
};

/// The first access that cannot be traced, or call that cannot be looked into.
const Stmt *untraced(const Effects &E, bool Write) {
  for (const MemoryAccess &A : E.Memory)
    if (A.Write == Write && A.Root.Where == Space::Unknown && A.At)
      return A.At;
  for (const Event &Of : E.Events)
    if (Of.Kind == EventKind::UnknownCall || Of.Kind == EventKind::UnknownAsm)
      return Of.At;
  return nullptr;
}

} // namespace

void hiddenWrites(const LoopFacts &F, const Directives &, Findings &Out) {
  const Stmt *Write = untraced(F.Body, true);
  if (!Write)
    Write = untraced(F.Header, true);
  const Stmt *Read = untraced(F.Compute, false);
  if (!Write && !Read)
    return;
  AddressFinder Addresses;
  Addresses.TraverseStmt(F.Tile.Function->getBody());
  for (const ParmVarDecl *P : F.Tile.Function->parameters())
    Addresses.VisitVarDecl(P);
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Tile.Function);
  if (Method && mayKnowItself(Method->getParent()))
    for (const VarSet *Used :
         {&F.Load.Reads, &F.Load.Writes, &F.Header.Reads, &F.Header.Writes})
      for (const VarDecl *V : *Used)
        if (isMember(V))
          Addresses.Taken.try_emplace(
              V, AddressFinder::Name{Method->getParent()->getLocation(),
                                     msg::keeps_own_address});
  VarSet Hidden;
  for (auto &[V, Where] : Addresses.Taken)
    Hidden.insert(V);
  auto Report = [&](const VarDecl *V, const Stmt *At, msg::Id What) {
    Obstacle Found{RuleId::CarriedScalar, startOf(At), {What, quoted(V)}, {}};
    const AddressFinder::Name &Name = Addresses.Taken[V];
    Found.Notes.push_back({Name.Where, Name.What});
    Out.push_back(std::move(Found));
  };
  for (const VarDecl *V : inOrder(Hidden)) {
    bool Ahead = F.Load.Writes.count(V) || F.Header.Writes.count(V);
    if (Write && (F.Load.Reads.count(V) || F.Header.Reads.count(V)))
      Report(V, Write, msg::may_be_changed_untraced);
    // The load of a later tile has moved it on by then.
    else if (Read && Ahead)
      Report(V, Read, msg::may_be_read_untraced);
  }
}

} // namespace kpipe
