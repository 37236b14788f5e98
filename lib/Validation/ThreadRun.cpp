// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small evaluator over statements and expressions, see ThreadRun.h.

#include "ThreadRun.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Mentions of variables that are more than a read of their value.
struct Changes : RecursiveASTVisitor<Changes> {
  llvm::SmallVector<const DeclRefExpr *, 8> Found;
  /// Mentions that are read, and those that are assigned or stepped.
  llvm::DenseSet<const Expr *> Reads, Written;
  llvm::SmallVector<const VarDecl *, 2> Captured; ///< by reference
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      Written.insert(B->getLHS()->IgnoreParens());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp())
      Written.insert(U->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          Captured.push_back(V);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *C) {
    if (C->getCastKind() == CK_LValueToRValue)
      Reads.insert(C->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && V->hasLocalStorage() && !Reads.count(D))
      Found.push_back(D);
    return true;
  }
};

} // namespace

ThreadRun::ThreadRun(const ASTContext &Context, const FunctionDecl *Function,
                     const Stmt *Start, llvm::DenseSet<const Expr *> Watched,
                     unsigned MostSteps)
    : Context(Context), Start(Start), Watched(std::move(Watched)),
      MostSteps(MostSteps) {
  const SourceManager &SM = Context.getSourceManager();
  read(Function);
  Changes All;
  All.TraverseStmt(Function->getBody());
  for (const DeclRefExpr *D : All.Found)
    if (SM.isBeforeInTranslationUnit(D->getLocation(), Start->getBeginLoc()))
      Unsteady.insert(cast<VarDecl>(D->getDecl()));
}

/// Notes the variables of a function that have other names than their own.
void ThreadRun::read(const FunctionDecl *F) {
  if (!Functions.insert(F).second)
    return;
  Changes All;
  All.TraverseStmt(F->getBody());
  for (const DeclRefExpr *D : All.Found)
    if (!All.Written.count(D))
      Renamed.insert(cast<VarDecl>(D->getDecl()));
  Renamed.insert(All.Captured.begin(), All.Captured.end());
}

void ThreadRun::begin(const Sample &S) {
  Given = S;
  Invalid = false;
  Now.clear();
  Before.clear();
}

bool ThreadRun::run(const Stmt *S, Stored To) {
  Report = &To;
  Flow F = statement(S);
  Report = nullptr;
  return F == Flow::Next && !Invalid && !spent();
}

std::optional<bool> ThreadRun::condition(const Expr *E, Stored To) {
  Report = &To;
  RunValue V = value(E);
  Report = nullptr;
  if (!V.isNumber())
    return std::nullopt;
  return V.Number != 0;
}

const llvm::SmallVectorImpl<const VarDecl *> &
ThreadRun::changedBy(const Stmt *S) {
  auto [It, New] = Changed.try_emplace(S);
  if (New) {
    Changes In;
    In.TraverseStmt(const_cast<Stmt *>(S));
    for (const DeclRefExpr *D : In.Found)
      It->second.push_back(cast<VarDecl>(D->getDecl()));
  }
  return It->second;
}

void ThreadRun::forget(const Stmt *S) {
  if (S && !LooksBack)
    for (const VarDecl *V : changedBy(S))
      Now[V] = {};
}

// Statements.

