// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that a kernel compiled for the executor makes into it. The stand-in
// CUDA headers are the only callers; kernels never see these names. Knows
// nothing of how threads are scheduled or what is checked.
#pragma once

#include <cstddef>
#include <cstdint>

// `extern "C"` keeps the names readable in a dynamic symbol table; a struct of
// three integers comes back in registers, so reading threadIdx costs no
// (instrumented) memory access.
struct uint3 {
  unsigned x, y, z;
};

// One operand of an inline asm statement. Outputs hand over their address,
// inputs a copy of their bits.
struct KxOperand {
  void *Address;       // of the output, null for an input
  std::uint64_t Value; // bits of the input (or of a read-write output)
  unsigned Size;       // bytes
};

// Each call in the source stays one call: a barrier is known by its place. (The
// executor itself may be built by a compiler that lacks these.)
#ifdef __clang__
#define KX_SYNCHRONISES __attribute__((noduplicate, nomerge, convergent))
#else
#define KX_SYNCHRONISES
#endif

extern "C" {
// --- Where am I. Constant within a fiber, hence `const`. ---
__attribute__((const)) uint3 kx_thread_index();
__attribute__((const)) uint3 kx_block_index();
__attribute__((const)) uint3 kx_block_dim();
__attribute__((const)) uint3 kx_grid_dim();

// --- Block barrier: every live thread of the block must come to the same call.
// Returns a reduction of Predicate over the block: count, and, or.
enum KxReduce { KxCount, KxAnd, KxOr };
KX_SYNCHRONISES int kx_barrier(int Predicate, KxReduce Reduce);

// --- Warp collectives: every live lane named in Mask must come; the last one
// runs Combine over the lanes' slots (null for absent lanes), then all go on.
using KxCombine = void (*)(void **Slots, unsigned Mask);
KX_SYNCHRONISES void kx_warp(unsigned Mask, void *Slot,
                                          KxCombine Combine, int OrdersMemory);
__attribute__((const)) unsigned kx_lane();
unsigned kx_live_lanes();

// --- Memory accesses made by stand-ins on behalf of the kernel. ---
void kx_read(const void *Address, std::size_t Bytes);
void kx_write(void *Address, std::size_t Bytes);
void kx_atomic(void *Address, std::size_t Bytes);
bool kx_written(const void *Address); // a byte of shared memory, by this block

// --- Asynchronous copies, global to shared. Bytes is 4, 8 or 16; only the
// first Valid bytes are read, the rest of the destination becomes zero.
void kx_copy_async(void *Dst, const void *Src, unsigned Bytes, unsigned Valid);
void kx_commit();
void kx_wait_prior(unsigned Groups);
void kx_wait_all(); // also what was never committed

// --- Inline asm, by opcode. ---
KX_SYNCHRONISES void
kx_ptx(const char *Text, KxOperand *Operands, unsigned Count);
[[noreturn]] void kx_unsupported(const char *What);
std::uint32_t kx_shared_address(const void *Generic);
void *kx_generic_address(std::uint64_t Shared);

// --- The harness: cases, buffers, launches. ---
void kx_register_module(char *SharedBegin, char *SharedEnd);
void kx_register_case(const char *Name, void (*Body)());
void kx_label(const char *Label); // names the iteration of the case that runs
void *kx_alloc(const char *Name, std::size_t Bytes);
void kx_release(void *Buffer); // records its contents for comparison
unsigned kx_stages();          // S, from which trip counts are derived
void kx_launch(uint3 Grid, uint3 Block, std::size_t DynamicShared,
               void (*Thread)(void *), void *Closure);
}
