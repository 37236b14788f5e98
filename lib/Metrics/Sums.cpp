// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every sum of the tile loop's body has at most one product to be fused with,
// written in the sum itself; and that product is computed for nothing else: it
// is another one in each turn and in each place. See Sums.h.
#include "Sums.h"
#include "KeptProducts.h"
#include "ProductReads.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Each is compared with each.
constexpr size_t MostProducts = 256;

class SumRules {
public:
  explicit SumRules(const LoopFacts &Facts)
      : Facts(Facts), Code(findFloatCode(Facts)), Kept(Code),
        Reads(Facts, Code) {}

  SumsVerdict run() {
    const TileLoop &Tile = Facts.Tile;
    if (!Tile.Function->hasAttr<CUDAGlobalAttr>())
      return {{msg::floats_in_function}, Tile.Function->getLocation()};
    if (!Code.NotFollowed.empty())
      return {Code.NotFollowed, Code.Where};
    for (const StagedBuffer &B : Tile.Buffers)
      if (!B.MentionsAfter.empty() || B.KeepsContents)
        return {{msg::floats_used_behind},
                B.KeepsContents ? B.Var->getLocation()
                                : B.MentionsAfter.front()->getLocation()};
    for (const FloatSum &S : Code.Sums)
      if (!sum(S))
        return Verdict;
    for (const FloatProduct &P : Code.Products)
      if (P.At.InBody && !product(P))
        return Verdict;
    compare();
    return Verdict;
  }

private:
  const LoopFacts &Facts;
  const FloatCode Code;
  const KeptProducts Kept;
  ProductReads Reads;
  SumsVerdict Verdict;
  llvm::SmallPtrSet<const BinaryOperator *, 16> Added;

  bool fails(const Expr *E, Message Why) {
    Verdict = {std::move(Why), E->getExprLoc()};
    return false;
  }

  bool sum(const FloatSum &S) {
    const Expr *Parts[] = {S.E->getLHS(), S.E->getRHS()};
    const BinaryOperator *Only = nullptr;
    for (const Expr *Part : Parts) {
      const BinaryOperator *P = writtenProduct(Part);
      if (!P && Kept.mayBe(Part))
        return fails(S.E, {msg::sum_of_kept_product});
      // Behind the loop, as before it, both stand in one expression still.
      if (!P || !S.At.InBody)
        continue;
      if (Only)
        return fails(S.E, {msg::sum_of_two_products});
      Only = P;
      Added.insert(P);
    }
    if (!Only)
      return true;
    // c - 0 is c.
    if (S.Subtracts && writtenProduct(Parts[0]))
      return fails(S.E, {msg::product_left_of_minus});
    return S.At.Certain || fails(S.E, {msg::product_in_branch});
  }

  /// 2 * x is x + x: of a product that is a sum as well.
  bool product(const FloatProduct &P) {
    const Expr *Left = P.E->getLHS(), *Right = P.E->getRHS();
    const bool Known[] = {!Reads.isUnknown(Left), !Reads.isUnknown(Right)};
    if (Added.count(P.E) && (Known[0] || Known[1]))
      return fails(P.E, {msg::product_of_known_number});
    auto isProduct = [&](const Expr *E) {
      return writtenProduct(E) || Kept.mayBe(E);
    };
    return !((Known[0] && isProduct(Right)) || (Known[1] && isProduct(Left))) ||
           fails(P.E, {msg::product_of_product});
  }

  /// A product that is computed once for several sums, or in front of a loop,
  /// may be fused with some of them or none.
  void compare() {
    llvm::SmallVector<std::pair<const FloatProduct *, ValueOfElements>, 16> All;
    for (const FloatProduct &P : Code.Products) {
      if (!P.At.InBody)
        continue;
      std::optional<ValueOfElements> Value = Reads.of(P);
      if (!Value) {
        fails(P.E, {msg::product_in_other_loop});
        return;
      }
      if (Added.count(P.E) &&
          (!readsShared(*Value) || !readsOthersEachTurn(*Value))) {
        fails(P.E, {msg::product_repeats});
        return;
      }
      All.push_back({&P, std::move(*Value)});
    }
    if (Added.size() && All.size() > MostProducts) {
      fails(All.front().first->E, {msg::too_many_products, MostProducts});
      return;
    }
    const SourceManager &SM = Facts.In->context().getSourceManager();
    for (size_t I = 0; I != All.size(); ++I)
      for (size_t J = 0; J != I; ++J)
        if ((Added.count(All[I].first->E) || Added.count(All[J].first->E)) &&
            !readOtherElements(All[I].second, All[J].second)) {
          fails(All[I].first->E,
                {msg::products_alike, SM.getExpansionLineNumber(
                                          All[J].first->E->getExprLoc())});
          return;
        }
  }

  /// What is staged is another tile in the next turn.
  bool readsShared(const ValueOfElements &Value) const {
    return llvm::any_of(Value.Reads, [&](const ElementRead &R) {
      return llvm::any_of(Facts.Tile.Buffers, [&](const StagedBuffer &B) {
        return B.Var == R.Array;
      });
    });
  }
};

} // namespace

SumsVerdict unrollingKeepsSums(const LoopFacts &Facts) {
  return SumRules(Facts).run();
}

} // namespace kpipe
