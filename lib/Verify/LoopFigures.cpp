// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured of a loop over tiles, see LoopFigures.h.
#include "LoopFigures.h"

namespace kpipe {

/// Weaker arithmetic than the tile's is upkeep.
static Role roleOf(const TileCode &T, const TileEvent &E) {
  return E.What == Role::Compute && !T.isCompute(E) ? Role::None : E.What;
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
      Role What = Here.mnemonic() == "BRA" && !Here.Predicate.empty()
                      ? Role::Branch
                      : Role::None;
      if (Known != T.Events.size() && T.Events[Known].Instruction == I)
        What = roleOf(T, T.Events[Known++]);
      V.Lines.push_back({Here.Address, What, Here.Text});
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
