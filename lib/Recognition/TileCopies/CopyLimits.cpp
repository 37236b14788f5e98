// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops that an array's size limits, see CopyLimits.h. The loop's own
// condition is asked for each part, so that it has to give the same as long as
// the loop runs; and parts behind the last element are left out, so that the
// loop must do nothing but store elements.

#include "CopyLimits.h"
#include "Code/Values.h"
#include "CopyLoops.h"
#include "CopySpans.h"
#include "HelperCalls.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The index of a loop stays below this wherever an element is stored.
struct Limit {
  uint64_t Below = 0; ///< 0: nothing is known
  /// What it is spelled with, multiplied, by Width.
  llvm::SmallVector<const Expr *, 2> Sizes;
  unsigned Width = 1;
};

/// The extent of an array variable's dimension as its declaration spells it;
/// null where it is spelled elsewhere.
const Expr *spelledExtent(const Expr *Array, unsigned Dimension) {
  const VarDecl *V = mentionedVariable(Array);
  if (!V || !V->getTypeSourceInfo())
    return nullptr;
  TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();
  for (;; --Dimension) {
    auto A = T.getAs<ArrayTypeLoc>();
    if (!A || !Dimension)
      return A ? A.getSizeExpr() : nullptr;
    T = A.getElementLoc();
  }
}

/// Does adding E leave room for sums of unsigned numbers? Variables of signed
/// types are taken to be in the range of one; those of unsigned types may be
/// meant as what is below zero.
bool isSmall(const Expr *E, const Scope &In) {
  if (auto Value = Values(In.context()).evaluate(E))
    return *Value <= llvm::maxIntN(31);
  return isa<PseudoObjectExpr>(E->IgnoreParenImpCasts()) ||
         !E->IgnoreParenImpCasts()->getType()->isUnsignedIntegerType();
}

/// What an index says of the loop's variable I when it is below Extent.
Limit below(const Expr *Index, Limit Extent, const VarDecl *I,
            const Scope &In) {
  if (mentionedVariable(Index) == I)
    return Extent;
  const auto *B = dyn_cast<BinaryOperator>(Index->IgnoreParenImpCasts());
  if (!B)
    return {};
  const Expr *L = B->getLHS(), *R = B->getRHS();
  auto By = Values(In.context()).evaluate(R);
  if (B->getOpcode() == BO_Add)
    for (auto [Part, Other] : {std::pair(L, R), std::pair(R, L)})
      if (mentionedVariable(Part) == I && isNeverNegative(Other, In) &&
          isSmall(Other, In))
        return Extent;
  if (mentionedVariable(L) != I || !By || *By <= 0 || *By > llvm::maxIntN(11))
    return {};
  if (B->getOpcode() == BO_Div)
    return {Extent.Below * uint64_t(*By), {}};
  if (B->getOpcode() == BO_Mul)
    return {(Extent.Below + *By - 1) / uint64_t(*By), {}};
  return {};
}

