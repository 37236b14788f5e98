// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second names, see SecondNames.h.

#include "SecondNames.h"
#include "Code/KnownFunctions.h"
#include "Code/SelfNames.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MostCalls = 8;

class MentionWalk : public ConstDynamicRecursiveASTVisitor {
public:
  MentionWalk(const VarDecl *V, const Stmt *Inner, unsigned Calls,
              bool Returned)
      : V(V), Inner(Inner), Calls(Calls), Returned(Returned) {}

  std::optional<SecondName> Found;

  bool TraverseStmt(const Stmt *S) override {
    if (!S || Found)
      return true;
    Around.push_back({S, nullptr});
    ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    Around.pop_back();
    return true;
  }
  bool TraverseDecl(const Decl *D) override {
    if (!D || Found)
      return true;
    Around.push_back({nullptr, D});
    ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    Around.pop_back();
    return true;
  }
  // What is not evaluated only asks for a type.
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(const CXXNoexceptExpr *) override {
    return true;
  }
  bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }

  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    bool Copied = false;
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCapturedVar() == V) {
        Copied = C.getCaptureKind() == LCK_ByCopy;
        if (!Copied && !within())
          found(C.getLocation(), msg::captured_by_reference_here);
      }
    for (unsigned I = 0; I != L->capture_size(); ++I)
      if (L->isInitCapture(L->capture_begin() + I))
        TraverseStmt(L->capture_init_begin()[I]);
    // A copy has the name in there.
    return Copied ? true : TraverseStmt(L->getBody());
  }

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getDecl() == V && !Found)
      look(D);
    return true;
  }