ThreadRun::Flow ThreadRun::statement(const Stmt *S) {
  if (!S)
    return Flow::Next;
  if (!tick())
    return Flow::Stuck;
  switch (S->getStmtClass()) {
  case Stmt::NullStmtClass:
    return Flow::Next;
  case Stmt::CompoundStmtClass:
    for (const Stmt *X : cast<CompoundStmt>(S)->body())
      if (Flow F = statement(X); F != Flow::Next)
        return F;
    return Flow::Next;
  case Stmt::AttributedStmtClass:
    return statement(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        declare(V);
    return Invalid ? Flow::Stuck : Flow::Next;
  case Stmt::BreakStmtClass:
    return Flow::Break;
  case Stmt::ContinueStmtClass:
    return Flow::Continue;
  case Stmt::ReturnStmtClass: {
    const Expr *E = cast<ReturnStmt>(S)->getRetValue();
    Returned = !E ? RunValue() : E->isGLValue() ? place(E) : value(E);
    return Flow::Return;
  }
  case Stmt::IfStmtClass: {
    const auto *I = cast<IfStmt>(S);
    if (Flow F = statement(I->getInit()); F != Flow::Next)
      return F;
    if (Flow F = statement(I->getConditionVariableDeclStmt()); F != Flow::Next)
      return F;
    RunValue C = value(I->getCond());
    if (Invalid)
      return Flow::Stuck;
    if (C.isNumber())
      return statement(C.Number ? I->getThen() : I->getElse());
    break;
  }
  case Stmt::ForStmtClass: {
    const auto *F = cast<ForStmt>(S);
    if (F->getConditionVariable())
      break;
    if (Flow First = statement(F->getInit()); First != Flow::Next)
      return First;
    return loop(S, F->getCond(), F->getInc(), F->getBody(), true);
  }
  case Stmt::WhileStmtClass: {
    const auto *W = cast<WhileStmt>(S);
    if (W->getConditionVariable())
      break;
    return loop(S, W->getCond(), nullptr, W->getBody(), true);
  }
  case Stmt::DoStmtClass:
    return loop(S, cast<DoStmt>(S)->getCond(), nullptr,
                cast<DoStmt>(S)->getBody(), false);
  default:
    if (const auto *E = dyn_cast<Expr>(S)) {
      if (E->isGLValue())
        place(E);
      else
        value(E);
      return Invalid ? Flow::Stuck : Flow::Next;
    }
    break;
  }
  return skip(S);
}

/// S may run, and may be left.
ThreadRun::Flow ThreadRun::skip(const Stmt *S) {
  struct Leaves : RecursiveASTVisitor<Leaves> {
    bool Found = false;
    bool VisitReturnStmt(ReturnStmt *) { return !(Found = true); }
    bool VisitBreakStmt(BreakStmt *) { return !(Found = true); }
    bool VisitContinueStmt(ContinueStmt *) { return !(Found = true); }
    bool VisitGotoStmt(GotoStmt *) { return !(Found = true); }
  } Away;
  Away.TraverseStmt(const_cast<Stmt *>(S));
  forget(S);
  return Away.Found || Invalid ? Flow::Stuck : Flow::Next;
}

ThreadRun::Flow ThreadRun::loop(const Stmt *Whole, const Expr *Cond,
                                const Expr *Inc, const Stmt *Body,
                                bool TestFirst) {
  for (bool Test = TestFirst;; Test = true) {
    if (Test && Cond) {
      RunValue C = value(Cond);
      if (!C.isNumber())
        return skip(Whole);
      if (!C.Number)
        return Flow::Next;
    }
    Flow F = statement(Body);
    if (F == Flow::Break)
      return Flow::Next;
    if (F == Flow::Return || F == Flow::Stuck)
      return F;
    if (Inc)
      value(Inc);
    if (!tick())
      return Flow::Stuck;
  }
}

void ThreadRun::declare(const VarDecl *V) {
  const Expr *Init = V->getInit();
  if (!V->hasLocalStorage())
    return;
  if (!Init) {
    Now[V] = {};
    return;
  }
  // The variable of the last turn is another one.
  RunValue X = V->getType()->isReferenceType() ? place(Init) : value(Init);
  Now[V] = X;
}

// Variables.

RunValue ThreadRun::variable(const VarDecl *V) {
  if (!V->getType()->isReferenceType() && Renamed.count(V))
    return {};
  if (!LooksBack)
    if (auto It = Now.find(V); It != Now.end())
      return It->second;
  if (auto It = Before.find(V); It != Before.end())
    return It->second;
  RunValue X = cameWith(V);
  Before[V] = X;
  return X;
}

/// The value that V has when a run begins.
RunValue ThreadRun::cameWith(const VarDecl *V) {
  QualType T = V->getType();
  if (!V->hasLocalStorage()) {
    if (T.isConstQualified() && V->getName() == "warpSize")
      return number(32);
    return V->hasAttr<CUDAConstantAttr>() ? sampled(V->getName(), T)
                                          : RunValue();
  }
  const SourceManager &SM = Context.getSourceManager();
  if (Unsteady.count(V) ||
      !SM.isBeforeInTranslationUnit(V->getLocation(), Start->getBeginLoc()))
    return {};
  if (isa<ParmVarDecl>(V)) {
    if (T->isPointerType())
      return {RunValue::Kind::Address, 0, V, false};
    return T->isReferenceType() ? RunValue() : sampled(V->getName(), T);
  }
  if (!V->getInit())
    return {};
  const bool Was = LooksBack;
  LooksBack = true;
  RunValue X = T->isReferenceType() ? place(V->getInit()) : value(V->getInit());
  LooksBack = Was;
  // Parts of one block whose sizes the host decides do not overlap.
  if (X.isAddress() && X.Sampled)
    X = {RunValue::Kind::Address, 0, V, false};
  return X;
}

/// What a host may pass: a large number, small ones, none.
RunValue ThreadRun::sampled(llvm::StringRef Name, QualType Type) const {
  if (!Type->isIntegralOrEnumerationType() || Type->isBooleanType())
    return {};
  unsigned Key = 7 * Given.Number;
  for (char C : Name)
    Key = Key * 31 + static_cast<unsigned char>(C);
  static constexpr int64_t Small[] = {1, 2, 3, 4, 8, 16, 17, 5};
  int64_t N = Given.Number == 0   ? 4096
              : Given.Number == 1 ? 64 * Small[Key % 8]
              : Given.Number == 2 ? Small[Key / 3 % 8]
                                  : 1000 + int64_t(Key % 97);
  return fitted(number(N, true), Type);
}

/// `threadIdx.x` and its kin.
RunValue ThreadRun::builtin(const PseudoObjectExpr *P) {
  const auto *Property =
      dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens());
  if (!Property)
    return {};
  const Expr *Object = Property->getBaseExpr();
  while (const auto *O = dyn_cast<OpaqueValueExpr>(Object))
    Object = O->getSourceExpr();
  const auto *D = dyn_cast<DeclRefExpr>(Object->IgnoreParenImpCasts());
  const auto *Named = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  llvm::StringRef Part = Property->getPropertyDecl()->getName();
  if (!Named || Part.size() != 1 || Part[0] < 'x' || Part[0] > 'z')
    return {};
  const unsigned Axis = Part[0] - 'x';
  switch (llvm::StringSwitch<int>(Named->getName())
              .Case("threadIdx", 0)
              .Case("blockDim", 1)
              .Case("blockIdx", 2)
              .Case("gridDim", 3)
              .Default(4)) {
  case 0:
    return number(Given.Thread[Axis]);
  case 1:
    return number(Given.Block[Axis]);
  case 2:
    return number(Given.Number % 3, true);
  case 3:
    return number(8, true);
  default:
    return {};
  }
}

