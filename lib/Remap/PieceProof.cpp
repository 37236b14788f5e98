// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a piece is evaluated for each element of each piece, with nothing
// known but row and column: it has to be what the author's threads copy there,
// and what a piece's first element says has to hold for all of them.
#include "PieceText.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// What is written for threads and turns has the values of this element.
void PieceText::set(unsigned Row, unsigned Column) {
  Offsets &At = Boxes.offsets();
  At.Fixed.clear();
  for (const auto &[E, A] : Numbers)
    At.Fixed[E] = A.Row * Row + A.Column * Column + A.Rest;
}

bool PieceText::holds(Alignments &Aligned) {
  if (Box.Columns % Elements)
    return fail({msg::remap_width, Box.Columns, Elements});
  if (Box.First % Bytes)
    return fail({msg::remap_shared_row, Box.First});
  if (Box.Rows > 1 && Box.SharedPitch % Bytes)
    return fail({msg::remap_shared_row, Box.First + Box.SharedPitch});
  if (!Aligned.ask(Box.Global.Bytes, Bytes) ||
      (Box.Rows > 1 && !Aligned.ask(Box.Pitch, Bytes)) ||
      !Aligned.askPointer(Box.Global.Base, Bytes))
    return fail({msg::remap_global_row});
  bool Good = true;
  for (unsigned R = 0; R != Box.Rows && Good; ++R)
    for (unsigned C = 0; C != Box.Columns && Good; C += Elements)
      Good = holdsFor(R, C, Aligned);
  Boxes.offsets().Fixed.clear();
  return Good;
}

/// Numbers of one element against those of the first of its piece: the same, or
/// as many more as it is columns further, from a multiple of the piece on: then
/// none wraps around within the piece.
bool PieceText::goesOn(const std::vector<Polynomial> &First,
                       const std::vector<Polynomial> &Here, unsigned By,
                       Alignments &Aligned) {
  if (First.size() != Here.size())
    return false;
  for (auto [F, H] : llvm::zip_equal(First, Here)) {
    std::optional<int64_t> D = distance(H, F);
    if (!D || (*D != 0 && (*D != int64_t(By) || !Aligned.ask(F, Elements))))
      return false;
  }
  return true;
}

bool PieceText::holdsFor(unsigned Row, unsigned Column, Alignments &Aligned) {
  Offsets &At = Boxes.offsets();
  std::vector<Polynomial> Widened;
  std::vector<GuardTest> Guards;
  for (unsigned I = 0; I != Elements; ++I) {
    const CopiedElement &Known = Box.at(Row, Column + I);
    set(Row, Column + I);
    At.Widened.clear();
    CopiedElement Here;
    if (Boxes.describe(Box, Box.at(0, 0).Copy, Here) || Here.To != Known.To ||
        !(Here.From == Known.From) || !(Here.Guards == Known.Guards))
      return fail({msg::remap_not_affine});
    // Another copy's text may compute the same in more bits, or in fewer.
    if (!(Here.Narrow == Known.Narrow))
      return fail({msg::remap_may_wrap});
    if (!I) {
      Widened = At.Widened;
      Guards = Here.Guards;
    }
    if (!goesOn(Widened, At.Widened, I, Aligned))
      return fail({msg::remap_may_wrap});
    for (auto [F, H] : llvm::zip_equal(Guards, Here.Guards)) {
      std::optional<int64_t> L = distance(H.L, F.L), R = distance(H.R, F.R);
      const bool Same = L == 0 && R == 0;
      // A bound between two pieces: both count in whole pieces.
      if (!Same && !(F.Op == BO_LT && L == int64_t(I) && R == 0 &&
                     Aligned.ask(F.L, Elements) && Aligned.ask(F.R, Elements)))
        return fail({msg::remap_guard});
    }
  }
  return true;
}

} // namespace kpipe