private:
  struct Node {
    const Stmt *S;
    const Decl *D;
  };
  const VarDecl *V;
  const Stmt *Inner;
  unsigned Calls;
  bool Returned; ///< the function's result is read at once
  llvm::SmallVector<Node, 32> Around;

  void found(SourceLocation Where, Message What) {
    if (!Found)
      Found = SecondName{Where, std::move(What)};
  }

  /// In the statement whose own names do not count.
  bool within() const {
    return Inner &&
           llvm::any_of(Around, [&](const Node &N) { return N.S == Inner; });
  }
  /// In the initialisation of a variable of that statement.
  bool initialises(unsigned At) const {
    bool Inside = false;
    for (unsigned I = 0; I <= At; ++I) {
      Inside |= Inner && Around[I].S == Inner;
      if (Inside && Around[I].D && isa<VarDecl>(Around[I].D) &&
          !cast<VarDecl>(Around[I].D)->isStaticLocal())
        return true;
    }
    return false;
  }

  /// Follows the lvalue D up to what is done with it.
  void look(const DeclRefExpr *D) {
    const Expr *E = D;
    bool Pointer = false; // E points to it instead of being it
    for (unsigned I = Around.size() - 1; I-- != 0;) {
      if (Around[I].D) {
        const auto *To = dyn_cast<VarDecl>(Around[I].D);
        if (!To || (!Pointer && !To->getType()->isReferenceType()))
          return; // a copy, or a type
        if (!initialises(I))
          found(D->getLocation(),
                Pointer ? msg::address_taken_here : msg::reference_bound_here);
        return;
      }
      const Stmt *P = Around[I].S;
      if (const auto *R = dyn_cast<ReturnStmt>(P)) {
        if (!Returned && (Pointer || E->isGLValue()))
          found(R->getBeginLoc(), msg::reference_returned_here);
        return;
      }
      if (const auto *R = dyn_cast<CXXForRangeStmt>(P);
          R && E == R->getRangeInit()) {
        if (namesElements(R) && !initialises(I))
          found(D->getLocation(), msg::reference_bound_here);
        return;
      }
      const auto *X = dyn_cast<Expr>(P);
      if (!X || !designates(X, E, I, D, Pointer))
        return; // the value is dropped, or decides
      E = X;
    }
  }

  /// Does the loop variable name the elements, or may the range's class hand
  /// itself on?
  static bool namesElements(const CXXForRangeStmt *R) {
    return R->getLoopVariable()->getType()->isReferenceType() ||
           !R->getRangeInit()->getType()->isArrayType();
  }

  /// Does X, around E, mean the variable as E does? If not, what X does with it
  /// is noted, if it may keep it.
  bool designates(const Expr *X, const Expr *E, unsigned I,
                  const DeclRefExpr *D, bool &Pointer) {
    if (isa<ParenExpr, FullExpr, MaterializeTemporaryExpr>(X))
      return true;
    if (const auto *C = dyn_cast<CastExpr>(X))
      return throughCast(C, D, Pointer);
    if (const auto *M = dyn_cast<MemberExpr>(X))
      return throughMember(M, D, Pointer);
    if (isa<ArraySubscriptExpr>(X))
      return std::exchange(Pointer, false);
    if (const auto *U = dyn_cast<UnaryOperator>(X))
      return throughUnary(U, Pointer);
    if (const auto *B = dyn_cast<BinaryOperator>(X))
      return throughBinary(B, E, D, Pointer);
    if (const auto *C = dyn_cast<ConditionalOperator>(X))
      return C->getCond() != E;
    if (const auto *C = dyn_cast<CallExpr>(X)) {
      bool Read = I && Around[I - 1].S && readsAtOnce(Around[I - 1].S);
      if (!plainIn(C, E, Pointer, Read))
        found(D->getLocation(), msg::passed_by_reference_here);
      return false;
    }
    // Constructors, lists of values: of a variable that ends with the
    // statement, or kept who knows where.
    if (!initialises(I))
      found(D->getLocation(), msg::named_again_here);
    return false;
  }

  bool throughCast(const CastExpr *C, const DeclRefExpr *D, bool &Pointer) {
    if (!Pointer && C->getCastKind() == CK_ArrayToPointerDecay)
      return Pointer = true;
    if (C->isPRValue() && !C->getType()->isPointerType()) {
      escapesAsNumber(C, Pointer, D);
      return false;
    }
    return Pointer || !C->isPRValue(); // not the value of a pointer
  }

  bool throughMember(const MemberExpr *M, const DeclRefExpr *D, bool &Pointer) {
    if (M->getType()->isReferenceType())
      return false;
    if (const auto *F = dyn_cast<CXXMethodDecl>(M->getMemberDecl())) {
      if (!harmless(F))
        found(D->getLocation(), msg::member_called_here);
      return false;
    }
    Pointer = false;
    return true;
  }

  static bool throughUnary(const UnaryOperator *U, bool &Pointer) {
    if (U->getOpcode() == UO_AddrOf && !Pointer)
      return Pointer = true;
    if (U->getOpcode() == UO_Deref && Pointer) {
      Pointer = false;
      return true;
    }
    return U->isPrefix() && U->isIncrementDecrementOp() && !Pointer;
  }

  bool throughBinary(const BinaryOperator *B, const Expr *E,
                     const DeclRefExpr *D, bool Pointer) {
    if (B->isAssignmentOp() && B->getLHS() == E && !Pointer)
      return true;
    if (B->getOpcode() == BO_Comma && B->getRHS() == E)
      return true;
    if (Pointer && B->isAdditiveOp() && B->getType()->isPointerType())
      return true;
    if (Pointer && B->isAssignmentOp() && B->getRHS() == E)
      found(D->getLocation(), msg::address_taken_here);
    return false;
  }

  static bool readsAtOnce(const Stmt *S) {
    const auto *C = dyn_cast<CastExpr>(S);
    return C && C->getCastKind() == CK_LValueToRValue;
  }

  void escapesAsNumber(const CastExpr *C, bool Pointer, const DeclRefExpr *D) {
    if (Pointer && C->getCastKind() == CK_PointerToIntegral)
      found(D->getLocation(), msg::address_taken_here);
  }

  static bool harmless(const CXXMethodDecl *M) {
    return M->isConst() && (M->getReturnType()->isArithmeticType() ||
                            M->getReturnType()->isVoidType());
  }

  /// A function of the toolkit's that takes a number as `const int &`, and
  /// gives back nothing that could name it.
  static bool readsNumber(const FunctionDecl *F, QualType T) {
    return isToolkits(F) && !isa<CXXMethodDecl>(F) &&
           T->isLValueReferenceType() &&
           T->getPointeeType().isConstQualified() &&
           !T->getPointeeType().isVolatileQualified() &&
           T->getPointeeType()->isArithmeticType() &&
           (F->getReturnType()->isArithmeticType() ||
            F->getReturnType()->isVoidType());
  }

  /// The callee's parameter is as plainly used as the variable has to be.
  bool plainIn(const CallExpr *C, const Expr *E, bool Pointer,
               bool ReadsResult) const {
    const FunctionDecl *Definition = nullptr;
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || Calls == MostCalls)
      return false;
    const unsigned Skip = argumentsBefore(C);
    bool Body = F->hasBody(Definition);
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      if (C->getArg(I)->IgnoreParens() != E->IgnoreParens() &&
          C->getArg(I) != E)
        continue;
      if (I < Skip)
        return cast<CXXMethodDecl>(F)->isConst();
      if (I - Skip >= F->getNumParams())
        return false;
      QualType T = F->getParamDecl(I - Skip)->getType();
      if (!Pointer && !T->isReferenceType())
        return true;
      if (!Body)
        return F->getBuiltinID() != 0 || readsNumber(F, T);
      const ParmVarDecl *P = Definition->getParamDecl(I - Skip);
      MentionWalk W(P, nullptr, Calls + 1, ReadsResult);
      // A pointer parameter is a variable of its own: only its value counts.
      if (Pointer)
        return onlyReached(P, Definition->getBody());
      W.TraverseStmt(Definition->getBody());
      return !W.Found;
    }
    return false;
  }

  /// Every mention of a pointer is `*p`, `p->…` or `p[…]`.
  static bool onlyReached(const ParmVarDecl *P, const Stmt *Body) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const ParmVarDecl *P;
      unsigned All = 0, Reached = 0;
      bool is(const Expr *E) const {
        const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
        return D && D->getDecl() == P;
      }
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        All += D->getDecl() == P;
        return true;
      }
      bool VisitUnaryOperator(const UnaryOperator *U) override {
        Reached += U->getOpcode() == UO_Deref && is(U->getSubExpr());
        return true;
      }
      bool VisitArraySubscriptExpr(const ArraySubscriptExpr *A) override {
        Reached += is(A->getBase());
        return true;
      }
      bool VisitMemberExpr(const MemberExpr *M) override {
        Reached += M->isArrow() && is(M->getBase());
        return true;
      }
    } F;
    F.P = P;
    F.TraverseStmt(Body);
    // `&p->x` and `&*p` may be kept.
    struct Addresses : ConstDynamicRecursiveASTVisitor {
      bool Taken = false;
      bool VisitUnaryOperator(const UnaryOperator *U) override {
        Taken |= U->getOpcode() == UO_AddrOf;
        return true;
      }
      bool VisitVarDecl(const VarDecl *D) override {
        Taken |= D->getType()->isReferenceType();
        return true;
      }
    } A;
    A.TraverseStmt(Body);
    return F.All == F.Reached && !A.Taken;
  }
};

} // namespace