// Numbers.

/// V as a value of an integer type: wrapped if that has no sign, and without
/// meaning if it does not fit one that has.
RunValue ThreadRun::fitted(RunValue V, QualType Type) const {
  if (!V.isNumber() || !Type->isIntegralOrEnumerationType())
    return Type->isIntegralOrEnumerationType() || V.isAddress() ? V : RunValue();
  const unsigned Bits = Context.getIntWidth(Type);
  if (Bits >= 64)
    return V;
  const uint64_t Low = uint64_t(V.Number) & llvm::maskTrailingOnes<uint64_t>(Bits);
  V.Number = Type->isSignedIntegerOrEnumerationType() ? llvm::SignExtend64(Low, Bits)
                                                      : int64_t(Low);
  return V;
}

std::optional<int64_t> ThreadRun::constant(const Expr *E) {
  auto [It, New] = Constants.try_emplace(E);
  if (New && !E->isValueDependent() &&
      E->getType()->isIntegralOrEnumerationType()) {
    Expr::EvalResult R;
    if (E->EvaluateAsInt(R, Context) && R.Val.getInt().getSignificantBits() <= 64)
      It->second = R.Val.getInt().getExtValue();
  }
  return It->second;
}

RunValue ThreadRun::computed(BinaryOperatorKind Op, RunValue A, RunValue B,
                             QualType Type, QualType Of) {
  if (!A.isNumber() || !B.isNumber() || !Of->isIntegralOrEnumerationType())
    return {};
  const bool Signed = Of->isSignedIntegerOrEnumerationType();
  const int64_t X = A.Number, Y = B.Number;
  const uint64_t UX = X, UY = Y;
  int64_t R = 0;
  bool Over = false;
  switch (Op) {
  case BO_Add:
    Over = llvm::AddOverflow(X, Y, R);
    break;
  case BO_Sub:
    Over = llvm::SubOverflow(X, Y, R);
    break;
  case BO_Mul:
    Over = llvm::MulOverflow(X, Y, R);
    break;
  case BO_Div:
  case BO_Rem:
    if (Y == 0 || (Signed && X == INT64_MIN && Y == -1)) {
      Invalid = true;
      return {};
    }
    R = Op == BO_Div ? (Signed ? X / Y : int64_t(UX / UY))
                     : (Signed ? X % Y : int64_t(UX % UY));
    break;
  case BO_Shl:
  case BO_Shr:
    if (UY >= Context.getIntWidth(Of)) {
      Invalid = true;
      return {};
    }
    R = Op == BO_Shl ? int64_t(UX << UY) : Signed ? X >> UY : int64_t(UX >> UY);
    break;
  case BO_And:
    R = X & Y;
    break;
  case BO_Or:
    R = X | Y;
    break;
  case BO_Xor:
    R = X ^ Y;
    break;
  case BO_LT:
    R = Signed ? X < Y : UX < UY;
    break;
  case BO_GT:
    R = Signed ? X > Y : UX > UY;
    break;
  case BO_LE:
    R = Signed ? X <= Y : UX <= UY;
    break;
  case BO_GE:
    R = Signed ? X >= Y : UX >= UY;
    break;
  case BO_EQ:
    R = X == Y;
    break;
  case BO_NE:
    R = X != Y;
    break;
  default:
    return {};
  }
  if (!Signed)
    R = Over ? (Op == BO_Add   ? int64_t(UX + UY)
                : Op == BO_Sub ? int64_t(UX - UY)
                               : int64_t(UX * UY))
             : R;
  RunValue V = fitted(number(R, A.Sampled || B.Sampled), Type);
  // Signed numbers do not overflow in a program that has a meaning.
  if (Signed && (Over || V.Number != R)) {
    Invalid = true;
    return {};
  }
  return V;
}

