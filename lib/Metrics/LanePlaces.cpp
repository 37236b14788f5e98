// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of lanes, see LanePlaces.h.
#include "LanePlaces.h"
#include "Code/AstUtils.h"
#include "kpipe/BankConflicts.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Warps that differ by a number of rows conflict alike.
static void add(RowAccess &A, WarpPlaces Warp) {
  auto First = llvm::find_if(Warp, [](const auto &P) { return bool(P); });
  if (First == Warp.end())
    return;
  int64_t Row = (*First)->Row;
  for (std::optional<LanePlace> &P : Warp)
    if (P)
      P->Row -= Row;
  if (!llvm::is_contained(A.Warps, Warp))
    A.Warps.push_back(Warp);
}

void joinNeighbours(std::vector<RowAccess> &Accesses) {
  for (RowAccess &A : Accesses)
    for (RowAccess &B : Accesses) {
      if (A.Matrix || B.Matrix || A.Write != B.Write || A.Bytes != B.Bytes ||
          A.Warps.empty())
        continue;
      std::vector<WarpPlaces> Moved = A.Warps;
      for (WarpPlaces &Warp : Moved)
        for (std::optional<LanePlace> &P : Warp)
          if (P)
            P->Column += A.Bytes;
      if (Moved == B.Warps)
        A.Joinable = B.Joinable = true;
    }
}

RowAccess LaneReader::access(const ArrayUse &U, const UseContext &Site) {
  RowAccess A;
  A.Where = Facts.In->context().getSourceManager().getExpansionLoc(
      U.Mention->getBeginLoc());
  A.Write = U.Write;
  A.Bytes = U.Bytes;
  if (U.What == ArrayUse::Kind::Matrix) {
    matrixRows(A, U);
    return A;
  }
  A.Matrix = U.What == ArrayUse::Kind::MatrixRows;
  std::optional<Extent3> Block = Largest.Extent;
  bool FirstWarp = false;
  if (!Block) {
    if (!OtherAxes)
      OtherAxes = usesOtherAxes(Facts.Tile.Function);
    if (*OtherAxes) {
      A.Unknown = msg::block_shape_is_unknown;
      return A;
    }
    Block = Extent3{Largest.Threads.value_or(WarpLanes), 1, 1};
    FirstWarp = !Largest.Threads;
  }
  Lane.Block = FirstWarp ? std::nullopt : Block;
  unsigned Threads = (*Block)[0] * (*Block)[1] * (*Block)[2];
  for (unsigned First = 0; First < Threads; First += WarpLanes) {
    WarpPlaces Warp;
    for (unsigned I = 0; I != WarpLanes && First + I < Threads; ++I) {
      unsigned T = First + I;
      Lane.Thread = Extent3{T % (*Block)[0], T / (*Block)[0] % (*Block)[1],
                            T / (*Block)[0] / (*Block)[1]};
      if (A.Matrix && I >= U.Lanes)
        break;
      if (!place(U, Site, Warp[I])) {
        A.Warps.clear();
        A.Unknown = msg::lane_places_unknown;
        return A;
      }
    }
    add(A, Warp);
  }
  A.Joinable = !A.Matrix && goesOn(U, Site);
  return A;
}

bool LaneReader::goesOn(const ArrayUse &U, const UseContext &Site) {
  Lane.Thread = Extent3{0, 0, 0};
  std::optional<LanePlace> First;
  if (!place(U, Site, First) || !First)
    return false;
  for (const ForStmt *F : Site.Loops) {
    std::optional<LanePlace> Next;
    if (F != Facts.Tile.Loop && place(U, Site, Next, F) && Next &&
        Next->Row == First->Row &&
        std::abs(Next->Column - First->Column) == int64_t(U.Bytes))
      return true;
  }
  return false;
}

void LaneReader::matrixRows(RowAccess &A, const ArrayUse &U) {
  A.Matrix = true;
  A.Bytes = 16;
  auto Stride = Any.evaluate(U.Stride);
  if (!Stride) {
    A.Unknown = msg::stride_is_unknown;
    return;
  }
  WarpPlaces Warp;
  int64_t Bytes = *Stride * int64_t(U.UnitBytes);
  bool Own =
      uint64_t(Bytes) == Extents.back() * ElementBytes && Extents.size() > 1;
  for (int I = 0; I != 8; ++I)
    Warp[I] = Own ? LanePlace{I, 0} : LanePlace{0, I * Bytes};
  add(A, Warp);
}

bool LaneReader::place(const ArrayUse &U, const UseContext &Site,
                       std::optional<LanePlace> &P, const ForStmt *Second) {
  llvm::SmallVector<const VarDecl *, 4> Bound;
  for (const ForStmt *F : Site.Loops) {
    const VarDecl *Index = updatedVariable(F->getInc());
    auto Value = firstValue(F, Index);
    if (F == Second && Value)
      Value = valueAfter(F->getInc(), *Value);
    Lane.bind(Index, Value);
    Bound.push_back(Index);
  }
  bool Known = true;
  if (takesPart(Lane, Site)) {
    P.emplace();
    for (unsigned I = 0; I != U.Rows.size(); ++I) {
      auto Row = Lane.evaluate(U.Rows[I]);
      Known &= Row.has_value();
      P->Row = P->Row * int64_t(Extents[I]) + Row.value_or(0);
    }
    auto Column = U.Column ? Lane.evaluate(U.Column) : 0;
    Known &= Column.has_value();
    P->Column = Column.value_or(0) * int64_t(ElementBytes) + U.Offset;
  }
  for (const VarDecl *Index : Bound)
    Lane.unbind(Index);
  return Known;
}

std::optional<int64_t> LaneReader::firstValue(const ForStmt *F,
                                              const VarDecl *Index) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit()))
    return llvm::is_contained(D->decls(), Index)
               ? Lane.evaluate(Index->getInit())
               : std::nullopt;
  if (const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit());
      B && B->getOpcode() == BO_Assign && updatedVariable(B) == Index)
    return Lane.evaluate(B->getRHS());
  return std::nullopt;
}

std::optional<int64_t> LaneReader::valueAfter(const Expr *Step, int64_t At) {
  Step = Step->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Step))
    return At + (U->isIncrementOp() ? 1 : -1);
  const auto *B = dyn_cast<BinaryOperator>(Step);
  auto By = B ? Lane.evaluate(B->getRHS()) : std::nullopt;
  if (By && B->getOpcode() == BO_AddAssign)
    return At + *By;
  if (By && B->getOpcode() == BO_SubAssign)
    return At - *By;
  return std::nullopt;
}

} // namespace kpipe
