// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements in the order of their places in shared memory, cut into rows
// where the source does not go on. See TileBox.h.
#include "TileBox.h"
#include "Code/AstUtils.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is each test of a guard the same for all elements of a row, or of a column?
bool areBoundsOfMatrix(const TileBox &B) {
  const std::vector<GuardTest> &First = B.at(0, 0).Guards;
  for (unsigned G = 0; G != First.size(); ++G) {
    bool OfRows = true, OfColumns = true;
    for (unsigned R = 0; R != B.Rows; ++R)
      for (unsigned C = 0; C != B.Columns; ++C) {
        const std::vector<GuardTest> &Here = B.at(R, C).Guards;
        if (Here.size() != First.size() || Here[G].Op != First[G].Op)
          return false;
        OfRows &= Here[G] == B.at(R, 0).Guards[G];
        OfColumns &= Here[G] == B.at(0, C).Guards[G];
      }
    if (!OfRows && !OfColumns)
      return false;
  }
  return true;
}

/// Cuts the elements into rows of equal length, as far apart here as there.
Message cutIntoRows(TileBox &B) {
  std::vector<CopiedElement> &All = B.Elements;
  auto GoesOn = [&](size_t I) {
    return All[I].To - All[I - 1].To == B.ElementBytes &&
           distance(All[I].From.Bytes, All[I - 1].From.Bytes) ==
               std::optional<int64_t>(B.ElementBytes);
  };
  size_t Length = 1;
  while (Length != All.size() && GoesOn(Length))
    ++Length;
  if (All.size() % Length)
    return {msg::box_rows};
  B.Columns = Length;
  B.Rows = All.size() / Length;
  B.First = All.front().To;
  B.Global = All.front().From;
  if (B.Rows > 1) {
    B.SharedPitch = All[Length].To - B.First;
    auto Pitch = add(All[Length].From.Bytes, B.Global.Bytes, -1);
    if (!Pitch)
      return {msg::box_rows};
    B.Pitch = std::move(*Pitch);
  }
  for (size_t I = 0; I != All.size(); ++I) {
    if (I % Length) {
      if (!GoesOn(I))
        return {msg::box_rows};
      continue;
    }
    const int64_t Row = I / Length;
    auto There = add(B.Global.Bytes, B.Pitch, Row);
    if (!There || All[I].From.Bytes != *There ||
        All[I].To != B.First + Row * B.SharedPitch)
      return {msg::box_rows};
  }
  return {};
}

} // namespace

std::optional<TileBox> cutShorter(TileBox Box, unsigned Columns) {
  if (Box.Rows != 1 || !Columns || Box.Columns % Columns)
    return std::nullopt;
  Box.Rows = Box.Columns / Columns;
  Box.Columns = Columns;
  Box.SharedPitch = int64_t(Columns) * Box.ElementBytes;
  Box.Pitch = Polynomial::number(Box.SharedPitch);
  if (!areBoundsOfMatrix(Box))
    return std::nullopt;
  return Box;
}

TileBoxes::TileBoxes(const LoopFacts &Facts, Extent3 Block)
    : Facts(Facts), Block(Block), At(std::make_unique<Offsets>(Facts, Block)) {
  for (unsigned I = 0; I != Facts.Tile.Buffers.size(); ++I)
    All.push_back(find(I));
}

BoxOrNot TileBoxes::find(unsigned Buffer) {
  const TileLoop &Loop = Facts.Tile;
  const StagedBuffer &Of = Loop.Buffers[Buffer];
  if (Loop.Bulk)
    return {std::nullopt, {msg::box_no_pure_copy}};
  // A thread that does not come copies nothing.
  if (Loop.LeftBefore)
    return {std::nullopt, {msg::box_threads_left}};
  if (!Of.Var->getType()->isConstantArrayType() || Of.Block)
    return {std::nullopt, {msg::box_no_array}};
  TileBox B;
  B.Buffer = Buffer;
  llvm::SmallVector<const Stmt *, 4> Items;
  for (unsigned I = 0; I != Loop.Body.size(); ++I)
    if (llvm::any_of(Loop.Copies, [&](const TileCopy &C) {
          return C.Buffer == Buffer &&
                 (C.Helper || !pathTo(C.Store, Loop.Body[I].S).empty());
        })) {
      B.Items.push_back(I);
      Items.push_back(Loop.Body[I].S);
    }
  BlockCopies Run(Facts, *At, Block);
  if (Message Not = Run.run(Items, Buffer))
    return {std::nullopt, std::move(Not)};
  if (Run.Elements.empty())
    return {std::nullopt, {msg::box_no_pure_copy}};
  B.Elements = std::move(Run.Elements);
  const unsigned First = B.Elements.front().Copy;
  B.ElementBytes = Loop.Copies[First].Bytes;
  B.Around = Run.Around[First];
  llvm::stable_sort(B.Elements,
                    [](const CopiedElement &X, const CopiedElement &Y) {
                      return X.To < Y.To;
                    });
  for (size_t I = 0; I != B.Elements.size(); ++I) {
    const CopiedElement &E = B.Elements[I];
    const TileCopy &C = Loop.Copies[E.Copy];
    if (C.Bytes != B.ElementBytes || C.Kind != Loop.Copies[First].Kind ||
        E.From.Base != B.Elements.front().From.Base)
      return {std::nullopt, {msg::box_mixed_copies}};
    if (I && E.To - B.Elements[I - 1].To < B.ElementBytes)
      return {std::nullopt, {msg::box_twice}};
  }
  if (Message Not = cutIntoRows(B))
    return {std::nullopt, std::move(Not)};
  if (!areBoundsOfMatrix(B))
    return {std::nullopt, {msg::box_guard}};
  return {std::move(B), {}};
}

} // namespace kpipe
