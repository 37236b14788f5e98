// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang's -fsanitize=thread instrumentation calls before every memory
// access, in place of the sanitizer's own runtime. Only forwards; knows no
// rules. Aligned callbacks promise natural alignment up to 8 bytes, which is
// checked, since a GPU faults where x86 does not.
#include "MachineAccess.h"

#include <cstring>

using namespace kpipe::exec;

#define CALLER __builtin_return_address(0)

template <std::size_t Bytes, Access A>
__attribute__((noinline)) static void any(void *P, void *PC) {
  TheMachine->accessHere(P, Bytes, A, PC);
}

template <std::size_t Bytes, Access A>
KPIPE_INLINE static void aligned(void *P, void *PC) {
  constexpr std::size_t To = Bytes < 8 ? Bytes : 8;
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(P) % To != 0, 0))
    TheMachine->requireAligned(P, To, PC);
  if (A == Access::Read && Bytes >= 4 &&
      TheMachine->readsSettled(P, Bytes, PC))
    return;
  any<Bytes, A>(P, PC);
}

#define ACCESS(Bytes)                                                          \
  extern "C" void __tsan_read##Bytes(void *P) {                                \
    aligned<Bytes, Access::Read>(P, CALLER);                                   \
  }                                                                            \
  extern "C" void __tsan_write##Bytes(void *P) {                               \
    aligned<Bytes, Access::Write>(P, CALLER);                                  \
  }                                                                            \
  extern "C" void __tsan_unaligned_read##Bytes(void *P) {                      \
    TheMachine->access(P, Bytes, Access::Read, CALLER);                        \
  }                                                                            \
  extern "C" void __tsan_unaligned_write##Bytes(void *P) {                     \
    TheMachine->access(P, Bytes, Access::Write, CALLER);                       \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void __tsan_read_range(void *P, std::size_t N) {
  TheMachine->access(P, N, Access::Read, CALLER);
}
void __tsan_write_range(void *P, std::size_t N) {
  TheMachine->access(P, N, Access::Write, CALLER);
}
void *__tsan_memcpy(void *Dst, const void *Src, std::size_t N) {
  TheMachine->access(Src, N, Access::Read, CALLER);
  TheMachine->access(Dst, N, Access::Write, CALLER);
  return std::memcpy(Dst, Src, N);
}
void *__tsan_memmove(void *Dst, const void *Src, std::size_t N) {
  TheMachine->access(Src, N, Access::Read, CALLER);
  TheMachine->access(Dst, N, Access::Write, CALLER);
  return std::memmove(Dst, Src, N);
}
void *__tsan_memset(void *Dst, int Value, std::size_t N) {
  TheMachine->access(Dst, N, Access::Write, CALLER);
  return std::memset(Dst, Value, N);
}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}
}

// Fibers never run at the same time, so plain operations are atomic here.
#define ATOMIC_FETCH(Bits, Type, Name, Expr)                                   \
  extern "C" Type __tsan_atomic##Bits##_##Name(volatile Type *P, Type V,       \
                                               int) {                          \
    TheMachine->access(const_cast<Type *>(P), sizeof(Type), Access::Atomic,    \
                       CALLER);                                                \
    Type Old = *P;                                                             \
    *P = Type(Expr);                                                           \
    return Old;                                                                \
  }
#define ATOMICS(Bits, Type)                                                    \
  extern "C" Type __tsan_atomic##Bits##_load(const volatile Type *P, int) {    \
    TheMachine->access(const_cast<Type *>(P), sizeof(Type), Access::Atomic,    \
                       CALLER);                                                \
    return *P;                                                                 \
  }                                                                            \
  extern "C" void __tsan_atomic##Bits##_store(volatile Type *P, Type V, int) { \
    TheMachine->access(const_cast<Type *>(P), sizeof(Type), Access::Atomic,    \
                       CALLER);                                                \
    *P = V;                                                                    \
  }                                                                            \
  extern "C" Type __tsan_atomic##Bits##_compare_exchange_val(                  \
      volatile Type *P, Type Expected, Type V, int, int) {                     \
    TheMachine->access(const_cast<Type *>(P), sizeof(Type), Access::Atomic,    \
                       CALLER);                                                \
    Type Old = *P;                                                             \
    if (Old == Expected)                                                       \
      *P = V;                                                                  \
    return Old;                                                                \
  }                                                                            \
  ATOMIC_FETCH(Bits, Type, exchange, V)                                        \
  ATOMIC_FETCH(Bits, Type, fetch_add, Old + V)                                 \
  ATOMIC_FETCH(Bits, Type, fetch_sub, Old - V)                                 \
  ATOMIC_FETCH(Bits, Type, fetch_and, Old &V)                                  \
  ATOMIC_FETCH(Bits, Type, fetch_or, Old | V)                                  \
  ATOMIC_FETCH(Bits, Type, fetch_xor, Old ^ V)                                 \
  ATOMIC_FETCH(Bits, Type, fetch_nand, ~(Old & V))
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
