// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each axis of the block is a number or one variable, which is what the axis is
// in every block that runs. With these variables bound, the bytes are a number.
// A variable that changes counts only where both name it in the launch itself.
#include "BytesByBlock.h"
#include "Code/Dim3.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

namespace {

/// Threads of a block, at most, and per axis.
constexpr unsigned MostThreads = 1024;
constexpr std::array<unsigned, 3> MostOnAxis{1024, 1024, 64};
/// More variables than these are not counted through.
constexpr unsigned MostVariables = 2;

class Counter {
public:
  Counter(Values &Known, const ASTContext &Context)
      : Known(Known), Context(Context) {}

  std::vector<BlockBytes> run(const Expr *Block, const Expr *Bytes,
                              const Expr *Launch) {
    if (!findAxes(Block) || Variables.empty() ||
        Variables.size() > MostVariables ||
        (Changing && (namesAnother(Bytes) || changes(Launch))) ||
        !count(Bytes, 0))
      return {};
    llvm::sort(Found);
    Found.erase(llvm::unique(Found), Found.end());
    return std::move(Found);
  }

private:
  /// What a block has on an axis: a number, or the value of a variable.
  struct Axis {
    unsigned Number = 1;
    const VarDecl *Variable = nullptr;
  };
  Values &Known;
  const ASTContext &Context;
  std::array<Axis, 3> Axes;
  llvm::SmallVector<const VarDecl *, 2> Variables;
  std::vector<BlockBytes> Found;
  /// A variable holds another value at other times.
  bool Changing = false;
  /// What is looked at is evaluated before the launch.
  bool Before = false;

  /// Does the launch name a variable of whose value another one was made,
  /// maybe?
  bool namesAnother(const Stmt *S) {
    const auto *D = dyn_cast_or_null<DeclRefExpr>(S);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (V && !llvm::is_contained(Variables, V) && !Known.evaluate(D))
      return true;
    return S && llvm::any_of(S->children(), [&](const Stmt *Kid) {
             return namesAnother(Kid);
           });
  }

  /// `std::min(n, 256)`, and not `std::exchange(n, 256)`.
  static bool onlyReads(const FunctionDecl *F) {
    if (F == F->getASTContext().getcudaConfigureCallDecl())
      return true; // `<<< >>>` itself, which is handed a stream
    return (isToolkits(F) || F->isInStdNamespace()) &&
           llvm::none_of(F->parameters(), [](const ParmVarDecl *P) {
             const QualType T = P->getType();
             return T->isPointerType() ||
                    (T->isReferenceType() &&
                     !T->getPointeeType().isConstQualified());
           });
  }

  /// May one argument change what another one names? They are evaluated in any
  /// order.
  bool changes(const Stmt *S) {
    const auto *U = dyn_cast_or_null<UnaryOperator>(S);
    const auto *B = dyn_cast_or_null<BinaryOperator>(S);
    const auto *C = dyn_cast_or_null<CallExpr>(S);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
    return S &&
           ((U && U->isIncrementDecrementOp()) || (B && B->isAssignmentOp()) ||
            isa<LambdaExpr>(S) || (C && !(F && onlyReads(F))) ||
            llvm::any_of(S->children(),
                         [&](const Stmt *Kid) { return changes(Kid); }));
  }

  /// Without what only makes another object of the same value.
  static const Expr *plain(const Expr *E) {
    for (;;) {
      const Expr *Before = E;
      E = evaluated(E);
      if (const auto *C = dyn_cast<CastExpr>(E); C && isDim3(C->getType()))
        E = C->getSubExpr();
      else if (const auto *C = dyn_cast<CXXConstructExpr>(E);
               C && C->getNumArgs() == 1 &&
               C->getConstructor()->isCopyOrMoveConstructor())
        E = C->getArg(0);
      if (E == Before)
        return E;
    }
  }