RunValue ThreadRun::moved(RunValue Pointer, const RunValue &By,
                          QualType Element, bool Back) {
  if (!Pointer.isAddress() || !By.isNumber() || Element->isIncompleteType() ||
      Element->isFunctionType())
    return {};
  const int64_t Size = Context.getTypeSizeInChars(Element).getQuantity();
  int64_t Bytes = 0;
  if (llvm::MulOverflow(By.Number, Size, Bytes) ||
      (Back ? llvm::SubOverflow(Pointer.Number, Bytes, Pointer.Number)
            : llvm::AddOverflow(Pointer.Number, Bytes, Pointer.Number)))
    return {};
  Pointer.Sampled |= By.Sampled;
  return Pointer;
}

// Expressions.

RunValue ThreadRun::value(const Expr *E) {
  if (!tick())
    return {};
  switch (E->getStmtClass()) {
  case Stmt::ParenExprClass:
    return value(cast<ParenExpr>(E)->getSubExpr());
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::ConstantExprClass:
  case Stmt::SubstNonTypeTemplateParmExprClass:
  case Stmt::DeclRefExprClass: // an enumerator
  case Stmt::TypeTraitExprClass:
    if (auto N = constant(E))
      return number(*N);
    return {};
  case Stmt::ExprWithCleanupsClass:
    return value(cast<ExprWithCleanups>(E)->getSubExpr());
  case Stmt::MaterializeTemporaryExprClass:
    return value(cast<MaterializeTemporaryExpr>(E)->getSubExpr());
  case Stmt::CXXDefaultArgExprClass:
    return value(cast<CXXDefaultArgExpr>(E)->getExpr());
  case Stmt::InitListExprClass:
    if (const auto *L = cast<InitListExpr>(E);
        L->getNumInits() == 1 && E->getType()->isIntegralOrEnumerationType())
      return value(L->getInit(0));
    return unknown(E);
  case Stmt::PseudoObjectExprClass:
    return builtin(cast<PseudoObjectExpr>(E));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(cast<BinaryOperator>(E));
  case Stmt::UnaryOperatorClass:
    return unary(cast<UnaryOperator>(E));
  case Stmt::ConditionalOperatorClass: {
    const auto *C = cast<ConditionalOperator>(E);
    RunValue Test = value(C->getCond());
    if (!Test.isNumber())
      return unknown(E);
    RunValue V = value(Test.Number ? C->getTrueExpr() : C->getFalseExpr());
    V.Sampled |= Test.Sampled;
    return V;
  }
  case Stmt::CallExprClass:
  case Stmt::CXXOperatorCallExprClass:
    return call(cast<CallExpr>(E));
  default:
    if (const auto *C = dyn_cast<CastExpr>(E))
      return converted(C);
    return unknown(E);
  }
}

