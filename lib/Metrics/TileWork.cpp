// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts by walking statements for one thread, see TileWork.h.
#include "TileWork.h"
#include "Code/AstUtils.h"
#include "Operations.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

namespace {

/// More iterations of one loop, or statements in all, are not counted.
constexpr unsigned MostTrips = 1u << 14;
constexpr unsigned MostSteps = 1u << 20;
constexpr unsigned MostCalls = 16;

} // namespace

std::optional<Work> TileWork::count(llvm::ArrayRef<const Stmt *> Items,
                                    std::optional<Extent3> Block,
                                    std::optional<Extent3> Thread) {
  Known.Block = Block;
  Known.Thread = Thread;
  Known.AskedForThread = false;
  Work Sum;
  for (const Stmt *S : Items)
    if (!walk(S, Sum))
      return std::nullopt;
  return Sum;
}

std::optional<int64_t> TileWork::value(const Expr *E) {
  Known.AskedForUnknown = false;
  auto Value = Known.evaluate(E);
  if (!Value)
    NeedsIndex |= Known.AskedForUnknown;
  return Value;
}

bool TileWork::walk(const Stmt *S, Work &Sum) {
  if (!S)
    return true;
  if (auto It = SameWork.find(S); It != SameWork.end()) {
    Sum.add(It->second);
    return true;
  }
  if (++Steps > MostSteps)
    return false;
  Work Own;
  bool Counted = false;
  if (holdsEverywhere([&] { return Counted = count(S, Own); }))
    SameWork[S] = Own;
  Sum.add(Own);
  return Counted;
}

bool TileWork::count(const Stmt *S, Work &Sum) {
  if (const auto *E = dyn_cast<Expr>(S))
    return expr(E, Sum);
  if (const auto *F = dyn_cast<ForStmt>(S))
    return loop(F, Sum);
  if (const auto *I = dyn_cast<IfStmt>(S))
    return branch(I, Sum);
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Declared : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Declared); V && V->hasInit())
        if (!walk(V->getInit(), Sum))
          return false;
    return true;
  }
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    Sum.Operations += operationsOfAsm(A->getAsmString());
    return true;
  }
  if (isa<WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt, BreakStmt,
          ContinueStmt, GotoStmt>(S))
    return false;
  for (const Stmt *Child : S->children())
    if (!walk(Child, Sum))
      return false;
  return true;
}

bool TileWork::branch(const IfStmt *I, Work &Sum) {
  if (!walk(I->getInit(), Sum) || !walk(I->getCond(), Sum))
    return false;
  return either(I->getCond(), I->getThen(), I->getElse(), Sum);
}

bool TileWork::either(const Expr *Cond, const Stmt *Then, const Stmt *Else,
                      Work &Sum) {
  bool Asked = Known.AskedForThread;
  Known.AskedForThread = false;
  auto Which = value(Cond);
  bool ByThread = Known.AskedForThread;
  Known.AskedForThread = Asked || (Which && ByThread);
  if (Which)
    return walk(*Which ? Then : Else, Sum);
  Work A, B;
  if (!walk(Then, A) || !walk(Else, B))
    return false;
  if (!(A == B)) {
    Known.AskedForThread |= ByThread;
    if (ByThread && !Known.Thread && onlyThread(Cond))
      return false;
  }
  Sum.Operations += std::max(A.Operations, B.Operations);
  Sum.Bytes += std::max(A.Bytes, B.Bytes);
  return true;
}

bool TileWork::onlyThread(const Expr *Cond) {
  Known.Thread = Extent3{0, 0, 0};
  bool Has = Known.evaluate(Cond).has_value();
  Known.Thread.reset();
  return Has;
}

bool TileWork::loop(const ForStmt *F, Work &Sum) {
  std::optional<Trips> T = trips(F);
  if (!T)
    return false;
  if (T->Values.empty())
    return true;
  bool Outer = NeedsIndex;
  NeedsIndex = false;
  Known.bind(T->Index, std::nullopt);
  Work Once;
  bool Counted = walk(F->getBody(), Once);
  bool Exact = NeedsIndex;
  NeedsIndex = Outer;
  if (!Exact) {
    Known.unbind(T->Index);
    if (Counted)
      Sum.add(Once, T->Values.size());
    return Counted;
  }
  // What the body does differs between iterations.
  for (int64_t Value : T->Values) {
    Known.bind(T->Index, Value);
    if (!walk(F->getBody(), Sum)) {
      Known.unbind(T->Index);
      return false;
    }
  }
  Known.unbind(T->Index);
  return true;
}

std::optional<Trips> TileWork::trips(const ForStmt *F) {
  if (auto It = SameTrips.find(F); It != SameTrips.end())
    return It->second;
  std::optional<Trips> T;
  if (holdsEverywhere([&] { return (T = findTrips(F)).has_value(); }))
    SameTrips[F] = *T;
  return T;
}

