// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that outlive an iteration, see CarriedAddress.h. Flow-insensitive:
// a variable that ever holds an address of the buffer always does.

#include "CarriedAddress.h"
#include "Code/InlineAssembly.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Too narrow or of the wrong kind for an address, also for the 32-bit ones of
/// shared memory.
bool holdsNoAddress(QualType T, const ASTContext &Context) {
  T = Context.getBaseElementType(T.getNonReferenceType());
  if (const auto *R = T->getAsCXXRecordDecl(); R && R->hasDefinition())
    return !R->isLambda() &&
           llvm::all_of(R->fields(),
                        [&](const FieldDecl *F) {
                          return !F->getType()->isReferenceType() &&
                                 holdsNoAddress(F->getType(), Context);
                        }) &&
           llvm::all_of(R->bases(), [&](const CXXBaseSpecifier &B) {
             return holdsNoAddress(B.getType(), Context);
           });
  return T->isVoidType() || T->isFloatingType() || T->isBooleanType() ||
         (T->isIntegerType() && Context.getTypeSize(T) < 32);
}

/// Does a function give away nothing but what it loads? Helpers around ldmatrix
/// are given an address and registers.
bool onlyLoads(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  if (!F || !F->hasBody(Body))
    return false;
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool give() { return !(Found = true); }
    static bool isOwn(const Expr *E) {
      const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      return V && V->hasLocalStorage() && !V->getType()->isReferenceType();
    }
    /// A value that was in memory, whatever is computed with it.
    static bool isLoaded(const Expr *E) {
      E = E->IgnoreParenCasts();
      return isa<ArraySubscriptExpr, IntegerLiteral, FloatingLiteral>(E) ||
             (isa<UnaryOperator>(E) &&
              cast<UnaryOperator>(E)->getOpcode() == UO_Deref);
    }
    bool VisitBinaryOperator(const BinaryOperator *B) override {
      return !B->isAssignmentOp() || isOwn(B->getLHS()) ||
             B->getLHS()->getType()->isFloatingType() ||
             isLoaded(B->getRHS()) || give();
    }
    bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
      const AsmEffect Effect = classifyAsm(A->getAsmString());
      bool Own = Effect.ReadsShared || Effect.ReadsGlobal;
      for (unsigned I = 0; !Own && I != A->getNumOutputs(); ++I)
        if (!isOwn(A->getOutputExpr(I)))
          return give();
      return true;
    }
    bool VisitCallExpr(const CallExpr *C) override {
      const FunctionDecl *Callee = C->getDirectCallee();
      return (Callee && classifyCall(Callee) == CallKind::Pure &&
              !Callee->hasBody()) ||
             give();
    }
    bool VisitLambdaExpr(const LambdaExpr *) override { return give(); }
    bool VisitCXXConstructExpr(const CXXConstructExpr *) override {
      return give();
    }
  } Gives;
  Gives.TraverseStmt(Body->getBody());
  return !Gives.Found;
}

/// The variable whose storage an lvalue is a part of, or null.
const VarDecl *wholeOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
             A && A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      E = A->getBase();
    else
      break;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

class AddressFlow : public ConstDynamicRecursiveASTVisitor {
public:
  AddressFlow(const Scope &In, const VarDecl *Buffer)
      : In(In), Context(In.context()), Buffer(Buffer) {}

  VarSet Holders;
  /// A store of an address to memory that is not a local variable.
  const Expr *StoredAway = nullptr;

  void run(const Stmt *Loop) {
    do {
      Changed = false;
      TraverseStmt(Loop);
    } while (Changed);
  }

  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasInit() && (V->getType()->isReferenceType()
                             ? place(V->getInit())
                             : carries(V->getInit())))
      hold(V);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp() && carries(B->getRHS()))
      store(B->getLHS());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    // What is loaded from the address is a value, not an address.
    AsmEffect Effect = classifyAsm(A->getAsmString());
    if (Effect.ReadsShared || Effect.ReadsGlobal)
      return true;
    bool In = false;
    for (unsigned I = 0; I != A->getNumInputs(); ++I)
      In |= carries(A->getInputExpr(I));
    for (unsigned I = 0; In && I != A->getNumOutputs(); ++I)
      if (!holdsNoAddress(A->getOutputExpr(I)->getType(), Context))
        store(A->getOutputExpr(I));
    return true;
  }
  /// A call that is given the address may keep it in what else it is given.
  bool VisitCallExpr(const CallExpr *C) override {
    bool Given = false;
    for (const Expr *A : C->arguments())
      Given |= A->isGLValue() ? place(A) || carries(A) : carries(A);
    const FunctionDecl *F = C->getDirectCallee();
    CallKind Kind = F ? classifyCall(F) : CallKind::Ordinary;
    if (!Given || (Kind != CallKind::Ordinary && Kind != CallKind::Pure) ||
        onlyLoads(F))
      return true;
    for (const Expr *A : C->arguments()) {
      const Expr *Target = nullptr;
      if (const auto *D = dyn_cast<CastExpr>(A->IgnoreParens());
          D && D->getCastKind() == CK_ArrayToPointerDecay)
        Target = D->getSubExpr();
      else
      if (const auto *U = dyn_cast<UnaryOperator>(A->IgnoreParenImpCasts());
          U && U->getOpcode() == UO_AddrOf)
        Target = U->getSubExpr();
      else if (A->isGLValue() && !A->getType().isConstQualified())
        Target = A;
      if (const VarDecl *V = Target ? wholeOf(Target) : nullptr;
          V && V != Buffer && mayHold(V->getType()))
        hold(V);
    }
    return true;
  }

