// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store's condition is written as `base + subscript < bound`, where base and
// bound are the same for the whole tile and all threads: it says of each
// element whether it is stored. Around each read there must be a condition that
// says as much of the element that is read. See PartialTiles.h.
#include "PartialTiles.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Sugar.h"
#include "Code/Variance.h"
#include "ElementReads.h"
#include "Recognition/Sums/ExpressionSums.h"
#include "Recognition/Sums/PathConditions.h"
#include "Recognition/Sums/PlacesInRows.h"
#include "Recognition/Sums/RowsOfPlaces.h"
#include "Recognition/Sums/SteadySums.h"
#include "Recognition/TileCopies/StoredEitherWay.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace clang;

namespace kpipe {

namespace {

/// A condition of a store: Base + the subscript < Bound, for all of a tile.
/// Where a row of elements has one condition, the row counts.
struct StoreBound {
  unsigned Dimension;
  int64_t RowLength;
  Sum Base, Bound;
  const BinaryOperator *Test;
  /// Bound is a number that nothing wraps around in; the whole test is.
  bool BoundIsExact, Exact;
};

bool anyJump(const Stmt *S) {
  return S && (isJump(S) || llvm::any_of(S->children(), anyJump));
}

class PartialTile {
public:
  PartialTile(const LoopFacts &Facts, const StagedBuffer &B,
              const VarSet &Variant)
      : Facts(Facts), B(B), Variant(Variant), Sums(Facts),
        Rows(Facts, Sums, B.Var->getType()) {}

  bool run() {
    // Of dynamic shared memory that is one array, and has no other name.
    const bool Whole =
        !B.Block || (B.Var->getType()->isIncompleteArrayType() && !B.GivenOut);
    if (!Whole || isa<ParmVarDecl>(B.Var) || !B.Views.empty() ||
        !B.MentionsAfter.empty() || B.KeepsContents ||
        !B.CopiedMentions.empty() || Facts.Tile.Kind != LoopKind::For ||
        hasLabel(Facts.Tile.Function->getBody()))
      return false;
    for (const TileCopy &C : Facts.Tile.Copies)
      if (Facts.Tile.Buffers[C.Buffer].Var == B.Var && !takesBounds(C))
        return false;
    return !Bounds.empty() && readsAreBounded();
  }

private:
  const LoopFacts &Facts;
  const StagedBuffer &B;
  const VarSet &Variant;
  SteadySums Sums;
  PlacesInRows Rows;
  std::vector<StoreBound> Bounds;
  llvm::SmallPtrSet<const Expr *, 4> Places; ///< that copies store to

  const BodyItem *itemOf(const Stmt *S) const {
    for (const BodyItem &I : Facts.Tile.Body)
      if (!pathTo(S, I.S).empty())
        return &I;
    return nullptr;
  }

  /// The conditions of a store that differ from tile to tile, as bounds.
  bool takesBounds(const TileCopy &C) {
    const BodyItem *Item = C.Helper ? nullptr : itemOf(C.Store);
    const Subscripts Place = C.Dst ? subscriptsOf(C.Dst, B.Var) : Subscripts();
    if (!Item || Place.empty() || anyJump(Item->S))
      return false;
    Places.insert(C.Dst->IgnoreParens());
    if (C.FillStore) {
      const auto *Fill = dyn_cast<BinaryOperator>(C.FillStore);
      if (!Fill)
        return false;
      Places.insert(Fill->getLHS()->IgnoreParens());
    }
    const Surrounding Around = surroundingOf(C.Store, Item->S);
    const auto All = conditionsOf(C.Store, Item->S, C.IfElse);
    const auto Idle =
        idleConditions(Facts.Tile, C, bodyOf(Facts.Tile.Loop), *Facts.In);
    if (!All || !Around.Known || !Rows.takesStore(Place, Around) ||
        !comesAgain(C, Around))
      return false;
    for (const Expr *E : *All) {
      const bool Step = llvm::any_of(Around.Loops, [&](const ForStmt *F) {
        return F->getInc() == E && Sums.countsUp(F);
      });
      if (Step || Idle.count(E) || !varies(E, Variant, *Facts.In))
        continue;
      auto Met = llvm::find_if(
          Around.Conditions, [&](const Condition &X) { return X.Whole == E; });
      if (Met == Around.Conditions.end() ||
          !takesCondition(*Met, Place, Around))
        return false;
    }
    return true;
  }

