// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and tiles, see LoopThread.h.

#include "LoopThread.h"
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Fields that are more than read, and calls that may change the object.
struct FieldChanges : ConstDynamicRecursiveASTVisitor {
  llvm::DenseSet<const Expr *> Reads;
  llvm::DenseSet<const FieldDecl *> Fields;
  bool Object = false;
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      Reads.insert(C->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl()))
      if (!Reads.count(M) && !F->getType()->isRecordType())
        Fields.insert(F);
    return true;
  }
  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *C) override {
    const CXXMethodDecl *M = C->getMethodDecl();
    Object |= !M || !M->isConst();
    return true;
  }
};

} // namespace

LoopThread::LoopThread(const TileLoop &Loop, const ASTContext &Context,
                       llvm::DenseSet<const Expr *> Watched, bool Barriers,
                       unsigned MostSteps)
    : ThreadRun(Context, Loop.Function, Loop.Function->getBody(),
                std::move(Watched), MostSteps),
      Loop(Loop), Barriers(Barriers) {
  FieldChanges Changes;
  Changes.TraverseStmt(Loop.Function->getBody());
  Changing = std::move(Changes.Fields);
  ObjectChanges = Changes.Object;
}

LoopThread::Course
LoopThread::follow(const WayToLoop &To, const Sample &S, unsigned Run,
                   unsigned MostTiles, Stored OnTheWay, Stored Report,
                   llvm::function_ref<void(bool)> EndOfTile) {
  Way = &To;
  Of = S;
  RunNumber = Run;
  begin(S);
  WayKnown = true;
  missedStores();
  const Course In = enter(OnTheWay);
  WayKnown &= !missedStores();
  return In == Course::Ends ? tiles(MostTiles, Report, EndOfTile) : In;
}

LoopThread::Course LoopThread::enter(Stored Report) {
  auto Lost = [&] {
    return returned() ? Course::Absent
           : Invalid  ? Course::Senseless
                      : Course::Broken;
  };
  for (const WayStep &Step : Way->Steps) {
    switch (Step.What) {
    case WayStep::Kind::Run:
      if (!run(Step.S, Report))
        return Lost();
      break;
    case WayStep::Kind::Enter: {
      const auto *I = cast<IfStmt>(Step.S);
      std::optional<bool> Holds = condition(I->getCond(), Report);
      WayKnown &= Holds.has_value();
      if (Holds != !Step.Then)
        break;
      const Stmt *Other = Step.Then ? I->getElse() : I->getThen();
      return Other && mayStore(Other) && !run(Other, Report) ? Lost()
                                                             : Course::Absent;
    }
    case WayStep::Kind::Leave: {
      std::optional<bool> Holds =
          condition(cast<IfStmt>(Step.S)->getCond(), Report);
      WayKnown &= Holds.has_value();
      if (Holds == true)
        return Course::Absent;
      break;
    }
    case WayStep::Kind::Again:
      if (RunNumber)
        for (const VarDecl *V : Step.Changed)
          set(V, chosen(V->getName(), V->getType(), true));
      break;
    }
  }
  return Invalid ? Course::Senseless : Course::Ends;
}

LoopThread::Course LoopThread::tiles(unsigned Most, Stored Report,
                                     llvm::function_ref<void(bool)> EndOfTile) {
  auto Silent = [](const Expr *, const RunValue &) {};
  auto Lost = [&] { return Invalid ? Course::Senseless : Course::Broken; };
  if (Loop.Init && !run(Loop.Init, Silent))
    return Lost();
  for (unsigned T = 0; T != Most; ++T) {
    if ((T || Loop.Kind != LoopKind::Do) && Loop.Cond) {
      const bool More = condition(Loop.Cond, Silent).value_or(true);
      if (Invalid)
        return Lost();
      if (!More)
        break;
    }
    missedStores();
    for (const BodyItem &I : Loop.Body) {
      if (I.Step || I.SharedDecl)
        continue;
      if (!Way->Items.count(I.S))
        forget(I.S);
      else if (!run(I.S, Report))
        return Lost();
    }
    EndOfTile(!missedStores());
    for (const HeaderVar &H : Loop.HeaderVars)
      if (H.Update && !run(H.Update, Silent))
        return Lost();
  }
  return Course::Ends;
}

