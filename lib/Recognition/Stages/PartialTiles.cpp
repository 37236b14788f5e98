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
#include "FlatPlaces.h"
#include "Recognition/Sums/ExpressionSums.h"
#include "Recognition/Sums/PathConditions.h"
#include "Recognition/Sums/PlacesInRows.h"
#include "Recognition/Sums/RowsOfPlaces.h"
#include "Recognition/Sums/SteadySums.h"
#include "Recognition/TileCopies/StoredEitherWay.h"
#include "ShiftedLoops.h"
#include "StoreBounds.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace clang;

namespace kpipe {

namespace {

class PartialTile {
public:
  /// \param Flat whether elements are told by their distance from the first.
  PartialTile(const LoopFacts &Facts, const StagedBuffer &B,
              const VarSet &Variant, bool Flat)
      : Facts(Facts), B(B), Variant(Variant), Sums(Facts),
        Rows(Facts, Sums, B.Var->getType()), Asked(Facts, Sums),
        Elements(B.Var, Facts.In->context()), Flat(Flat) {}

  bool run() {
    // Of dynamic shared memory that is one array, and has no other name.
    const bool Whole =
        !B.Block || (B.Var->getType()->isIncompleteArrayType() && !B.GivenOut);
    const bool Named = llvm::all_of(
        B.Views, [&](const VarDecl *V) { return Flat && Elements.isName(V); });
    if (!Whole || isa<ParmVarDecl>(B.Var) || !Named ||
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
  StoreBounds Asked;
  FlatPlaces Elements;
  const bool Flat;
  std::vector<StoreBound> Bounds;
  llvm::SmallPtrSet<const Expr *, 4> Places; ///< that copies store to

  const BodyItem *itemOf(const Stmt *S) const {
    for (const BodyItem &I : Facts.Tile.Body)
      if (!pathTo(S, I.S).empty())
        return &I;
    return nullptr;
  }

  /// What is asked of an element's place, one for each dimension.
  struct Place {
    Subscripts Of;
    llvm::SmallVector<SteadySum, 2> At;
    int64_t Width = 1;
  };
  Place placeOf(const Expr *E, const Turns &Loops) {
    Place P;
    if (!Flat) {
      P.Of = subscriptsOf(E, B.Var);
      for (const Expr *Subscript : P.Of)
        P.At.push_back(Sums.of(Subscript, Loops));
      return P;
    }
    const FlatPlace Found = Elements.of(E);
    SteadySum At;
    At.Of = Sum::constant(0);
    for (const auto &[Index, Each] : Found.Parts) {
      const SteadySum One = Sums.of(Index, Loops);
      At.Of = One.isExact() ? add(At.Of, One.Of, Each) : Sum::unknown();
      P.Of.push_back(Index);
    }
    if (!Found.Width || !At.isExact())
      return {};
    P.At.push_back(At);
    P.Width = Found.Width;
    return P;
  }

  /// The conditions of a store that differ from tile to tile, as bounds.
  bool takesBounds(const TileCopy &C) {
    const BodyItem *Item = C.Helper ? nullptr : itemOf(C.Store);
    if (!Item || !C.Dst || hasJump(Item->S))
      return false;
    const Surrounding Around = surroundingOf(C.Store, Item->S);
    const Place At = placeOf(C.Dst, Around.Loops);
    if (At.At.empty())
      return false;
    Places.insert(C.Dst->IgnoreParens());
    if (C.FillStore) {
      const auto *Fill = dyn_cast<BinaryOperator>(C.FillStore);
      if (!Fill)
        return false;
      Places.insert(Fill->getLHS()->IgnoreParens());
    }
    const auto All = conditionsOf(C.Store, Item->S, C.IfElse);
    const auto Idle =
        idleConditions(Facts.Tile, C, bodyOf(Facts.Tile.Loop), *Facts.In);
    if (!All || !Around.Known || (!Flat && !Rows.takesStore(At.Of, Around)) ||
        !comesAgain(C, At, Around))
      return false;
    for (const Expr *E : *All) {
      const bool Step = llvm::any_of(Around.Loops, [&](const ForStmt *F) {
        return F->getInc() == E && Sums.countsUp(F);
      });
      if (Step || Idle.count(E) || !varies(E, Variant, *Facts.In))
        continue;
      auto Met = llvm::find_if(
          Around.Conditions, [&](const Condition &X) { return X.Whole == E; });
      if (Met == Around.Conditions.end() || !takesCondition(*Met, At, Around))
        return false;
    }
    return true;
  }

  /// Does a tile store the places of another one, but for what bounds leave
  /// out? What differs in them is a loop's variable at most, because the loop's
  /// end does, which has to be a bound as well.
  bool comesAgain(const TileCopy &C, const Place &At,
                  const Surrounding &Around) {
    if (!placeVaries(C.Dst, Variant, *Facts.In))
      return true;
    VarSet Others = Variant;
    for (const ForStmt *F : Around.Loops) {
      const VarDecl *V = Sums.countsUp(F);
      const Expr *First = V ? Sums.firstValue(F, V) : nullptr;
      if (First && !varies(First, Others, *Facts.In))
        Others.erase(V);
    }
    return !placeVaries(C.Dst, Others, *Facts.In) ||
           placesComeAgain(At.Of, Around.Loops, Variant, Sums);
  }

  bool takesCondition(const Condition &Whole, const Place &At,
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
      return C && takesBound(*C, At, Around, EndsLoop);
    });
  }

