// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers of a kernel from its text, see RegisterUse.h.
#include "RegisterUse.h"
#include "Code/AstUtils.h"
#include "Code/Values.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>

using namespace clang;

namespace kpipe {

namespace {

// The numbers are those with the least median error for the kernels of
// test/bench/registers.py, nvcc 13.0.88 for sm_86; docs/notes/registers.md
// has the distribution.

/// Addresses, counters, scalar variables and loads on their way: ptxas takes as
/// many whatever a kernel has of them, since it hoists loads until about so
/// many registers are in use.
constexpr double BaseRegisters = 40;

/// Of the values that do not change from tile to tile, the part that stays in
/// registers. From 5/8 to 2/3 the error is the same; the most promises fewest
/// blocks that are not there.
constexpr double InvariantShare = 2.0 / 3;

/// nvcc unrolls a counted loop completely as long as that makes no more
/// instructions than this.
constexpr double MostUnrolled = 320;

/// Statements that are read, so that calls in calls come to an end.
constexpr unsigned MostSteps = 1u << 16;

/// Of statements, with what they call and all iterations of counted loops.
struct Piece {
  double Loads = 0, Operations = 0;
  /// Conversions of what is made of thread indices and counters alone.
  double Invariants = 0;

  double size() const { return Loads + Operations + Invariants; }
  void add(const Piece &P, double Times = 1) {
    Loads += P.Loads * Times;
    Operations += P.Operations * Times;
    Invariants += P.Invariants * Times;
  }
};

class Reader {
public:
  explicit Reader(const ASTContext &Context)
      : Context(Context), Known(Context) {}

  RegisterUse read(const FunctionDecl *Kernel) {
    Stack.insert(Kernel);
    walk(Kernel->getBody());
    RegisterUse Use;
    Use.Live = static_cast<unsigned>(MostLive);
    Use.Arrays = static_cast<unsigned>(MostArrays);
    Use.Likely = static_cast<unsigned>(std::min(
        BaseRegisters + MostArrays + InvariantShare * MostInvariants, 65536.0));
    return Use;
  }

private:
  /// Registers of variables in scope.
  struct Scope {
    uint64_t Live = 0, Arrays = 0;
  };

  const ASTContext &Context;
  Values Known;
  Scope Now;
  uint64_t MostLive = 0, MostArrays = 0;
  double MostInvariants = 0;
  unsigned CountedLoops = 0, Steps = 0;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Stack;

  Piece walk(const Stmt *S) {
    // What sizeof, threadIdx and closures hold is not evaluated here.
    if (!S || ++Steps > MostSteps ||
        isa<PseudoObjectExpr, UnaryExprOrTypeTraitExpr, LambdaExpr>(S))
      return {};
    if (const auto *F = dyn_cast<ForStmt>(S))
      return counted(F);
    if (isa<WhileStmt, DoStmt, CXXForRangeStmt>(S))
      return open(S);
    if (isa<CompoundStmt>(S))
      return inScope([&] { return children(S); });
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          declare(V);
    Piece P = children(S);
    if (const auto *E = dyn_cast<Expr>(S))
      count(E, P);
    return P;
  }

  Piece children(const Stmt *S) {
    Piece P;
    for (const Stmt *Child : S->children())
      P.add(walk(Child));
    return P;
  }

  template <typename T> Piece inScope(T Walk) {
    const Scope Outer = Now;
    Piece P = Walk();
    Now = Outer;
    return P;
  }