/// The array that a pointer points to the first element of: `xs`, `&xs[0][0]`,
/// or a variable that keeps one of these.
const Expr *wholeArray(const Expr *E, Values &Known) {
  E = E->IgnoreParenImpCasts();
  for (;;) {
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    const auto *A = dyn_cast<ArraySubscriptExpr>(E);
    const auto *U = dyn_cast<UnaryOperator>(E);
    if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
      E = C->getSubExpr();
    else if (V && V->getType()->isPointerType() && V->hasLocalStorage() &&
             !isa<ParmVarDecl>(V) && V->hasInit() && Known.unchanged(V))
      E = V->getInit();
    else if (U && U->getOpcode() == UO_AddrOf)
      E = U->getSubExpr();
    else if (A && Known.evaluate(A->getIdx()) == 0 &&
             A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      E = A->getBase();
    else
      break;
    E = E->IgnoreParenImpCasts();
  }
  return isa<DeclRefExpr>(E) && E->getType()->isConstantArrayType() ? E
                                                                    : nullptr;
}

/// All extents of an array, where all are spelled; Width elements are one.
Limit ofWhole(const Expr *Array, QualType One, const ASTContext &Context) {
  const auto bytes = [&](QualType T) {
    return uint64_t(Context.getTypeSizeInChars(T).getQuantity());
  };
  Limit All;
  All.Below = bytes(Array->getType()) / bytes(One);
  QualType Element = Array->getType();
  for (unsigned I = 0; Element->isArrayType(); ++I) {
    Element = Context.getAsArrayType(Element)->getElementType();
    if (const Expr *Size = spelledExtent(Array, I))
      All.Sizes.push_back(Size);
    else
      return {All.Below, {}};
  }
  All.Width = unsigned(bytes(One) / bytes(Element));
  return bytes(One) % bytes(Element) ? Limit{All.Below, {}} : All;
}

/// What the place of a store says of the loop's variable.
Limit limitOf(const Expr *Dst, const VarDecl *I, const Scope &In) {
  const ASTContext &Context = In.context();
  llvm::SmallVector<const ArraySubscriptExpr *, 3> Steps; // innermost first
  const Expr *At = Dst->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(At)) {
    Steps.push_back(A);
    At = A->getBase()->IgnoreParenImpCasts();
  }
  // `(*xs)[i]` and a row's other name are how people name the elements of all
  // rows.
  Values Known(Context);
  const Expr *Named = wholeArray(At, Known);
  const VarDecl *V = Named ? mentionedVariable(Named) : mentionedVariable(At);
  if (!V || (V->getType()->isReferenceType() && !isa<ParmVarDecl>(V)))
    return {};
  unsigned Dimension = 0;
  for (const ArraySubscriptExpr *A : llvm::reverse(Steps)) {
    const Expr *Base = A->getBase()->IgnoreParenImpCasts();
    if (const auto *Array = Context.getAsConstantArrayType(Base->getType())) {
      uint64_t Extent = Array->getSize().getZExtValue();
      Limit Row{Extent, {}};
      if (const Expr *Size = spelledExtent(At, Dimension))
        Row.Sizes.push_back(Size);
      if (Limit Found = below(A->getIdx(), Row, I, In); Found.Below)
        return Found;
      // `xs[0][i]` is how people name the elements of all rows.
      if (Values(Context).evaluate(A->getIdx()))
        return {};
      ++Dimension;
      continue;
    }
    // `reinterpret_cast<float4 *>(xs)[i]`
    const Expr *Whole = wholeArray(Base, Known);
    if (!Whole || A != Steps.back())
      return {};
    return below(A->getIdx(), ofWhole(Whole, A->getType(), Context), I, In);
  }
  return {};
}

class Limiter {
public:
  explicit Limiter(LoopFacts &Facts) : Facts(Facts) {}

  void run() {
    for (TileCopy &C : Facts.Tile.Copies)
      for (CopyLoop &L : C.Loops)
        if (!L.Trips && L.Bound && L.Index)
          limit(C, L);
  }

private:
  LoopFacts &Facts;

  void limit(const TileCopy &C, CopyLoop &L) const {
    std::optional<Scope> Callee;
    if (C.Helper)
      Callee.emplace(helperScope(C, *Facts.In));
    const Scope &In = Callee ? *Callee : *Facts.In;
    Limit Most = ofAllCopies(C, L, In);
    if (!Most.Below || Most.Below > uint64_t(llvm::maxIntN(24)) || !counts(L) ||
        !keepsBound(L, In) || !onlyStores(L, In) ||
        In.context().getIntWidth(L.Index->getType()) < 32)
      return;
    Values Known(In.context());
    Known.Block = In.block();
    auto Init = Known.evaluate(L.Init);
    if (!isNeverNegative(L.Init, In))
      return;
    auto Step = L.Step ? Known.evaluate(L.Step) : std::optional<int64_t>(1);
    L.BlockAxes = Known.AskedForBlock;
    if (!Step || *Step <= 0 || *Step > llvm::maxIntN(20)) {
      // The size of the blocks may be all that is missing.
      Known.Block = Extent3{32, 8, 1};
      if (In.block() || Known.evaluate(L.Step).value_or(0) <= 0)
        L.BlockAxes = 0;
      return;
    }
    const uint64_t From = Init.value_or(0);
    L.Block = In.block().value_or(L.Block);
    if (!In.block())
      L.BlockAxes = 0;
    L.Limit = Most.Below;
    L.LimitSizes = Most.Sizes;
    L.LimitWidth = Most.Width;
    L.ConstantInit = Init.has_value();
    L.ConstantInitIsZero = Init == 0;
    L.Partly = CopyLoop::Partial::Any;
    L.Trips =
        From < L.Limit ? (L.Limit - From + *Step - 1) / uint64_t(*Step) : 1;
  }