std::optional<SecondName> secondName(const VarDecl *V, const FunctionDecl *F,
                                     const Stmt *Inner) {
  if (mayKnowItself(V->getType()))
    return SecondName{V->getLocation(), msg::keeps_own_address};
  MentionWalk W(V, Inner, 0, false);
  W.TraverseStmt(F->getBody());
  return W.Found;
}

static void check(LoopFacts &Facts, const VarDecl *V, const Stmt *Where,
                  msg::Id Why, const Stmt *Body) {
  auto Found = secondName(V, Facts.Tile.Function, Body);
  if (!Found)
    return;
  Obstacle F{RuleId::CarriedScalar, startOf(Where), {Why, quoted(V)}, {}};
  F.Notes.push_back({Found->Where, Found->What});
  Facts.Obstacles.push_back(std::move(F));
}

void findSecondNames(LoopFacts &Facts) {
  TileLoop &Tile = Facts.Tile;
  // A header that the body changes has been refused for that.
  if (llvm::any_of(Facts.Obstacles, [](const Obstacle &F) {
        return F.Rule == RuleId::ControlFlow;
      }))
    return;
  const Stmt *Body = nullptr;
  if (const auto *F = dyn_cast<ForStmt>(Tile.Loop))
    Body = F->getBody();
  else if (const auto *W = dyn_cast<WhileStmt>(Tile.Loop))
    Body = W->getBody();
  else
    Body = cast<DoStmt>(Tile.Loop)->getBody();
  for (const HeaderVar &H : Tile.HeaderVars) {
    QualType T = H.Var->getType();
    if (T->isReferenceType() || T.isVolatileQualified() ||
        !H.Var->hasLocalStorage())
      Facts.Obstacles.push_back(
          {RuleId::ControlFlow,
           startOf(H.Update),
           {T->isReferenceType()        ? msg::tile_counter_is_reference
            : !H.Var->hasLocalStorage() ? msg::tile_counter_is_not_local
                                        : msg::tile_counter_is_volatile,
            quoted(H.Var)},
           {}});
    else
      check(Facts, H.Var, H.Update, msg::counter_has_second_name, Body);
  }
  for (const VarDecl *V : Tile.PrivateToLoad) {
    const Stmt *Writer = nullptr;
    for (unsigned I = 0; I != Facts.Items.size() && !Writer; ++I)
      if (Facts.Items[I].Writes.count(V))
        Writer = Tile.Body[I].S;
    check(Facts, V, Writer, msg::private_copy_has_second_name, Body);
  }
}

} // namespace kpipe