  /// Does a tile store the places of another one, but for what bounds leave
  /// out? What differs in them is a loop's variable at most, because the loop's
  /// end does, which has to be a bound as well.
  bool comesAgain(const TileCopy &C, const Surrounding &Around) {
    if (!placeVaries(C.Dst, Variant, *Facts.In))
      return true;
    VarSet Others = Variant;
    for (const ForStmt *F : Around.Loops) {
      const VarDecl *V = Sums.countsUp(F);
      const Expr *First = V ? Sums.firstValue(F, V) : nullptr;
      if (First && !varies(First, Others, *Facts.In))
        Others.erase(V);
    }
    return !placeVaries(C.Dst, Others, *Facts.In);
  }

  bool takesCondition(const Condition &Whole, const Subscripts &Place,
                      const Surrounding &Around) {
    llvm::SmallVector<Condition, 4> Parts;
    splitCondition(Whole, Parts);
    const bool EndsLoop = llvm::any_of(Around.Loops, [&](const ForStmt *F) {
      return F->getCond() == Whole.Whole;
    });
    return llvm::all_of(Parts, [&](const Condition &Part) {
      if (!varies(Part.Whole, Variant, *Facts.In))
        return true;
      auto C = comparisonOf(Part);
      return C && takesBound(*C, Place, Around, EndsLoop);
    });
  }

  bool takesBound(const Comparison &C, const Subscripts &Place,
                  const Surrounding &Around, bool EndsLoop) {
    const Turns Loops = Around.around(C.Loops);
    // Less than both.
    if (auto Two = Sums.lesserOf(C.More, Loops)) {
      Comparison Part = C;
      Part.Times *= Two->Times;
      return llvm::all_of(std::array{Two->One, Two->Other}, [&](const Expr *E) {
        Part.More = E;
        return takesBound(Part, Place, Around, EndsLoop);
      });
    }
    const SteadySum Less = Sums.of(C.Less, Loops),
                    Most = times(Sums.of(asSigned(C.More), Loops), C.Times);
    if (!Less.isModular() || !Most.isModular() || !Sums.isUniform(Most.Of))
      return false;
    const bool Exact = Less.isExact() && Most.isExact() && isSigned(C.Test);
    // Of unsigned numbers `<=` is no `<` of one more. What ends a loop leaves
    // out the turns that follow, which must not be stored by what they ask.
    if ((C.OrEqual && !Exact) ||
        (EndsLoop && !(Exact && growsWith(Less.Of, Loops))))
      return false;
    for (unsigned I = 0; I != Place.size(); ++I) {
      const SteadySum Element = Sums.of(Place[I], Around.Loops);
      for (int64_t Length : rowLengths(Element.Of)) {
        const SteadySum At = rowOf(Element, Length, Around.Loops, Sums);
        const Sum Base = add(Less.Of, At.Of, -1);
        if (!At.isModular() ||
            !(Exact ? At.isExact() : wrapsAs(At, Place[I], C.Test)) ||
            !Sums.isUniform(Base))
          continue;
        Bounds.push_back({I, Length, Base,
                          add(Most.Of, Sum::constant(C.OrEqual)), C.Test,
                          Most.isExact(), Exact});
        return true;
      }
    }
    return false;
  }