  bool findAxes(const Expr *Block) {
    if (Block->isValueDependent() || Block->containsErrors())
      return false;
    const Expr *E = plain(Block);
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (!V || isa<ParmVarDecl>(V) || !V->hasInit() ||
          V->getType()->isReferenceType() || !Known.unchanged(V) ||
          V->getInit()->containsErrors())
        return false;
      E = plain(V->getInit());
      Before = true;
    }
    llvm::ArrayRef<const Expr *> Parts;
    if (const auto *C = dyn_cast<CXXConstructExpr>(E))
      Parts = {C->getArgs(), C->getNumArgs()};
    else if (const auto *L = dyn_cast<InitListExpr>(E))
      Parts = {L->getInits(), L->getNumInits()};
    else
      return false;
    if (!isDim3(E->getType()) || Parts.size() > Axes.size())
      return false;
    for (auto [A, Part] : llvm::zip(Axes, Parts))
      if (!findAxis(A, Part))
        return false;
    return true;
  }

  bool findAxis(Axis &A, const Expr *E) {
    if (auto Value = Known.evaluate(E)) {
      A.Number = static_cast<unsigned>(*Value);
      return *Value > 0 && *Value <= MostThreads;
    }
    A.Variable = variableIn(E);
    if (A.Variable && !llvm::is_contained(Variables, A.Variable))
      Variables.push_back(A.Variable);
    return A.Variable;
  }

  /// The variable whose value E is, whatever that is: made narrower nowhere, so
  /// of 32 bits or less. (What is negative is no block that runs.)
  const VarDecl *variableIn(const Expr *E, unsigned Depth = 0) {
    constexpr unsigned MostDepth = 8;
    if (!E->getType()->isIntegerType() || E->containsErrors() ||
        Depth == MostDepth)
      return nullptr;
    E = plain(E);
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      const QualType From = C->getSubExpr()->getType();
      const bool Same =
          C->getCastKind() == CK_LValueToRValue ||
          C->getCastKind() == CK_NoOp ||
          (C->getCastKind() == CK_IntegralCast && From->isIntegerType() &&
           Context.getIntWidth(From) <= Context.getIntWidth(C->getType()));
      return Same ? variableIn(C->getSubExpr(), Depth + 1) : nullptr;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V || V->getType().isVolatileQualified() ||
        V->getType()->isReferenceType() || !V->getType()->isIntegerType())
      return nullptr;
    if (!Known.unchanged(V)) {
      Changing = true;
      return Before ? nullptr : V;
    }
    // `int n = threads;` is that variable under another name.
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        !V->getInit()->containsErrors() &&
        Context.hasSameUnqualifiedType(V->getInit()->getType(), V->getType())) {
      llvm::SaveAndRestore Earlier(Before, true), Was(Changing, Changing);
      if (const VarDecl *From = variableIn(V->getInit(), Depth + 1))
        return From;
    }
    return V;
  }

  unsigned threads() {
    uint64_t All = 1;
    for (auto [A, Most] : llvm::zip_equal(Axes, MostOnAxis)) {
      const uint64_t Own = A.Variable ? Bound.lookup(A.Variable) : A.Number;
      if (Own > Most)
        return 0;
      All *= Own;
    }
    return All <= MostThreads ? static_cast<unsigned>(All) : 0;
  }

  llvm::DenseMap<const VarDecl *, unsigned> Bound;

  /// Goes through the variables from the one of that number on.
  bool count(const Expr *Bytes, unsigned Number) {
    if (Number == Variables.size()) {
      const unsigned Threads = threads();
      if (!Threads)
        return true;
      auto Value = Known.evaluate(Bytes);
      if (Value && *Value >= 0)
        Found.push_back({Threads, static_cast<uint64_t>(*Value)});
      return Value && *Value >= 0;
    }
    const VarDecl *V = Variables[Number];
    bool Told = true;
    for (unsigned I = 1; Told && I <= MostThreads; ++I) {
      Bound[V] = I;
      // Once it is too large for the axes that are set, it stays so.
      if (Number + 1 == Variables.size() && !threads())
        break;
      Known.bind(V, I);
      Told = count(Bytes, Number + 1);
    }
    Known.unbind(V);
    return Told;
  }
};

} // namespace

std::vector<BlockBytes> bytesByBlock(const Expr *Block, const Expr *Bytes,
                                     const Expr *Launch, Values &Known,
                                     const ASTContext &Context) {
  return Counter(Known, Context).run(Block, Bytes, Launch);
}

} // namespace kpipe