RunValue LoopThread::chosen(llvm::StringRef Name, QualType Type,
                            bool ByRun) const {
  Type = Type.getNonReferenceType();
  if (!Type->isIntegralOrEnumerationType())
    return {};
  const unsigned Run = ByRun ? RunNumber : 0;
  unsigned Key = 5 * Of.Number + 3;
  for (char C : Name)
    Key = Key * 31 + static_cast<unsigned char>(C);
  if (Type->isBooleanType())
    return RunValue::of((Key + Run) % 2, true);
  static constexpr int64_t Small[] = {1, 2, 3, 4, 8, 16, 17, 5};
  int64_t N = 0;
  if (Run) // what a loop around counts, and what is left of a tile
    N = Run == 1 ? Small[Key % 8] : 6 + int64_t(Key % 40);
  else // tiles that come out even, and a last one that does not
    N = Of.Number == 0   ? 1024
        : Of.Number == 1 ? 100 + int64_t(Key % 60)
        : Of.Number == 2 ? 17 + int64_t(Key % 30)
                         : 64 * Small[Key % 8];
  RunValue V = RunValue::of(N, true);
  const unsigned Bits = Context.getIntWidth(Type);
  if (Bits < 16)
    V.Number %= 64;
  return V;
}

std::optional<RunValue> LoopThread::given(const VarDecl *V) {
  QualType T = V->getType();
  const auto *P = dyn_cast<ParmVarDecl>(V);
  const bool Own = V->getDeclContext() == Loop.Function;
  // A caller's: what it changes is not followed.
  if (!P && !Own && V->hasLocalStorage())
    return V->hasInit() && T.isConstQualified() &&
                   T->isIntegralOrEnumerationType()
               ? lookBack(V->getInit())
               : RunValue();
  if (!P && !V->hasAttr<CUDAConstantAttr>())
    return std::nullopt;
  if (P && T->isPointerType())
    return std::nullopt;
  // Memory of its own, whatever it is.
  if (T->isReferenceType())
    return RunValue::addressOf(V);
  if (P && Own && (!RunNumber || !Way->CalledAgain))
    if (RunValue X = argument(P); X.isNumber())
      return Numbers.fitted(X, T);
  return chosen(V->getName(), T, P && Own && Way->CalledAgain);
}

/// Variables of a caller that are not constant are not known here.
RunValue LoopThread::lookBack(const Expr *E) {
  const bool Was = std::exchange(LooksBack, true);
  RunValue X = value(E);
  LooksBack = Was;
  return X;
}

RunValue LoopThread::argument(const ParmVarDecl *P) {
  const CallExpr *C = Way->Call;
  const unsigned I = P->getFunctionScopeIndex();
  if (!C || isa<CXXOperatorCallExpr>(C) || I >= C->getNumArgs() ||
      !P->getType()->isIntegralOrEnumerationType())
    return {};
  return lookBack(C->getArg(I));
}

bool LoopThread::waits(const Stmt *S) const {
  if (!Barriers)
    return false;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    return classifyAsm(A->getAsmString()).Waits;
  const auto *C = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  if (!F)
    return false;
  const CallKind Kind = classifyCall(F);
  return Kind == CallKind::BlockBarrier || Kind == CallKind::ValueBarrier;
}

RunValue LoopThread::held(const Expr *E) {
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return memberOf(M);
  // An element of an array that the kernel only reads.
  const auto *A = dyn_cast<ArraySubscriptExpr>(E);
  if (!A || !E->getType()->isIntegralOrEnumerationType() ||
      !E->getType().isConstQualified())
    return {};
  RunValue At = place(A);
  if (!At.isAddress() ||
      (!isa<ParmVarDecl>(At.Base) && !At.Base->hasAttr<CUDAConstantAttr>()))
    return {};
  uint64_t Key = uint64_t(At.Number) * 2654435761u + 7 * Of.Number;
  for (char C : At.Base->getName())
    Key = Key * 31 + static_cast<unsigned char>(C);
  // Half of them as in a mask, half of them places.
  const uint64_t Drawn = Key >> 9;
  return RunValue::of(int64_t(Key >> 8 & 1 ? Drawn & 1 : Drawn & 63), true);
}

/// A member of the function's object or of a parameter, if the function does
/// not change it.
RunValue LoopThread::memberOf(const MemberExpr *M) {
  const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
  if (!F || F->isMutable() || Changing.count(F) ||
      F->getType()->isReferenceType())
    return {};
  const Expr *Base = M->getBase()->IgnoreParenImpCasts();
  while (const auto *Outer = dyn_cast<MemberExpr>(Base)) {
    if (Outer->isArrow() && !isa<CXXThisExpr>(Outer->getBase()))
      return {};
    Base = Outer->getBase()->IgnoreParenImpCasts();
  }
  if (isa<CXXThisExpr>(Base))
    return ObjectChanges ? RunValue()
                         : chosen(F->getName(), F->getType(), Way->CalledAgain);
  const auto *D = dyn_cast<DeclRefExpr>(Base);
  const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
  if (!P || ObjectChanges)
    return {};
  return chosen(F->getName(), F->getType(),
                P->getDeclContext() == Loop.Function && Way->CalledAgain);
}

} // namespace kpipe
