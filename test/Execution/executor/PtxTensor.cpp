// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm's copies of a tensor's box: which pieces they are, what lies
// outside of the tensor, and how rows are swizzled. See Ptx.h.
#include "../include/kx/tensor_map.h"
#include "Machine.h"

#include <algorithm>
#include <cstring>

using namespace kpipe::exec;

namespace {
/// A box of a tensor at coordinates, piece by piece.
class Box {
  const KxTensorMap &Map;
  std::int64_t From[5] = {};
  std::size_t Shared; ///< where it begins there
  bool Store;
  std::vector<BulkCopy::Piece> &Pieces;

  // Rows are read and written in chunks of 16 bytes, whose place within the
  // pattern's width is exchanged by the bits of 128-byte lines above.
  std::size_t place(std::size_t At) const {
    std::size_t Lines = Map.SwizzleBytes / 16; // 8, 4, 2
    return Lines ? At ^ (At >> 7 & (Lines - 1)) << 4 : At;
  }
  void add(std::size_t At, char *Global, std::int64_t First,
           std::int64_t Last) {
    std::int64_t Size = Map.ElementBytes;
    if (First >= Last || (Store && !Global))
      return;
    // A run of elements, in chunks where they are exchanged.
    for (std::int64_t Byte = First * Size, End = Last * Size; Byte < End;) {
      std::int64_t Next =
          Map.SwizzleBytes ? std::min(End, (Byte / 16 + 1) * 16) : End;
      std::size_t Place = place((At + std::size_t(Byte)) / 16 * 16) +
                          (At + std::size_t(Byte)) % 16;
      Pieces.push_back({Map.SwizzleBytes ? Place : At + std::size_t(Byte),
                        Global ? Global + Byte : nullptr,
                        unsigned(Next - Byte)});
      Byte = Next;
    }
  }
  void row(std::size_t At, char *Global) {
    std::int64_t Count = Map.Box[0], Size = Map.Size[0];
    std::int64_t Begin = std::clamp<std::int64_t>(-From[0], 0, Count);
    std::int64_t End = std::clamp<std::int64_t>(Size - From[0], Begin, Count);
    add(At, nullptr, 0, Begin);
    add(At, Global, Begin, End);
    add(At, nullptr, End, Count);
  }

public:
  Box(const KxTensorMap &Map, const std::vector<std::int64_t> &Coordinates,
      std::size_t Shared, bool Store, std::vector<BulkCopy::Piece> &Pieces)
      : Map(Map), Shared(Shared), Store(Store), Pieces(Pieces) {
    std::copy(Coordinates.begin(), Coordinates.end(), From);
  }

  unsigned rows() const {
    unsigned Rows = 1;
    for (unsigned I = 1; I < Map.Rank; ++I)
      Rows *= Map.Box[I];
    return Rows;
  }
  void split() {
    std::size_t Row = std::size_t(Map.Box[0]) * Map.ElementBytes;
    for (unsigned R = 0, Rows = rows(); R < Rows; ++R) {
      auto *Global = static_cast<char *>(Map.Base) + From[0] * Map.ElementBytes;
      bool Inside = true;
      unsigned Rest = R;
      for (unsigned I = 1; I < Map.Rank; Rest /= Map.Box[I++]) {
        std::int64_t At = From[I] + Rest % Map.Box[I];
        Inside &= At >= 0 && At < std::int64_t(Map.Size[I]);
        Global += At * std::int64_t(Map.Pitch[I - 1]);
      }
      if (Inside)
        row(Shared + R * Row, Global);
      else
        add(Shared + R * Row, nullptr, 0, Map.Box[0]);
    }
  }
};
} // namespace

// cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
//   [to], [map, {x, y}], [mbarrier]
// cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [map, {x, y}], [from]
bool Machine::executeTensor(const PtxInstruction &I, PtxOperands &V, void *PC) {
  bool Store = I.has("bulk_group");
  unsigned Rank = unsigned(std::atoi(I.Words[4].c_str()));
  if (I.has("multicast::cluster") || I.has("im2col") || Rank < 1 || Rank > 5 ||
      I.Operands.size() < Rank + (Store ? 2 : 3) ||
      !(Store || I.has("mbarrier::complete_tx::bytes")))
    return false;
  std::size_t MapAt = Store ? 0 : 1;
  KxTensorMap Map;
  std::memcpy(&Map, reinterpret_cast<void *>(V.get(I.Operands[MapAt])),
              sizeof Map);
  if (Map.Mark != KxTensorMap::Known || Map.Rank != Rank)
    fail(Hazard::BadCopy, PC, "tensor copy with no map of its rank");
  std::vector<std::int64_t> From;
  for (unsigned D = 0; D < Rank; ++D)
    From.push_back(std::int32_t(V.get(I.Operands[MapAt + 1 + D])));
  const void *End = kx_generic_address(V.get(I.Operands[Store ? Rank + 1 : 0]));
  if (!Shared->contains(End))
    fail(Hazard::BadCopy, PC, "tensor copy: one end is not shared memory");
  BulkCopy C;
  Box B(Map, From, Shared->offset(End), Store, C.Pieces);
  C.Bytes = B.rows() * Map.Box[0] * Map.ElementBytes;
  C.Store = Store;
  if (!Shared->arrayAt(Shared->offset(End), C.Bytes))
    fail(Hazard::SharedBounds, PC,
         "tensor copy of " + std::to_string(C.Bytes) + " bytes at " +
             Shared->describe(Shared->offset(End)));
  // Swizzled boxes begin where their pattern does, or some lines behind it.
  if (Shared->offset(End) % 128)
    fail(Hazard::Misaligned, PC,
         "tensor copy at " + Shared->describe(Shared->offset(End)) +
             " is not aligned to 128 bytes");
  if (!Store)
    C.Barrier = mbarrier(V.get(I.Operands[Rank + 2]), PC).At;
  B.split();
  for (const BulkCopy::Piece &P : C.Pieces)
    if (P.Global && !(Global.contains(P.Global) &&
                      Global.covers(Global.offset(P.Global), P.Bytes)))
      fail(Hazard::GlobalBounds, PC,
           "tensor copy whose map leaves the buffer, at " +
               (Global.contains(P.Global)
                    ? Global.describe(Global.offset(P.Global))
                    : std::string("no global memory")));
  issueBulk(std::move(C), PC);
  return true;
}