RunValue ThreadRun::converted(const CastExpr *C) {
  const Expr *E = C->getSubExpr();
  switch (C->getCastKind()) {
  case CK_LValueToRValue: {
    const Expr *X = E->IgnoreParens();
    if (const auto *P = dyn_cast<PseudoObjectExpr>(X))
      return builtin(P);
    const auto *D = dyn_cast<DeclRefExpr>(X);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V) {
      if (!changedBy(E).empty())
        place(E);
      return {};
    }
    if (!V->hasLocalStorage() || V->isConstexpr())
      if (auto N = constant(X))
        return number(*N);
    // What a reference names is memory of some kind.
    return V->getType()->isReferenceType() ? RunValue() : variable(V);
  }
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral:
    return fitted(value(E), C->getType());
  case CK_IntegralToBoolean: {
    RunValue V = value(E);
    V.Number = V.isNumber() ? V.Number != 0 : V.Number;
    return V.isNumber() ? V : RunValue();
  }
  case CK_NoOp:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    return E->isGLValue() ? place(E) : value(E);
  case CK_ArrayToPointerDecay:
    return place(E);
  case CK_ToVoid:
    if (E->isGLValue())
      place(E);
    else
      value(E);
    return {};
  default:
    return unknown(E);
  }
}

RunValue ThreadRun::place(const Expr *E) {
  if (!tick())
    return {};
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return {};
    if (V->getType()->isReferenceType())
      return variable(V);
    return {RunValue::Kind::Address, 0, V, false};
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    RunValue Base = value(A->getBase()), Index = value(A->getIdx());
    if (Base.What == RunValue::Kind::Unknown || !Index.isNumber())
      return {};
    // Outside of its dimension an index has no meaning.
    const auto *Decay = dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
    const auto *Array =
        Decay && Decay->getCastKind() == CK_ArrayToPointerDecay
            ? Context.getAsConstantArrayType(Decay->getSubExpr()->getType())
            : nullptr;
    if (Array && (Index.Number < 0 ||
                  uint64_t(Index.Number) >= Array->getZExtSize())) {
      Invalid = true;
      return {};
    }
    return moved(Base, Index, A->getType(), false);
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    RunValue Base = M->isArrow() ? value(M->getBase()) : place(M->getBase());
    if (!F || !Base.isAddress() || F->isBitField())
      return {};
    Base.Number += Context
                       .toCharUnitsFromBits(
                           Context.getASTRecordLayout(F->getParent())
                               .getFieldOffset(F->getFieldIndex()))
                       .getQuantity();
    return Base;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return value(U->getSubExpr());
    if (U->isIncrementDecrementOp()) {
      unary(U);
      return place(U->getSubExpr());
    }
    return unknown(E);
  }
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueBitCast)
      return place(C->getSubExpr());
    return unknown(E);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    RunValue Test = value(C->getCond());
    if (!Test.isNumber())
      return unknown(E);
    return place(Test.Number ? C->getTrueExpr() : C->getFalseExpr());
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      binary(B);
      return isa<DeclRefExpr>(B->getLHS()->IgnoreParens())
                 ? place(B->getLHS())
                 : RunValue();
    }
    return unknown(E);
  }
  if (const auto *X = dyn_cast<ExprWithCleanups>(E))
    return place(X->getSubExpr());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  return unknown(E);
}

