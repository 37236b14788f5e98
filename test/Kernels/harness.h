// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a test kernel says with what it is to be launched. Under
// `#ifdef KPIPE_HARNESS`, at the end of its file:
//
//   #include "harness.h"
//   CASE(sgemm) {
//     for (int k : sizes(BK)) {                  // 0, 1, 2, 3, ... tiles, partial
//       auto a = in<float>("A", M * k), b = in<float>("B", k * N);
//       auto c = out<float>("C", M * N);
//       launch({dim3(N / BN, M / BM), dim3(BN, BM)}, sgemm, a, b, c, M, N, k);
//     }
//   }
//
// The same text runs on the CPU under the executor and on a GPU; the backend
// that is first on the include path decides (Execution/include or GPU). When a
// buffer dies, its contents are recorded; two programs are equal if they record
// the same. Knows nothing of what kpipe does to the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#include <cuda_runtime.h>

#include "harness_backend.h"

namespace harness {

/// A few numbers in ascending order, each once. (Every program compiles this
/// file: it takes nothing from the library that costs more than it does.)
class Numbers {
  int Values[16], Count = 0;

public:
  __attribute__((noinline)) void add(int V) {
    int At = Count;
    while (At && Values[At - 1] > V)
      --At;
    if (At && Values[At - 1] == V)
      return;
    for (int I = Count++; I > At; --I)
      Values[I] = Values[I - 1];
    Values[At] = V;
  }
  const int *begin() const { return Values; }
  const int *end() const { return Values + Count; }
};

/// Trip counts at which pipelines of S stages go wrong: 0, 1, 2, 3, S, S+1 and
/// 2S+1. S is chosen by who runs the test.
inline Numbers trips() {
  int S = int(backend::stages());
  Numbers V;
  for (int T : {0, 1, 2, 3, S, S + 1, 2 * S + 1})
    V.add(T);
  return V;
}

/// The same trips as sizes of a dimension that is tiled by Tile. The running
/// size is named in what is reported.
class Sizes {
  Numbers Values;

public:
  explicit Sizes(const Numbers &V) : Values(V) {}
  struct Iterator {
    const int *At;
    int operator*() const {
      char Label[32];
      std::snprintf(Label, sizeof Label, "size %d", *At);
      backend::label(Label);
      return *At;
    }
    Iterator &operator++() {
      ++At;
      return *this;
    }
    bool operator!=(const Iterator &Other) const { return At != Other.At; }
  };
  Iterator begin() const { return {Values.begin()}; }
  Iterator end() const { return {Values.end()}; }
};

/// Multiples of Tile only: for kernels that assume them.
inline Sizes multiples(int Tile) {
  Numbers V;
  for (int T : trips())
    V.add(T * Tile);
  return Sizes(V);
}

/// Multiples of Tile, and sizes that end in a partial tile.
inline Sizes sizes(int Tile) {
  Numbers V;
  for (int T : trips())
    V.add(T * Tile);
  for (int Partial : {1, Tile - 1, Tile + 1, 3 * Tile - Tile / 2})
    V.add(Partial);
  return Sizes(V);
}

/// The I-th pseudo-random value of a buffer, the same in every run: small
/// multiples of 1/8 for floating point, so that few roundings hide a mix-up.
template <typename T> T value(std::size_t I, std::uint32_t Salt) {
  std::uint64_t H = (I + 1) * 0x9E3779B97F4A7C15ull + Salt * 0xD1B54A32D192ED03ull;
  H ^= H >> 29;
  H *= 0xBF58476D1CE4E5B9ull;
  H ^= H >> 32;
  if constexpr (std::is_integral<T>::value)
    return T(int(H % 15) - 7);
  else
    return T(float(int(H % 65) - 32) / 8.0f);
}

/// What a buffer is filled with, all zero at first, padding as well.
template <typename T> class Contents {
  T *Data;

public:
  explicit Contents(std::size_t Count) : Data(new T[Count]()) {}
  Contents(const Contents &) = delete;
  ~Contents() { delete[] Data; }
  operator T *() { return Data; }
};

/// A buffer in device memory. Converts to the pointer that a kernel takes.
template <typename T> class Buffer {
  T *Device;

public:
  Buffer(const char *Name, const T *Contents, std::size_t Count)
      : Device(static_cast<T *>(backend::allocate(Name, Count * sizeof(T)))) {
    backend::fill(Device, Contents, Count * sizeof(T));
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { backend::release(Device); }
  operator T *() const { return Device; }
  operator const T *() const { return Device; }
  /// Seen as another type, for kernels that take vectors or structs.
  template <typename U> U *as() const { return reinterpret_cast<U *>(Device); }
};

inline std::uint32_t salt(const char *Name) {
  std::uint32_t H = 2166136261u;
  for (; *Name; ++Name)
    H = (H ^ std::uint32_t(static_cast<unsigned char>(*Name))) * 16777619u;
  return H;
}

/// Count elements of pseudo-random input, or what Fill(i) says. For a struct,
/// give Fill or take in<float>(...).as<Struct>().
template <typename T> Buffer<T> in(const char *Name, std::size_t Count) {
  Contents<T> Values(Count);
  for (std::size_t I = 0; I < Count; ++I)
    Values[I] = value<T>(I, salt(Name));
  return Buffer<T>(Name, Values, Count);
}
template <typename T, typename Fn>
Buffer<T> in(const char *Name, std::size_t Count, Fn Fill) {
  Contents<T> Values(Count);
  for (std::size_t I = 0; I < Count; ++I)
    Values[I] = Fill(I);
  return Buffer<T>(Name, Values, Count);
}

/// Count elements of output. What a kernel leaves alone keeps a known pattern.
template <typename T> Buffer<T> out(const char *Name, std::size_t Count) {
  Contents<T> Values(Count);
  std::memset(static_cast<void *>(static_cast<T *>(Values)), 0x5A, Count * sizeof(T));
  return Buffer<T>(Name, Values, Count);
}

/// Where a kernel runs: grid, block, bytes of dynamic shared memory.
struct Shape {
  dim3 grid, block;
  std::size_t shared = 0;
};

template <typename... Params, typename... Args>
void launch(Shape S, void (*Kernel)(Params...), Args &&...A) {
  backend::launch<Params...>(S.grid, S.block, S.shared, Kernel,
                             static_cast<Params>(A)...);
}

struct Registration {
  Registration(const char *Name, void (*Body)()) {
    backend::registerCase(Name, Body);
  }
};

} // namespace harness

/// A case: a body that makes buffers and launches. Name it after its kernel.
#define CASE(Name)                                                             \
  static void kpipe_case_##Name();                                             \
  static harness::Registration kpipe_register_##Name(#Name,                    \
                                                     &kpipe_case_##Name);      \
  static void kpipe_case_##Name()
using harness::in;
using harness::launch;
using harness::multiples;
using harness::out;
using harness::sizes;