private:
  const Scope &In;
  const ASTContext &Context;
  const VarDecl *Buffer;
  bool Changed = false;

  bool mayHold(QualType T) const { return !holdsNoAddress(T, Context); }

  /// May a call hand on the address of what it is given by reference? Not as
  /// an integer if its body takes no address, as those of max and min.
  bool handsOn(const CallExpr *C) const {
    const FunctionDecl *Definition = nullptr;
    const FunctionDecl *F = C->getDirectCallee();
    if (!C->getType()->isIntegerType() || !F || !F->hasBody(Definition))
      return true;
    struct Finder : ConstDynamicRecursiveASTVisitor {
      bool Found = false;
      bool VisitUnaryOperator(const UnaryOperator *U) override {
        return !(Found |= U->getOpcode() == UO_AddrOf);
      }
      bool VisitCallExpr(const CallExpr *) override { return !(Found = true); }
    } Body;
    Body.TraverseStmt(Definition->getBody());
    return Body.Found;
  }

  void hold(const VarDecl *V) {
    Changed |= V != Buffer && Holders.insert(V).second;
  }

  void store(const Expr *LValue) {
    if (holdsNoAddress(LValue->getType(), Context))
      return;
    const VarDecl *V = wholeOf(LValue);
    if (V && V->hasLocalStorage() && !V->getType()->isReferenceType())
      return hold(V);
    for (const MemoryRoot &R : In.ofLValue(LValue))
      if (R.Where == Space::Local && R.Var)
        hold(R.Var);
      else if (!StoredAway)
        StoredAway = LValue;
  }

  /// Is an lvalue a part of the buffer, or reached through its address?
  bool place(const Expr *E) const {
    E = E->IgnoreParens();
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V && (V == Buffer ||
                   (V->getType()->isReferenceType() && Holders.count(V)));
    }
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return carries(A->getBase());
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return M->isArrow() ? carries(M->getBase()) : place(M->getBase());
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_Deref ? carries(U->getSubExpr())
                                        : place(U->getSubExpr());
    if (const auto *C = dyn_cast<CastExpr>(E))
      return C->getSubExpr()->isGLValue() ? place(C->getSubExpr())
                                          : carries(C->getSubExpr());
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      return carries(M->getSubExpr());
    return false;
  }

  /// Is a value, or may it contain, an address of the buffer?
  bool carries(const Expr *E) const {
    if (!E)
      return false;
    E = E->IgnoreParens();
    if (holdsNoAddress(E->getType(), Context))
      return false;
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() == CK_ArrayToPointerDecay)
        return place(C->getSubExpr()) || holder(C->getSubExpr());
      if (C->getCastKind() == CK_LValueToRValue)
        return holder(C->getSubExpr());
      return C->getSubExpr()->isGLValue() ? holder(C->getSubExpr())
                                          : carries(C->getSubExpr());
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      return place(U->getSubExpr()) || holder(U->getSubExpr());
    if (E->isGLValue())
      return holder(E);
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && (B->isComparisonOp() || B->isLogicalOp()))
      return false;
    const auto *Call = dyn_cast<CallExpr>(E);
    bool ByReference =
        Call ? handsOn(Call) : isa<CXXConstructExpr, InitListExpr>(E);
    if (const auto *C = dyn_cast<CXXConstructExpr>(E))
      ByReference &= !C->getConstructor()->isCopyOrMoveConstructor();
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        if (carries(Sub) || (ByReference && Sub->isGLValue() && place(Sub)))
          return true;
    return false;
  }

  /// Does an lvalue name a variable, or a part of one, that holds an address?
  bool holder(const Expr *E) const {
    const VarDecl *V = wholeOf(E);
    return V && Holders.count(V) && mayHold(E->getType());
  }
};

} // namespace

std::optional<CarriedAddress> carriedAddress(const LoopFacts &Facts,
                                             const StagedBuffer &Buffer) {
  AddressFlow Flow(*Facts.In, Buffer.Var);
  Flow.Holders.insert(Buffer.Views.begin(), Buffer.Views.end());
  for (const BodyItem &I : Facts.Tile.Body)
    Flow.run(I.S);
  // A holder that one statement fills and another reads needs a second look.
  VarSet Before;
  do {
    Before = Flow.Holders;
    for (const BodyItem &I : Facts.Tile.Body)
      Flow.run(I.S);
  } while (Before.size() != Flow.Holders.size());
  if (Flow.StoredAway)
    return CarriedAddress{startOf(Flow.StoredAway), nullptr};
  const VarDecl *First = nullptr;
  for (const VarDecl *V : Flow.Holders)
    if (Facts.Body.Exposed.count(V) && !llvm::is_contained(Buffer.Views, V) &&
        (!First || V->getLocation() < First->getLocation()))
      First = V;
  if (First)
    return CarriedAddress{First->getLocation(), First};
  return std::nullopt;
}

} // namespace kpipe
