// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over tiles in machine code: which instructions load the tile, wait,
// compute, meet at a barrier. It must not judge. Private to Verify.
#ifndef KPIPE_LIB_VERIFY_TILECODE_H
#define KPIPE_LIB_VERIFY_TILECODE_H

#include "kpipe/Sass.h"
#include "kpipe/Verify.h"
#include <array>

namespace kpipe {

/// Kinds of arithmetic, the strongest first. What a tile computes is the
/// strongest kind in its loop; weaker ones are upkeep.
enum class ComputeKind { Matrix, MultiplyAdd, Float, Integer, None };

/// One instruction that has a role.
struct TileEvent {
  unsigned Instruction = 0; ///< index
  Role What = Role::None;
  ComputeKind Kind = ComputeKind::None;
  /// How often it runs for each run of the loop's body; empty if an inner
  /// loop's count is not constant.
  std::optional<uint64_t> Times = 1;
  unsigned Bytes = 0;      ///< of a load, per thread
  unsigned Operations = 0; ///< of arithmetic, per thread
};

struct TileCode {
  const sass::Function *F = nullptr;
  unsigned Loop = 0; ///< index
  /// In the order of an iteration.
  std::vector<TileEvent> Events;
  ComputeKind Kind = ComputeKind::None;
  /// Tiles that one run of the body handles, more than one where the compiler
  /// unrolled it: groups of LDGSTS, or else stretches between barriers that
  /// have loads.
  unsigned Tiles = 1;

  bool isCompute(const TileEvent &E) const {
    return E.What == Role::Compute && E.Kind == Kind;
  }
  bool isLoad(const TileEvent &E) const {
    return E.What == Role::Load || E.What == Role::AsyncLoad;
  }
  bool has(Role R) const;
  /// Barriers cut the body into stretches; in a loop without any, as one warp
  /// alone has it, waits do.
  bool isCut(const TileEvent &E) const;
  const sass::Instruction &at(const TileEvent &E) const {
    return F->Instructions[E.Instruction];
  }
  /// Mnemonics of the compute, in the order of their first: "FFMA",
  /// "FFMA/FFMA2".
  std::string computeNames() const;
  /// Sum over events that Which takes of Of times how often they run; empty if
  /// that is unknown.
  template <class Pred, class Value>
  std::optional<uint64_t> sum(Pred Which, Value Of) const {
    uint64_t Sum = 0;
    for (const TileEvent &E : Events) {
      if (!Which(E))
        continue;
      if (!E.Times)
        return std::nullopt;
      Sum += *E.Times * Of(E);
    }
    return Sum;
  }
};

/// The loops over tiles of a function: innermost loops that bring data from
/// global to shared memory, synchronise and compute. In the order of addresses.
/// \param Kind what counts as compute; None: the strongest that is there.
std::vector<TileCode> findTileCode(const sass::Function &F,
                                   ComputeKind Kind = ComputeKind::None);

} // namespace kpipe

#endif // KPIPE_LIB_VERIFY_TILECODE_H
