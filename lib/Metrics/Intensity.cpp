// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the work of one tile by walking the statements of load and compute
// for one thread after the other, see Intensity.h. Where no condition and no
// trip count asks for the thread, one walk stands for all.

#include "Intensity.h"
#include "Code/AstUtils.h"
#include "Code/Values.h"
#include "DataFlow.h"
#include "Operations.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace kpipe {

namespace {

/// What is counted in one walk, for one thread.
struct Work {
  double Operations = 0;
  double Bytes = 0;

  void add(const Work &W, double Times = 1) {
    Operations += W.Operations * Times;
    Bytes += W.Bytes * Times;
  }
  bool operator==(const Work &W) const {
    return Operations == W.Operations && Bytes == W.Bytes;
  }
};

/// Values that a counted loop's variable takes.
struct Trips {
  const VarDecl *Index = nullptr;
  llvm::SmallVector<int64_t, 16> Values;
};

/// More iterations of one loop, or statements in all, are not counted.
constexpr unsigned MostTrips = 1u << 14;
constexpr unsigned MostSteps = 1u << 20;
constexpr unsigned MostCalls = 16;

class Walker {
public:
  Walker(const ASTContext &Context, const DataFlow &Data,
         const llvm::DenseMap<const Stmt *, unsigned> &Copies)
      : Context(Context), Data(Data), Copies(Copies), Known(Context) {}