  /// Where each store of the loop has a limit, the highest of them.
  Limit ofAllCopies(const TileCopy &C, const CopyLoop &L,
                    const Scope &In) const {
    const bool OfTemplate =
        (C.Helper ? C.Helper : Facts.Tile.Function)->isTemplateInstantiation();
    Limit Most;
    for (const TileCopy &Other : Facts.Tile.Copies) {
      // A helper stores in terms of what it is given.
      if (Other.HelperCall != C.HelperCall && Other.HelperCall &&
          holds(L.For, Other.HelperCall))
        return {};
      if (Other.HelperCall != C.HelperCall ||
          llvm::none_of(Other.Loops,
                        [&](const CopyLoop &M) { return M.For == L.For; }))
        continue;
      Limit Found = limitOf(Other.Dst, L.Index, In);
      // In the next instantiation another one may be the highest.
      if (!Found.Below ||
          (OfTemplate && (Found.Sizes.empty() ||
                          (Most.Below && (Most.Sizes != Found.Sizes ||
                                          Most.Width != Found.Width)))))
        return {};
      if (Found.Below > Most.Below)
        Most = Found;
    }
    return Most;
  }

  static bool holds(const Stmt *S, const Stmt *Inner) {
    return S &&
           (S == Inner || llvm::any_of(S->children(), [&](const Stmt *Child) {
              return holds(Child, Inner);
            }));
  }

  /// Once the condition fails it fails for all higher values.
  static bool counts(const CopyLoop &L) {
    const auto *B =
        dyn_cast<BinaryOperator>(L.For->getCond()->IgnoreParenImpCasts());
    return B && (B->getOpcode() == BO_LT || B->getOpcode() == BO_LE) &&
           mentionedVariable(B->getLHS()) == L.Index &&
           !mentions(B->getRHS(), L.Index);
  }

  static bool mentions(const Stmt *S, const VarDecl *V) {
    const auto *D = dyn_cast_or_null<DeclRefExpr>(S);
    return (D && D->getDecl() == V) ||
           (S && llvm::any_of(S->children(), [&](const Stmt *Child) {
              return mentions(Child, V);
            }));
  }

  static bool keepsBound(const CopyLoop &L, const Scope &In) {
    Effects Asked = effectsOf(L.For->getCond(), In),
            Step = effectsOf(L.For->getInc(), In),
            Changed = effectsOf(L.For->getBody(), In);
    return Asked.isPure() && Asked.Writes.empty() &&
           llvm::all_of(Asked.Memory,
                        [&](const MemoryAccess &A) { // `constexpr int C`
                          return !A.Write && A.Root.Var &&
                                 A.Root.Var->isUsableInConstantExpressions(
                                     In.context());
                        }) &&
           llvm::all_of(Step.Writes,
                        [&](const VarDecl *V) { return V == L.Index; }) &&
           llvm::none_of(Asked.Reads, [&](const VarDecl *V) {
             return Changed.Writes.count(V) || V->getType()->isReferenceType();
           });
  }

  /// Beside copies the loop changes nothing but variables of its own.
  static bool onlyStores(const CopyLoop &L, const Scope &In) {
    Effects Body = effectsOf(L.For->getBody(), In);
    return Body.Events.empty() &&
           llvm::all_of(Body.Writes,
                        [&](const VarDecl *V) {
                          return V == L.Index || Body.Declared.count(V) ||
                                 V->hasAttr<CUDASharedAttr>();
                        }) &&
           llvm::all_of(Body.Memory, [](const MemoryAccess &A) {
             return !A.Write || A.Root.Where == Space::Shared;
           });
  }
};

/// The first variable of an expression that has no constant value.
const VarDecl *firstUnknown(const Expr *E, const ASTContext &Context) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    Values Known;
    const VarDecl *Found = nullptr;
    explicit Finder(const ASTContext &Context) : Known(Context) {}
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
          V && V->hasLocalStorage() && !Known.evaluate(D))
        Found = V;
      return !Found;
    }
  } F(Context);
  if (E)
    F.TraverseStmt(E);
  return F.Found;
}

} // namespace

void limitCopyLoops(LoopFacts &Facts) {
  countCopySpans(Facts);
  Limiter(Facts).run();
}

Message whyNotCounted(const CopyLoop &L, const ASTContext &Context) {
  if (L.BlockAxes)
    return msg::copy_count_of_block;
  if (L.Bound)
    for (const Expr *E : {L.Bound, L.Step})
      if (const VarDecl *V = firstUnknown(E, Context))
        return {msg::copy_count_of_variable, quoted(V)};
  return msg::copy_count_varies;
}

} // namespace kpipe
