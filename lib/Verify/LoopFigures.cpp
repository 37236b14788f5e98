// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured of a loop over tiles, see LoopFigures.h.
#include "LoopFigures.h"

namespace kpipe {

/// Weaker arithmetic than the tile's is upkeep and has no word.
static std::string wordFor(const TileCode &T, const TileEvent &E) {
  if (E.What == Role::Compute && !T.isCompute(E))
    return "";
  return describe(E.What).str();
}

static std::optional<uint64_t> computeOf(const TileCode &T) {
  return T.sum([&](const TileEvent &E) { return T.isCompute(E); },
               [](const TileEvent &) { return 1; });
}

LoopVerification figuresOf(const TileCode &T) {
  LoopVerification V;
  const sass::Loop &L = T.F->Loops[T.Loop];
  V.Begin = ~uint64_t(0);
  size_t Known = 0;
  for (unsigned B : L.Blocks)
    for (unsigned I = T.F->Blocks[B].Begin; I != T.F->Blocks[B].End; ++I) {
      const sass::Instruction &Here = T.F->Instructions[I];
      V.Begin = std::min(V.Begin, Here.Address);
      V.End = std::max(V.End, Here.Address + 16);
      std::string Word;
      if (Known != T.Events.size() && T.Events[Known].Instruction == I)
        Word = wordFor(T, T.Events[Known++]);
      V.Lines.push_back({Here.Address, std::move(Word), Here.Text});
    }
  V.Tiles = T.Tiles;
  V.ComputeKind = T.computeNames();
  auto IsLoad = [&](const TileEvent &E) { return T.isLoad(E); };
  auto Compute = computeOf(T);
  auto Bytes = T.sum(IsLoad, [](const TileEvent &E) { return E.Bytes; });
  if (Compute)
    V.ComputePerTile = double(*Compute) / T.Tiles;
  if (Bytes && *Bytes)
    V.BytesPerTile = double(*Bytes) / T.Tiles;
  auto Operations =
      T.sum([](const TileEvent &E) { return E.What == Role::Compute; },
            [](const TileEvent &E) { return E.Operations; });
  if (Operations && Bytes && *Bytes)
    V.Ratio = double(*Operations) / *Bytes;
  return V;
}

} // namespace kpipe