RunValue ThreadRun::assign(const Expr *Store, const Expr *To, const Expr *From) {
  if (Watched.count(Store)) {
    RunValue Place = place(To);
    if (!changedBy(From).empty())
      value(From);
    if (Place.isAddress() && !Invalid && Report && !LooksBack)
      (*Report)(Store, Place);
    return {};
  }
  const auto *D = dyn_cast<DeclRefExpr>(To->IgnoreParens());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  RunValue X = From->isGLValue() ? RunValue() : value(From);
  if (V && V->hasLocalStorage() && !V->getType()->isReferenceType()) {
    if (!LooksBack)
      Now[V] = X;
    return X;
  }
  forget(To);
  return X;
}

RunValue ThreadRun::binary(const BinaryOperator *B) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  if (B->getOpcode() == BO_Assign)
    return assign(B, L, R);
  if (B->getOpcode() == BO_Comma) {
    if (L->isGLValue())
      place(L);
    else
      value(L);
    return R->isGLValue() ? place(R) : value(R);
  }
  if (B->isLogicalOp()) {
    RunValue X = value(L);
    const bool Ends = B->getOpcode() == BO_LOr;
    if (!X.isNumber()) {
      // The other side may decide alone; it may not be run.
      if (!changedBy(R).empty() || Invalid)
        return unknown(B);
      const bool Was = Invalid;
      RunValue Y = value(R);
      Invalid = Was;
      return Y.isNumber() && (Y.Number != 0) == Ends ? Y : RunValue();
    }
    if ((X.Number != 0) == Ends)
      return X;
    RunValue Y = value(R);
    Y.Sampled |= X.Sampled;
    return Y;
  }
  if (const auto *C = dyn_cast<CompoundAssignOperator>(B)) {
    const auto *D = dyn_cast<DeclRefExpr>(L->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
        LooksBack)
      return unknown(B);
    RunValue Old = variable(V), By = value(R);
    const BinaryOperatorKind Op = BinaryOperator::getOpForCompoundAssignment(
        B->getOpcode());
    if (V->getType()->isPointerType())
      return Now[V] = moved(Old, By, V->getType()->getPointeeType(),
                            Op == BO_Sub);
    QualType Of = C->getComputationLHSType();
    RunValue X = computed(Op, fitted(Old, Of), By,
                          C->getComputationResultType(), Of);
    return Now[V] = fitted(X, V->getType());
  }
  RunValue X = value(L), Y = value(R);
  if (X.isAddress() && B->isAdditiveOp())
    return moved(X, Y, L->getType()->getPointeeType(),
                 B->getOpcode() == BO_Sub);
  if (Y.isAddress() && B->getOpcode() == BO_Add)
    return moved(Y, X, R->getType()->getPointeeType(), false);
  return computed(B->getOpcode(), X, Y, B->getType(), L->getType());
}

