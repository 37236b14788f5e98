// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a matrix a box begins: the matrix as a launch knows it, by
// parameters of the kernel, and row and column as the kernel does. See
// Boxes/TileBox.h.
#ifndef KPIPE_TMA_TILESOURCE_H
#define KPIPE_TMA_TILESOURCE_H

#include "Boxes/TileBox.h"
#include "Emission/SourceText.h"

namespace kpipe {

struct TileSource {
  const clang::ParmVarDecl *Base = nullptr;
  /// Elements from row to row, of parameters alone.
  Polynomial Pitch;
  /// Elements and rows, of what the block has.
  Polynomial Column, Row;
};

class TileSources {
public:
  TileSources(const LoopFacts &Facts, TileBoxes &Boxes,
              const SourceText &Source)
      : Facts(Facts), At(Boxes.offsets()), Source(Source) {}

  /// Nothing, with Why, where that cannot be told.
  std::optional<TileSource> of(const TileBox &Box, unsigned ElementBytes);
  Message Why;

  /// As text in the loop; nothing where a name may mean something else there.
  std::optional<std::string> text(const Polynomial &P);

private:
  const LoopFacts &Facts;
  Offsets &At;
  const SourceText &Source;

  bool fail(Message M) {
    if (!Why)
      Why = std::move(M);
    return false;
  }
  bool follow(BlockAddress &From);
  std::optional<Polynomial> ofParameters(const Polynomial &P,
                                         unsigned Depth = 0);
  bool divide(const Polynomial &Bytes, const Polynomial &Pitch,
              unsigned ElementBytes, TileSource &Into);
  bool isAligned(const TileSource &Of, unsigned ElementBytes);
  bool notNegative(const Polynomial &P);
  bool fitInts(const TileSource &Of, const TileBox &Box, unsigned ElementBytes);
};

/// A symbol in the loop; nothing where a name may mean something else there.
std::optional<std::string> symbolText(const LoopFacts &Facts, Offsets &At,
                                      const SourceText &Source, unsigned S);

/// `n * 128 + k`, with what Named says for each symbol.
/// \param Wide computed with 64 bits, whatever the symbols have.
std::string sumText(const Polynomial &P,
                    llvm::function_ref<std::string(unsigned)> Named,
                    bool Wide = false);

} // namespace kpipe

#endif // KPIPE_TMA_TILESOURCE_H