std::optional<Trips> TileWork::findTrips(const ForStmt *F) {
  Trips T;
  if (!F->getCond() || !F->getInc())
    return std::nullopt;
  T.Index = updatedVariable(F->getInc());
  std::optional<int64_t> At;
  if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit())) {
    for (const Decl *Declared : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Declared);
          V && V == T.Index && V->hasInit())
        At = value(V->getInit());
  } else if (const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit())) {
    if (B->getOpcode() == BO_Assign && updatedVariable(B) == T.Index)
      At = value(B->getRHS());
  }
  if (!T.Index || !At)
    return std::nullopt;
  bool Good = true;
  Known.Own = T.Index;
  while (Good) {
    Known.bind(T.Index, *At);
    auto Goes = value(F->getCond());
    Good = Goes.has_value() && T.Values.size() < MostTrips;
    if (!Good || !*Goes)
      break;
    T.Values.push_back(*At);
    At = next(F->getInc(), *At);
    Good = At.has_value();
  }
  Known.unbind(T.Index);
  Known.Own = nullptr;
  return Good ? std::optional(std::move(T)) : std::nullopt;
}

std::optional<int64_t> TileWork::next(const Expr *Update, int64_t At) {
  Update = Update->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Update))
    return U->isIncrementOp() ? At + 1 : At - 1;
  const auto *B = dyn_cast<BinaryOperator>(Update);
  if (!B)
    return std::nullopt;
  auto Right = value(B->getRHS());
  if (!Right)
    return std::nullopt;
  switch (B->getOpcode()) {
  case BO_Assign:
    return Right;
  case BO_AddAssign:
    return At + *Right;
  case BO_SubAssign:
    return At - *Right;
  case BO_MulAssign:
    return At * *Right;
  case BO_DivAssign:
    return *Right ? std::optional(At / *Right) : std::nullopt;
  case BO_ShlAssign:
    return *Right >= 0 && *Right < 32 ? std::optional(At << *Right)
                                      : std::nullopt;
  case BO_ShrAssign:
    return *Right >= 0 && *Right < 32 ? std::optional(At >> *Right)
                                      : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool TileWork::expr(const Expr *E, Work &Sum) {
  if (auto It = Copies.find(E); It != Copies.end())
    Sum.Bytes += It->second;
  if (isa<PseudoObjectExpr, UnaryExprOrTypeTraitExpr, LambdaExpr>(E))
    return true;
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return walk(D->getExpr(), Sum);
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return walk(C->getCond(), Sum) &&
           either(C->getCond(), C->getTrueExpr(), C->getFalseExpr(), Sum);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    operation(B, Sum);
  for (const Stmt *Child : E->children())
    if (!walk(Child, Sum))
      return false;
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C, Sum);
  return true;
}

void TileWork::operation(const BinaryOperator *B, Work &Sum) const {
  BinaryOperatorKind Op =
      B->isCompoundAssignmentOp()
          ? BinaryOperator::getOpForCompoundAssignment(B->getOpcode())
          : B->getOpcode();
  bool Arithmetic = BinaryOperator::isMultiplicativeOp(Op) ||
                    BinaryOperator::isAdditiveOp(Op) ||
                    BinaryOperator::isBitwiseOp(Op) ||
                    BinaryOperator::isShiftOp(Op);
  if (Arithmetic && !B->getType()->isPointerType() &&
      (Data.isData(B->getLHS()) || Data.isData(B->getRHS())))
    Sum.Operations += 1;
}

bool TileWork::call(const CallExpr *C, Work &Sum) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F)
    return false;
  const FunctionDecl *Body = nullptr;
  bool System = Context.getSourceManager().isInSystemHeader(F->getLocation());
  if (System || !F->hasBody(Body) || F->isDefaulted()) {
    Sum.Operations += operationsOfCall(F);
    return true;
  }
  if (Calls == MostCalls)
    return false;
  const unsigned Skip = argumentsBefore(C);
  llvm::SmallVector<const ParmVarDecl *, 8> Given;
  for (unsigned I = Skip; I < C->getNumArgs(); ++I) {
    if (I - Skip >= Body->getNumParams())
      break;
    const ParmVarDecl *P = Body->getParamDecl(I - Skip);
    if (!P->getType()->isIntegralOrEnumerationType() || !Known.unchanged(P))
      continue;
    // Not through value(): an open argument matters only if it is asked for.
    Known.bind(P, Known.evaluate(C->getArg(I)));
    Given.push_back(P);
  }
  ++Calls;
  bool Counted = walk(Body->getBody(), Sum);
  --Calls;
  for (const ParmVarDecl *P : Given)
    Known.unbind(P);
  return Counted;
}
} // namespace kpipe
