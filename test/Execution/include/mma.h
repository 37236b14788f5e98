// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for wmma. A fragment is spread over the lanes of its warp, element E
// of the row-major matrix in lane E % 32; CUDA leaves the layout open, so no
// sound program can tell. The product waits for all lanes and is computed once.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include <type_traits>

namespace nvcuda::wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision

namespace kx_detail {
template <typename T> struct Storage {
  using Type = T;
};
template <> struct Storage<precision::tf32> {
  using Type = float;
};
template <typename Use, int M, int N, int K> struct Shape;
template <int M, int N, int K> struct Shape<matrix_a, M, N, K> {
  static constexpr int Rows = M, Columns = K;
};
template <int M, int N, int K> struct Shape<matrix_b, M, N, K> {
  static constexpr int Rows = K, Columns = N;
};
template <int M, int N, int K> struct Shape<accumulator, M, N, K> {
  static constexpr int Rows = M, Columns = N;
};
} // namespace kx_detail

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
struct fragment : kx_detail::Shape<Use, M, N, K> {
  using element_type = typename kx_detail::Storage<T>::Type;
  using storage_element_type = element_type;
  static constexpr int num_elements =
      kx_detail::Shape<Use, M, N, K>::Rows *
      kx_detail::Shape<Use, M, N, K>::Columns / 32;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <typename Use, int M, int N, int K, typename T, typename L, typename V>
KX_INLINE void fill_fragment(fragment<Use, M, N, K, T, L> &F, const V &Value) {
  for (int I = 0; I < F.num_elements; ++I)
    F.x[I] = Value;
}

namespace kx_detail {
// Calls Move(element, offset in memory) for each element that this lane holds.
template <typename Frag, typename Fn>
KX_INLINE void forEach(unsigned Ldm, bool RowMajor, Fn Move) {
  unsigned Lane = kx_lane();
  for (int I = 0; I < Frag::num_elements; ++I) {
    unsigned E = unsigned(I) * 32 + Lane;
    unsigned Row = E / Frag::Columns, Column = E % Frag::Columns;
    Move(I, RowMajor ? std::size_t(Row) * Ldm + Column
                     : std::size_t(Column) * Ldm + Row);
  }
}
template <typename L> constexpr bool IsRowMajor = false;
template <> inline constexpr bool IsRowMajor<row_major> = true;

template <typename FD, typename FA, typename FB, typename FC> struct Product {
  FD *D;
  const FA *A;
  const FB *B;
  const FC *C;
  KX_UNCHECKED static void combine(void **Slots, unsigned) {
    using Acc = typename FC::element_type;
    constexpr int M = FA::Rows, N = FB::Columns, K = FA::Columns;
    // In float or int throughout, whatever the accumulator is rounded to.
    using Element = typename FA::element_type;
    using Wide = std::conditional_t<
        std::is_integral<Element>::value, int,
        std::conditional_t<std::is_same<Element, double>::value, double,
                           float>>;
    static Wide A[M][K], B[K][N];
    static Acc D[M][N];
    auto At = [&](int E) __attribute__((disable_sanitizer_instrumentation)) {
      return static_cast<Product *>(Slots[E % 32]);
    };
    for (int E = 0; E < M * K; ++E)
      A[E / K][E % K] = At(E)->A->x[E / 32];
    for (int E = 0; E < K * N; ++E)
      B[E / N][E % N] = At(E)->B->x[E / 32];
    for (int I = 0; I < M; ++I)
      for (int J = 0; J < N; ++J) {
        Wide Sum = At(I * N + J)->C->x[(I * N + J) / 32];
        for (int L = 0; L < K; ++L)
          Sum += A[I][L] * B[L][J];
        D[I][J] = Acc(Sum);
      }
    for (int E = 0; E < M * N; ++E)
      At(E)->D->x[E / 32] = D[E / N][E % N];
  }
};
} // namespace kx_detail

template <typename Use, int M, int N, int K, typename T, typename L, typename V>
KX_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, L> &F, const V *P,
                                unsigned Ldm) {
  kx_detail::forEach<fragment<Use, M, N, K, T, L>>(
      Ldm, kx_detail::IsRowMajor<L>, [&](int I, std::size_t At) { F.x[I] = P[At]; });
}
template <int M, int N, int K, typename T>
KX_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &F,
                                const T *P, unsigned Ldm, layout_t Layout) {
  kx_detail::forEach<fragment<accumulator, M, N, K, T>>(
      Ldm, Layout == mem_row_major,
      [&](int I, std::size_t At) { F.x[I] = P[At]; });
}
template <int M, int N, int K, typename T>
KX_INLINE void store_matrix_sync(T *P,
                                 const fragment<accumulator, M, N, K, T> &F,
                                 unsigned Ldm, layout_t Layout) {
  kx_detail::forEach<fragment<accumulator, M, N, K, T>>(
      Ldm, Layout == mem_row_major,
      [&](int I, std::size_t At) { P[At] = F.x[I]; });
}
template <typename FD, typename FA, typename FB, typename FC>
KX_SYNC void mma_sync(FD &D, const FA &A, const FB &B, const FC &C,
                        bool = false) {
  using Product = kx_detail::Product<FD, FA, FB, FC>;
  Product P{&D, &A, &B, &C};
  kx_warp(0xFFFFFFFFu, &P, &Product::combine, 0);
}
KX_INLINE float __float_to_tf32(float V) {
  return kx_bits<float>((kx_bits<unsigned>(V) + 0x1000) & ~0x1FFFu);
}
} // namespace nvcuda::wmma