  /// The work of the statements, or nothing if it cannot be told.
  std::optional<Work> count(llvm::ArrayRef<const Stmt *> Items,
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
  bool askedForThread() const { return Known.AskedForThread; }

private:
  const ASTContext &Context;
  const DataFlow &Data;
  const llvm::DenseMap<const Stmt *, unsigned> &Copies;
  Values Known;
  unsigned Calls = 0, Steps = 0;
  /// Work, and trips of loops, that are the same for every thread and every
  /// call.
  llvm::DenseMap<const Stmt *, Work> SameWork;
  llvm::DenseMap<const ForStmt *, Trips> SameTrips;
  /// A condition or header asked for a loop variable whose value is left open.
  bool NeedsIndex = false;

  std::optional<int64_t> value(const Expr *E) {
    Known.AskedForUnknown = false;
    auto Value = Known.evaluate(E);
    if (!Value)
      NeedsIndex |= Known.AskedForUnknown;
    return Value;
  }

  bool walk(const Stmt *S, Work &Sum) {
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

  bool count(const Stmt *S, Work &Sum) {
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

  bool branch(const IfStmt *I, Work &Sum) {
    if (!walk(I->getInit(), Sum) || !walk(I->getCond(), Sum))
      return false;
    return either(I->getCond(), I->getThen(), I->getElse(), Sum);
  }

  /// One of two, the larger one if the condition depends on more than is
  /// known: a full tile is what is asked about.
  bool either(const Expr *Cond, const Stmt *Then, const Stmt *Else,
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

  /// Would the condition have a value if the thread were known?
  bool onlyThread(const Expr *Cond) {
    Known.Thread = Extent3{0, 0, 0};
    bool Has = Known.evaluate(Cond).has_value();
    Known.Thread.reset();
    return Has;
  }

  bool loop(const ForStmt *F, Work &Sum) {
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

  /// Runs Find and tells whether what it found holds everywhere.
  template <typename T> bool holdsEverywhere(T Find) {
    bool Thread = Known.AskedForThread, Bound = Known.AskedForBound;
    Known.AskedForThread = Known.AskedForBound = false;
    bool Found = Find();
    bool Everywhere =
        Found && !Known.AskedForThread && !Known.AskedForBound;
    Known.AskedForThread |= Thread;
    Known.AskedForBound |= Bound;
    return Everywhere;
  }

  std::optional<Trips> trips(const ForStmt *F) {
    if (auto It = SameTrips.find(F); It != SameTrips.end())
      return It->second;
    std::optional<Trips> T;
    if (holdsEverywhere([&] { return (T = findTrips(F)).has_value(); }))
      SameTrips[F] = *T;
    return T;
  }

  std::optional<Trips> findTrips(const ForStmt *F) {
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

  /// The value of a loop variable after its update.
  std::optional<int64_t> next(const Expr *Update, int64_t At) {
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

  bool expr(const Expr *E, Work &Sum) {
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

  void operation(const BinaryOperator *B, Work &Sum) const {
    BinaryOperatorKind Op = B->isCompoundAssignmentOp()
                                ? BinaryOperator::getOpForCompoundAssignment(
                                      B->getOpcode())
                                : B->getOpcode();
    bool Arithmetic = BinaryOperator::isMultiplicativeOp(Op) ||
                      BinaryOperator::isAdditiveOp(Op) ||
                      BinaryOperator::isBitwiseOp(Op) ||
                      BinaryOperator::isShiftOp(Op);
    if (Arithmetic && !B->getType()->isPointerType() &&
        (Data.isData(B->getLHS()) || Data.isData(B->getRHS())))
      Sum.Operations += 1;
  }

  bool call(const CallExpr *C, Work &Sum) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return false;
    const FunctionDecl *Body = nullptr;
    bool System =
        Context.getSourceManager().isInSystemHeader(F->getLocation());
    if (System || !F->hasBody(Body) || F->isDefaulted()) {
      Sum.Operations += operationsOfCall(F);
      return true;
    }
    if (Calls == MostCalls)
      return false;
    unsigned Skip = isa<CXXOperatorCallExpr>(C) && isa<CXXMethodDecl>(F);
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
};

} // namespace

bool usesOtherAxes(const FunctionDecl *F) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
    bool VisitMSPropertyRefExpr(const MSPropertyRefExpr *E) override {
      const Expr *Base = E->getBaseExpr();
      while (const auto *O = dyn_cast<OpaqueValueExpr>(Base))
        Base = O->getSourceExpr();
      if (const auto *D = dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts()))
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          Found |= (V->getName() == "threadIdx" ||
                    V->getName() == "blockDim") &&
                   E->getPropertyDecl()->getName() != "x";
      return true;
    }
    bool VisitCallExpr(const CallExpr *C) override {
      const FunctionDecl *Body = nullptr;
      if (const FunctionDecl *F = C->getDirectCallee();
          F && F->hasBody(Body) && Visited.insert(Body).second)
        TraverseStmt(Body->getBody());
      return true;
    }
  } F_;
  F_.TraverseStmt(F->getBody());
  return F_.Found;
}

std::optional<double> computeLoadRatio(const LoopFacts &Facts,
                                       const BlockSize &Block) {
  const TileLoop &Tile = Facts.Tile;
  llvm::SmallVector<const Stmt *, 16> Load, Compute;
  llvm::DenseMap<const Stmt *, unsigned> Copies;
  DataFlow Data;
  for (const BodyItem &I : Tile.Body) {
    if (I.Barrier)
      continue;
    if (I.InLoad)
      Load.push_back(I.S);
    if (I.InCompute) {
      Compute.push_back(I.S);
      Data.learn(I.S);
    }
  }
  for (const TileCopy &C : Tile.Copies)
    Copies[C.Store] = C.Bytes;

  Walker W(Facts.In->context(), Data, Copies);
  std::optional<Extent3> Extent = Block.Extent;
  if (!Extent && Block.Threads && !usesOtherAxes(Tile.Function))
    Extent = Extent3{*Block.Threads, 1, 1};
  // Work of the whole block, in threads' worth of work.
  auto Sum = [&](llvm::ArrayRef<const Stmt *> Items) -> std::optional<Work> {
    auto Any = W.count(Items, Extent, std::nullopt);
    if (Any && !W.askedForThread())
      return Any;
    if (!Extent)
      return Any;
    Work Block;
    double Threads = double((*Extent)[0]) * (*Extent)[1] * (*Extent)[2];
    for (unsigned Z = 0; Z != (*Extent)[2]; ++Z)
      for (unsigned Y = 0; Y != (*Extent)[1]; ++Y)
        for (unsigned X = 0; X != (*Extent)[0]; ++X) {
          auto One = W.count(Items, Extent, Extent3{X, Y, Z});
          if (!One)
            return std::nullopt;
          Block.add(*One, 1 / Threads);
        }
    return Block;
  };
  auto Loaded = Sum(Load), Computed = Sum(Compute);
  if (!Loaded || !Computed || Loaded->Bytes == 0)
    return std::nullopt;
  return Computed->Operations / Loaded->Bytes;
}

} // namespace kpipe
