// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many times a warp's access to shared memory is run because lanes want
// different words of one bank. Counted lane by lane, not by a formula. Knows
// addresses, and neither source nor arrays.
#ifndef KPIPE_BANKCONFLICTS_H
#define KPIPE_BANKCONFLICTS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace kpipe {

/// Shared memory of every architecture that kpipe knows: 32 banks of 4 bytes
/// (CUDA C++ Programming Guide, "Compute Capabilities", "Shared Memory").
constexpr unsigned BankCount = 32;
constexpr unsigned BankBytes = 4;
constexpr unsigned WarpLanes = 32;

/// The degree of the conflict of one access: 1 if there is none, 0 if no lane
/// takes part.
///
/// The banks deliver 128 bytes at once, so that lanes which want 8 bytes each
/// are served in two halves, and those that want 16 in four quarters. The
/// degree is the most different words of one bank in one of these; lanes that
/// want the same word share it.
/// \param Addresses of the lanes in their order, bytes; nothing for a lane that
/// takes no part.
/// \param Bytes that each lane wants.
unsigned bankConflictDegree(llvm::ArrayRef<std::optional<int64_t>> Addresses,
                            unsigned Bytes);

} // namespace kpipe

#endif // KPIPE_BANKCONFLICTS_H
