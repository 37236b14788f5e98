// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the rules of legality, see Legality.h and docs/legality.md.

#include "Legality.h"
#include "Rules.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// In the order of the checks.
static constexpr RuleId AllRules[] = {
#define KPIPE_RULE(Name, Id) RuleId::Name,
#include "kpipe/Rules.def"
};

/// What checks a rule here; null for one that is found while recognising, or
/// that others than legality check.
static Rule *checkOf(RuleId Id) {
  switch (Id) {
  case RuleId::ControlFlow:
    return controlFlow;
  case RuleId::CarriedScalar:
    return hiddenWrites;
  case RuleId::CarriedShared:
    return carriedShared;
  case RuleId::SharedEscape:
    return sharedEscape;
  case RuleId::OtherShared:
    return otherShared;
  case RuleId::MayAlias:
    return mayAlias;
  case RuleId::LoadEffects:
    return loadEffects;
  case RuleId::SyncOrder:
    return syncOrder;
  case RuleId::ForeignAsync:
    return foreignAsync;
  case RuleId::UniformBarrier:
    return uniformBarrier;
  default:
    return nullptr;
  }
}

/// Of a tile that the copy engine brings, recognition has looked at what its
/// loop does beside that.
static bool isAsked(RuleId Id, const TileLoop &Tile) {
  return !Tile.Bulk || Id == RuleId::ControlFlow ||
         Id == RuleId::UniformBarrier;
}

llvm::SmallVector<Obstacle, 4> checkLegality(const LoopFacts &Facts,
                                             const Directives &Asked) {
  const SourceManager &SM = Facts.In->context().getSourceManager();
  llvm::SmallVector<Obstacle, 4> Out;
  for (RuleId Id : AllRules) {
    llvm::SmallVector<Obstacle, 4> Found;
    for (const Obstacle &F : Facts.Obstacles)
      if (F.Rule == Id)
        Found.push_back(F);
    if (Rule *Check = checkOf(Id); Check && Facts.IsTileLoop && isAsked(Id, Facts.Tile))
      Check(Facts, Asked, Found);
    llvm::stable_sort(Found, [&](const Obstacle &A, const Obstacle &B) {
      return A.Where != B.Where &&
             SM.isBeforeInTranslationUnit(A.Where, B.Where);
    });
    // The same place for the same reason says it once.
    for (Obstacle &F : Found)
      if (llvm::none_of(Out, [&](const Obstacle &U) {
            return U.Rule == F.Rule && U.Where == F.Where && U.Why == F.Why;
          }))
        Out.push_back(std::move(F));
  }
  return Out;
}

} // namespace kpipe