RunValue ThreadRun::unary(const UnaryOperator *U) {
  const Expr *E = U->getSubExpr();
  if (U->isIncrementDecrementOp()) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
        LooksBack)
      return unknown(U);
    RunValue Old = variable(V), New;
    if (V->getType()->isPointerType())
      New = moved(Old, number(1), V->getType()->getPointeeType(),
                  U->isDecrementOp());
    else
      New = computed(U->isDecrementOp() ? BO_Sub : BO_Add, Old, number(1),
                     V->getType(), V->getType());
    Now[V] = New;
    return U->isPostfix() ? Old : New;
  }
  switch (U->getOpcode()) {
  case UO_AddrOf:
    return place(E);
  case UO_Plus:
    return value(E);
  case UO_Minus:
    return computed(BO_Sub, number(0), value(E), U->getType(), U->getType());
  case UO_Not:
    return computed(BO_Xor, value(E), fitted(number(-1), U->getType()),
                    U->getType(), U->getType());
  case UO_LNot: {
    RunValue V = value(E);
    return V.isNumber() ? number(!V.Number, V.Sampled) : RunValue();
  }
  case UO_Extension:
    return value(E);
  default:
    return unknown(U);
  }
}

RunValue ThreadRun::call(const CallExpr *C) {
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C)) {
    // Structs are assigned.
    if (O->getOperator() == OO_Equal && O->getNumArgs() == 2)
      return assign(O, O->getArg(0), O->getArg(1));
    return unknown(C);
  }
  const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
  if (!F || LooksBack || isa<CXXMethodDecl>(F) || Calls.size() > 8)
    return unknown(C);
  if (C->getType()->isIntegralOrEnumerationType() && !C->isGLValue())
    if (auto N = constant(C))
      return number(*N);
  // The toolkit's, whatever its body is.
  if (F->getIdentifier() && F->getNumParams() == 2 && C->getNumArgs() == 2 &&
      (F->getName() == "min" || F->getName() == "max") &&
      Context.getSourceManager().isInSystemHeader(F->getLocation()) &&
      !C->isGLValue()) {
    RunValue X = value(C->getArg(0)), Y = value(C->getArg(1));
    RunValue Less = computed(BO_LT, X, Y, Context.BoolTy, C->getType());
    if (!Less.isNumber())
      return {};
    RunValue V = (Less.Number != 0) == (F->getName() == "min") ? X : Y;
    V.Sampled |= Less.Sampled;
    return V;
  }
  if (!F->hasBody(Definition) || llvm::is_contained(Calls, Definition) ||
      Definition->isVariadic() ||
      Context.getSourceManager().isInSystemHeader(Definition->getLocation()))
    return unknown(C);
  llvm::SmallVector<RunValue, 8> Args;
  for (unsigned I = 0; I != Definition->getNumParams(); ++I) {
    if (I >= C->getNumArgs())
      return unknown(C);
    const Expr *A = C->getArg(I);
    QualType T = Definition->getParamDecl(I)->getType();
    Args.push_back(T->isReferenceType() && A->isGLValue() ? place(A)
                    : A->isGLValue()                         ? RunValue()
                                                             : value(A));
    // A reference names a variable of ours.
    if (T->isReferenceType())
      forget(A);
  }
  read(Definition);
  for (unsigned I = 0; I != Args.size(); ++I)
    Now[Definition->getParamDecl(I)] = Args[I];
  Calls.push_back(Definition);
  Returned = {};
  Flow End = statement(Definition->getBody());
  Calls.pop_back();
  if (End == Flow::Stuck)
    Invalid = true;
  return std::exchange(Returned, {});
}

} // namespace kpipe
