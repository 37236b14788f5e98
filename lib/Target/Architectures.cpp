// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of architectures and its look-up by name. Data only: what follows
// from the numbers is computed in Occupancy.cpp.
//
// Sources, column by column:
//   shared/SM, opt-in/block, threads/SM, blocks/SM
//       CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute
//       Capability"; CCCL's cuda::arch_traits (<cuda/devices>, CUDA 13.0).
//   reserved/block
//       the same guide, "Shared Memory" of each compute capability from 8.0 on:
//       1 KB per block is reserved for the system. cuda_occupancy.h of CUDA
//       13.0 adds the device's reservedSharedMemPerBlock.
//   granularity, blocks/SM
//       cuda_occupancy.h of CUDA 13.0, cudaOccSMemAllocationGranularity and
//       cudaOccMaxBlocksPerMultiprocessor.
// Not confirmed by a public table: sm_72's shared memory and threads, taken
// from sm_70, which has the same compute-capability major version.
#include "kpipe/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace kpipe {

static constexpr uint32_t KB = 1024;

// clang-format off
static constexpr ArchLimits Archs[] = {
    // name      cc     shared/SM  opt-in    reserved granularity threads blocks
    {"sm_70",   7, 0,   96 * KB,   96 * KB,  0,       256,        2048,   32},
    {"sm_72",   7, 2,   96 * KB,   96 * KB,  0,       256,        2048,   32},
    {"sm_75",   7, 5,   64 * KB,   64 * KB,  0,       256,        1024,   16},
    {"sm_80",   8, 0,  164 * KB,  163 * KB,  1 * KB,  128,        2048,   32},
    {"sm_86",   8, 6,  100 * KB,   99 * KB,  1 * KB,  128,        1536,   16},
    {"sm_87",   8, 7,  164 * KB,  163 * KB,  1 * KB,  128,        1536,   16},
    {"sm_88",   8, 8,  100 * KB,   99 * KB,  1 * KB,  128,        1536,   16},
    {"sm_89",   8, 9,  100 * KB,   99 * KB,  1 * KB,  128,        1536,   24},
    {"sm_90",   9, 0,  228 * KB,  227 * KB,  1 * KB,  128,        2048,   32},
    {"sm_100", 10, 0,  228 * KB,  227 * KB,  1 * KB,  128,        2048,   32},
    // sm_110 was called sm_101 before CUDA 13.
    {"sm_101", 10, 1,  228 * KB,  227 * KB,  1 * KB,  128,        1536,   24},
    {"sm_103", 10, 3,  228 * KB,  227 * KB,  1 * KB,  128,        2048,   32},
    {"sm_110", 11, 0,  228 * KB,  227 * KB,  1 * KB,  128,        1536,   24},
    {"sm_120", 12, 0,  100 * KB,   99 * KB,  1 * KB,  128,        1536,   24},
    {"sm_121", 12, 1,  100 * KB,   99 * KB,  1 * KB,  128,        1536,   24},
};
// clang-format on

llvm::ArrayRef<ArchLimits> allArchs() { return Archs; }

/// Whether \p Suffix may follow the name of \p Arch: `a` exists since sm_90,
/// `f` since sm_100.
static bool isSuffixOf(const ArchLimits &Arch, llvm::StringRef Suffix) {
  if (Suffix.empty())
    return true;
  if (Suffix == "a")
    return Arch.Major >= 9;
  return Suffix == "f" && Arch.Major >= 10;
}

llvm::Expected<const ArchLimits &> findArch(llvm::StringRef Name) {
  for (const ArchLimits &Arch : Archs) {
    llvm::StringRef Suffix = Name;
    if (Suffix.consume_front(Arch.Name) && isSuffixOf(Arch, Suffix))
      return Arch;
  }
  std::string Known = llvm::join(
      llvm::map_range(Archs, [](const ArchLimits &A) { return A.Name; }), ", ");
  return llvm::createStringError("unknown architecture '" + Name +
                                 "'; known are " + Known);
}

} // namespace kpipe
