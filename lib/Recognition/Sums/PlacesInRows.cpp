// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the ranges of the subscripts, and the comparisons around them. See
// PlacesInRows.h.
#include "PlacesInRows.h"
#include "Code/AstUtils.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

PlacesInRows::PlacesInRows(const LoopFacts &Facts, SteadySums &Sums,
                           QualType Array)
    : Facts(Facts), Sums(Sums) {
  const ASTContext &Context = Facts.In->context();
  while (const auto *A = Context.getAsArrayType(Array)) {
    const auto *Known = dyn_cast<ConstantArrayType>(A);
    Extents.push_back(Known ? Known->getZExtSize() : 0);
    Array = A->getElementType();
  }
  OwnIndex.resize(Extents.size());
}

/// Nothing where nobody knows how large the blocks are.
std::optional<Extent3> PlacesInRows::mostThreads() const {
  if (auto Size = Facts.In->block())
    return Size;
  for (const FunctionDecl *D : Facts.Tile.Function->redecls())
    if (const auto *L = D->getAttr<CUDALaunchBoundsAttr>())
      if (auto Most = constantValue(L->getMaxThreads(), Facts.In->context());
          Most && *Most > 0 && *Most <= 1024)
        return Extent3{unsigned(*Most), unsigned(*Most),
                       unsigned(std::min<int64_t>(*Most, 64))};
  return std::nullopt;
}

bool PlacesInRows::isWithin(const Expr *E, int64_t Extent,
                            const Surrounding &Around) {
  auto R = Sums.rangeOf(E, Around.Loops,
                        mostThreads().value_or(Extent3{1024, 1024, 64}));
  const SteadySum At = Sums.of(E, Around.Loops);
  bool FromZero = (R && R->Low >= 0) || E->getType()->isUnsignedIntegerType() ||
                  (At.isExact() && Sums.isNeverNegative(At.Of, Around.Loops)),
       Below = R && R->High < Extent;
  if (!At.isExact())
    return FromZero && Below;
  for (const Comparison &C : comparisonsOf(Around, Sums)) {
    const Turns Loops = Around.around(C.Loops);
    const SteadySum Less = Sums.of(C.Less, Loops),
                    More = times(Sums.of(C.More, Loops), C.Times);
    if (!Less.isExact() || !More.isExact())
      continue;
    // At + Less.Constant < More.Constant, or the other way round.
    const Sum Above = add(Less.Of, At.Of, -1), Under = add(More.Of, At.Of, -1);
    if (Above.Known && Above.Terms.empty() && More.Of.Terms.empty())
      Below |= More.Of.Constant - Above.Constant - !C.OrEqual < Extent;
    if (Under.Known && Under.Terms.empty() && Less.Of.Terms.empty())
      FromZero |= Less.Of.Constant - Under.Constant + !C.OrEqual >= 0;
  }
  return FromZero && Below;
}

bool PlacesInRows::takesStore(const Subscripts &Place,
                              const Surrounding &Around) {
  bool Moves = false; // one of the subscripts so far is no constant
  for (size_t I = 0; I != Place.size(); ++I) {
    const SteadySum At = Sums.of(Place[I], Around.Loops);
    const bool Own = Sums.isThreadIndex(At.Of) && At.isExact();
    if (I && !isWithin(Place[I], Extents[I], Around) &&
        !(Own && Moves && !mostThreads()))
      return false;
    Moves |= !At.Of.Known || !At.Of.Terms.empty();
    const Sum Apart = OwnIndex[I] ? add(At.Of, *OwnIndex[I], -1) : Sum();
    if (!Own || !Apart.Terms.empty() || (AnyStore && !OwnIndex[I]))
      OwnIndex[I].reset();
    else
      OwnIndex[I] = At.Of;
  }
  AnyStore = true;
  return true;
}

bool PlacesInRows::holdsRead(const Subscripts &Place,
                             const Surrounding &Around) {
  for (size_t I = 1; I < Place.size(); ++I) {
    if (isWithin(Place[I], Extents[I], Around))
      continue;
    const SteadySum At = Sums.of(Place[I], Around.Loops);
    const Sum Apart =
        OwnIndex[I] ? add(At.Of, *OwnIndex[I], -1) : Sum::unknown();
    if (mostThreads() || !At.isExact() || !Apart.Known ||
        !Apart.Terms.empty() || Apart.Constant)
      return false;
  }
  return true;
}

static void addLesser(const Comparison &C, const Surrounding &Around,
                      SteadySums &Sums, llvm::SmallVectorImpl<Comparison> &To) {
  To.push_back(C);
  if (const Expr *Wide = Sums.uncut(C.More, Around.around(C.Loops))) {
    To.push_back(C);
    To.back().More = Wide;
  }
  // What is less than a minimum is less than both.
  auto Two = Sums.lesserOf(C.More, Around.around(C.Loops));
  if (!Two)
    return;
  Comparison Part = C;
  Part.Times *= Two->Times;
  for (const Expr *E : {Two->One, Two->Other}) {
    Part.More = E;
    addLesser(Part, Around, Sums, To);
  }
}

llvm::SmallVector<Comparison, 8> comparisonsOf(const Surrounding &Around,
                                               SteadySums &Sums) {
  llvm::SmallVector<Condition, 8> Parts;
  for (const Condition &C : Around.Conditions)
    splitCondition(C, Parts);
  llvm::SmallVector<Comparison, 8> Held;
  for (const Condition &Part : Parts)
    if (auto C = comparisonOf(Part))
      addLesser(*C, Around, Sums, Held);
  return Held;
}

} // namespace kpipe