  /// Where a subscript is a sum modulo something, it is for the test as well.
  bool wrapsAs(const SteadySum &At, const Expr *Subscript,
               const BinaryOperator *Test) const {
    return At.isExact() || Facts.In->context().getIntWidth(
                               Subscript->getType()) >= widthOf(Test);
  }
  static bool isSigned(const BinaryOperator *Test) {
    return Test->getLHS()->getType()->isSignedIntegerType();
  }
  unsigned widthOf(const BinaryOperator *Test) const {
    return Facts.In->context().getIntWidth(Test->getLHS()->getType());
  }
  /// What a test converts to unsigned, as it was.
  const Expr *asSigned(const Expr *E) const {
    const auto *C = dyn_cast<ImplicitCastExpr>(evaluated(E));
    const ASTContext &Context = Facts.In->context();
    return C && C->getCastKind() == CK_IntegralCast &&
                   C->getSubExpr()->getType()->isSignedIntegerType() &&
                   Context.getIntWidth(C->getType()) ==
                       Context.getIntWidth(C->getSubExpr()->getType())
               ? C->getSubExpr()
               : E;
  }

  /// With each turn of a copy's loops S stays or becomes more: where a turn
  /// stores, those before it were not left out.
  bool growsWith(const Sum &S, const Turns &Loops) {
    return llvm::all_of(Loops, [&](const ForStmt *F) {
      const VarDecl *V = Sums.countsUp(F);
      return V && Sums.factorOf(V, S).value_or(-1) >= 0;
    });
  }

  /// Is each mention of the buffer the place of a copy, or a read of an element
  /// that the bounds do not leave out?
  bool readsAreBounded() {
    const Stmt *Function = Facts.Tile.Function->getBody();
    const size_t All = elementsRead(Function, B.Var, Function).size();
    size_t Seen = 0;
    for (const BodyItem &I : Facts.Tile.Body) {
      const auto Here = elementsRead(I.S, B.Var, Function);
      Seen += Here.size();
      if (I.InLoad) {
        const size_t Stored = llvm::count_if(
            Places, [&](const Expr *P) { return !pathTo(P, I.S).empty(); });
        if (Here.size() != Stored)
          return false;
        continue;
      }
      if (!llvm::all_of(Here, [&](const Expr *Element) {
            return Element && isBounded(Element, I.S);
          }))
        return false;
    }
    return Seen == All;
  }

  /// Is the element stored wherever this read of it is run?
  bool isBounded(const Expr *Element, const Stmt *Item) {
    const Subscripts Place = subscriptsOf(Element, B.Var);
    const Surrounding Around = surroundingOf(Element, Item);
    if (!Around.Known || !Rows.holdsRead(Place, Around))
      return false;
    const auto Held = comparisonsOf(Around, Sums);
    const auto Below = differencesOf(Held, Around);
    return llvm::all_of(Bounds, [&](const StoreBound &Want) {
      const Expr *Subscript = Place[Want.Dimension];
      const SteadySum At = rowOf(Sums.of(Subscript, Around.Loops),
                                 Want.RowLength, Around.Loops, Sums);
      return isWithinArray(Want) ||
             (Want.Exact && At.isExact() &&
              isNegative(add(add(Want.Base, At.Of), Want.Bound, -1), Below)) ||
             llvm::any_of(Held, [&](const Comparison &C) {
               const Turns Loops = Around.around(C.Loops);
               return wrapsAs(At, Subscript, Want.Test) &&
                      follows(Want, At, C, Sums.of(C.Less, Loops),
                              times(Sums.of(C.More, Loops), C.Times));
             });
    });
  }

  /// What comparisons say is negative, where they lose nothing.
  std::vector<Sum> differencesOf(llvm::ArrayRef<Comparison> Held,
                                 const Surrounding &Around) {
    std::vector<Sum> Below;
    for (const Comparison &C : Held) {
      const Turns Loops = Around.around(C.Loops);
      const SteadySum Less = Sums.of(C.Less, Loops),
                      More = times(Sums.of(C.More, Loops), C.Times);
      if (Less.isExact() && More.isExact() && isSigned(C.Test))
        Below.push_back(
            add(add(Less.Of, More.Of, -1), Sum::constant(-int64_t(C.OrEqual))));
    }
    return Below;
  }