  bool takesBound(const Comparison &C, const Place &Stored,
                  const Surrounding &Around, bool EndsLoop) {
    const Turns Loops = Around.around(C.Loops);
    // Less than both.
    if (auto Two = Sums.lesserOf(C.More, Loops)) {
      Comparison Part = C;
      Part.Times *= Two->Times;
      return llvm::all_of(std::array{Two->One, Two->Other}, [&](const Expr *E) {
        Part.More = E;
        return takesBound(Part, Stored, Around, EndsLoop);
      });
    }
    const SteadySum Less = Sums.of(C.Less, Loops),
                    Most =
                        times(Sums.of(Asked.asSigned(C.More), Loops), C.Times);
    if (!Less.isModular() || !Most.isModular() || !Sums.isUniform(Most.Of))
      return false;
    // Below a bound that is more than zero a number is so in unsigned ones too.
    const bool Exact = Less.isExact() && Most.isExact();
    const QualType Type = Asked.asSigned(C.More)->getType();
    // Of unsigned numbers `<=` is no `<` of one more. What ends a loop leaves
    // out the turns that follow, which must not be stored by what they ask.
    if ((C.OrEqual && !Exact) ||
        (EndsLoop && !(Exact && growsWith(Less.Of, Loops))))
      return false;
    for (unsigned I = 0; I != Stored.At.size(); ++I)
      for (int64_t Length : rowLengths(Stored.At[I].Of)) {
        const SteadySum At = rowOf(Stored.At[I], Length, Around.Loops, Sums,
                                   Facts.In->certainBlock());
        const Sum Base = add(Less.Of, At.Of, -1);
        if (!At.isModular() ||
            !(Exact ? At.isExact() : wrapsAs(At, Stored, I, C.Test)) ||
            !Sums.isUniform(Base))
          continue;
        const Sum Bound = add(Most.Of, Sum::constant(C.OrEqual));
        // Of vectors, what each of their elements is asked.
        if (Flat && Exact)
          Bounds.push_back({I, 1, times(Base, Length), times(Bound, Length),
                            C.Test, true, true, Type});
        else
          Bounds.push_back(
              {I, Length, Base, Bound, C.Test, Most.isExact(), Exact, Type});
        return true;
      }
    return false;
  }

  /// Where a subscript is a sum modulo something, it is for the test as well.
  bool wrapsAs(const SteadySum &At, const Place &Of, unsigned Dimension,
               const BinaryOperator *Test) const {
    return At.isExact() ||
           (Dimension < Of.Of.size() &&
            Facts.In->context().getIntWidth(Of.Of[Dimension]->getType()) >=
                Asked.widthOf(Test));
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
    FlatPlaces *Names = Flat ? &Elements : nullptr;
    const size_t All = elementsRead(Function, B.Var, Function, Names).size();
    size_t Seen = 0;
    for (const BodyItem &I : Facts.Tile.Body) {
      const auto Here = elementsRead(I.S, B.Var, Function, Names);
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
    const Surrounding Around = surroundingOf(Element, Item);
    const Place Read = placeOf(Element, Around.Loops);
    if (!Around.Known || Read.At.empty() ||
        (!Flat && !Rows.holdsRead(Read.Of, Around)))
      return false;
    const auto Held = comparisonsOf(Around, Sums);
    const auto Below = Asked.differencesOf(Held, Around);
    return llvm::all_of(Bounds, [&](const StoreBound &Want) {
      // Of several elements the last one has to be there.
      SteadySum Last = Read.At[Want.Dimension];
      Last.Of = add(Last.Of, Sum::constant(Read.Width - 1));
      const SteadySum At = rowOf(Last, Want.RowLength, Around.Loops, Sums,
                                 Facts.In->certainBlock());
      return StoreBounds::isAllOf(Want, extentOf(Want.Dimension)) ||
             Asked.isStored(Want, At,
                            wrapsAs(At, Read, Want.Dimension, Want.Test), Held,
                            Below, Around);
    });
  }

  /// How many places a dimension has; 0 if that is not known.
  int64_t extentOf(unsigned Dimension) const {
    if (Flat)
      return Elements.elements();
    QualType T = B.Var->getType();
    for (unsigned I = 0; I != Dimension; ++I)
      T = T->getAsArrayTypeUnsafe()->getElementType();
    const auto *A = Facts.In->context().getAsConstantArrayType(T);
    return A ? int64_t(A->getZExtSize()) : 0;
  }
};

} // namespace

bool readsOnlyWhatItStores(const LoopFacts &Facts, const StagedBuffer &B,
                           const VarSet &Variant) {
  return PartialTile(Facts, B, Variant, false).run() ||
         PartialTile(Facts, B, Variant, true).run();
}

} // namespace kpipe