  /// Adds what E itself does; P has what its operands do.
  void count(const Expr *E, Piece &P) {
    if (isMemory(E)) {
      // Offsets of an unrolled loop are constants.
      P.Operations = 0;
      P.Loads += 1;
    } else if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      P.Operations += B->isCompoundAssignmentOp() || B->isMultiplicativeOp() ||
                      B->isAdditiveOp();
    } else if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() == CK_IntegralToFloating)
        (CountedLoops && P.Loads == 0 &&
                 !constantValue(C->getSubExpr(), Context)
             ? P.Invariants
             : P.Operations) += 1;
    } else if (const auto *C = dyn_cast<CallExpr>(E)) {
      P.add(callee(C));
    }
  }

  Piece callee(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
    if (!F || !F->hasBody(Definition) || !Stack.insert(Definition).second)
      return {};
    Piece P = walk(Definition->getBody());
    Stack.erase(Definition);
    return P;
  }

  void declare(const VarDecl *V) {
    QualType Type = V->getType();
    if (!V->hasLocalStorage() || V->hasAttr<CUDASharedAttr>() ||
        Type->isReferenceType() || !hasSize(Type) || V->isConstexpr())
      return;
    // Constants take no register.
    if (Type.isConstQualified() && constantValue(V->getInit(), Context))
      return;
    // A closure is inlined.
    const auto *Record = Type->getAsCXXRecordDecl();
    if (Record && Record->isLambda())
      return;
    uint64_t Registers =
        (Context.getTypeSizeInChars(Type).getQuantity() + 3) / 4;
    Now.Live += Registers;
    if (Record || Type->isArrayType())
      Now.Arrays += Registers;
    MostLive = std::min<uint64_t>(std::max(MostLive, Now.Live), 1u << 16);
    MostArrays = std::min<uint64_t>(std::max(MostArrays, Now.Arrays), 1u << 16);
  }

  /// An element of shared or global memory, rather than of an array of the
  /// thread's own.
  bool isMemory(const Expr *E) const {
    const auto *U = dyn_cast<UnaryOperator>(E);
    if (!isa<ArraySubscriptExpr>(E) && !(U && U->getOpcode() == UO_Deref))
      return false;
    if (E->getType()->isArrayType() || E->getType()->isFunctionType())
      return false;
    const Expr *Base = E;
    while (const auto *A = dyn_cast<ArraySubscriptExpr>(Base))
      Base = A->getBase()->IgnoreParenImpCasts();
    const auto *D = dyn_cast<DeclRefExpr>(Base);
    return !D || !D->getType()->isArrayType() ||
           D->getDecl()->hasAttr<CUDASharedAttr>();
  }

  /// Iterations of a loop from constant to constant; one that begins at the
  /// thread's index counts as if it began at 0.
  std::optional<double> trips(const ForStmt *F) {
    const VarDecl *Index = F->getInc() ? updatedVariable(F->getInc()) : nullptr;
    const auto *Cond = dyn_cast_or_null<BinaryOperator>(
        F->getCond() ? F->getCond()->IgnoreParenImpCasts() : nullptr);
    if (!Index || !Cond)
      return std::nullopt;
    auto To = Known.evaluate(Cond->getRHS());
    std::optional<int64_t> From, Step = 1;
    if (Index->hasInit() && isa_and_nonnull<DeclStmt>(F->getInit()))
      From = Known.evaluate(Index->getInit());
    if (const auto *B = dyn_cast<BinaryOperator>(F->getInc()->IgnoreParens()))
      Step = B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign
                 ? Known.evaluate(B->getRHS())
                 : std::nullopt;
    if (!To || !Step || *Step == 0)
      return std::nullopt;
    return std::abs(double(*To) - double(From.value_or(0))) /
           std::abs(double(*Step));
  }

  Piece counted(const ForStmt *F) {
    std::optional<double> Trips = trips(F);
    if (!Trips)
      return open(F);
    ++CountedLoops;
    Piece Once = inScope([&] { return walk(F->getBody()); });
    --CountedLoops;
    Piece P;
    if (Once.size() * *Trips <= MostUnrolled) {
      P.add(Once, *Trips);
      return P;
    }
    // What is left of the loop computes its values anew.
    Once.Invariants = 0;
    P.add(Once);
    return P;
  }

  /// A loop that runs as often as some variable says: the loop over tiles, or
  /// one in or around it. What does not change in it stays in registers.
  Piece open(const Stmt *Loop) {
    Piece P = inScope([&] { return children(Loop); });
    MostInvariants = std::max(MostInvariants, P.Invariants);
    return {};
  }
};

} // namespace

RegisterUse registerUse(const FunctionDecl *Kernel, const ASTContext &Context) {
  return Reader(Context).read(Kernel);
}

} // namespace kpipe