  /// Is S negative because it is made of negative sums, each some times?
  /// `c * D + d < D * n`, as `c < n` and `d < D`.
  static bool isNegative(const Sum &S, llvm::ArrayRef<Sum> Below,
                         unsigned Deep = 3) {
    if (!S.Known || S.Terms.empty() || !Deep)
      return S.Known && S.Terms.empty() && S.Constant < 0;
    return llvm::any_of(Below, [&](const Sum &B) {
      return llvm::any_of(B.Terms, [&](const auto &Term) {
        auto Met = S.Terms.find(Term.first);
        if (Met == S.Terms.end() || Met->second % Term.second != 0)
          return false;
        const int64_t Times = Met->second / Term.second;
        // B is -1 at most.
        Sum Rest = add(S, B, -Times);
        Rest.Constant -= Times;
        return Times > 0 && isNegative(Rest, Below, Deep - 1);
      });
    });
  }

  /// Does Less < More, which holds, say that the element At is stored?
  bool follows(const StoreBound &Want, const SteadySum &At, const Comparison &C,
               const SteadySum &Less, const SteadySum &More) {
    const Sum Place = add(Want.Base, At.Of);
    if (!At.isModular() || !Less.isModular() || !More.isModular() ||
        !Place.Known)
      return false;
    const bool Alike = isSigned(C.Test) == isSigned(Want.Test) &&
                       widthOf(C.Test) == widthOf(Want.Test);
    if (!isSigned(C.Test))
      return Alike && !C.OrEqual &&
             // The same question, put with the same numbers.
             ((isSame(Less.Of, Place) && isSame(More.Of, Want.Bound)) ||
              // Or with the rest of a bound that the loop is still below.
              (isSame(Less.Of, At.Of) &&
               isSame(More.Of, add(Want.Bound, Want.Base, -1)) &&
               loopIsBelow(Want)));
    if (!Less.isExact() || !More.isExact() || !At.isExact())
      return false;
    // Place - Bound is no more than Less - More, which is less than 0.
    const Sum Apart =
        add(add(Place, Want.Bound, -1), add(Less.Of, More.Of, -1), -1);
    if (!Apart.Known || !Apart.Terms.empty() || Apart.Constant + C.OrEqual > 0)
      return false;
    // The store's test may wrap around, if what it is asked for is not negative
    // and less than an int, or the same int that the read asks for.
    return Want.Exact || (Want.BoundIsExact && widthOf(C.Test) == 32 &&
                          widthOf(Want.Test) == 32 &&
                          (Sums.isNeverNegative(Want.Base) ||
                           (isSigned(Want.Test) && isSame(Less.Of, Place))));
  }

  /// The loop runs while Base < Bound, asked as the store asks.
  bool loopIsBelow(const StoreBound &Want) {
    if (!Facts.Tile.Cond)
      return false;
    auto C = comparisonOf({Facts.Tile.Cond, true, 0});
    if (!C || C->OrEqual || isSigned(C->Test) ||
        widthOf(C->Test) != widthOf(Want.Test))
      return false;
    const SteadySum Less = Sums.of(C->Less, {}), More = Sums.of(C->More, {});
    return Less.isModular() && More.isModular() && isSame(Less.Of, Want.Base) &&
           isSame(More.Of, Want.Bound);
  }

  static bool isSame(const Sum &A, const Sum &B) {
    const Sum Apart = add(A, B, -1);
    return Apart.Known && Apart.Terms.empty() && Apart.Constant == 0;
  }

  /// The bound leaves out nothing that the array has.
  bool isWithinArray(const StoreBound &Want) const {
    QualType T = B.Var->getType();
    for (unsigned I = 0; I != Want.Dimension; ++I)
      T = T->getAsArrayTypeUnsafe()->getElementType();
    const auto *A = Facts.In->context().getAsConstantArrayType(T);
    const Sum Room = add(Want.Bound, Want.Base, -1);
    return A && Want.Exact && Room.Known && Room.Terms.empty() &&
           Room.Constant >= int64_t(A->getZExtSize() / Want.RowLength) &&
           A->getZExtSize() % Want.RowLength == 0;
  }
};

} // namespace

bool readsOnlyWhatItStores(const LoopFacts &Facts, const StagedBuffer &B,
                           const VarSet &Variant) {
  return PartialTile(Facts, B, Variant).run();
}

} // namespace kpipe
