// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.h: warp matrix functions (nvcuda::wmma) as the CUDA programming guide
// documents them. A fragment's layout is opaque there, but its element count is
// not: num_elements and sizeof are those of the toolkit, so that registers are
// counted alike.
#ifndef KPIPE_DECL_MMA_H
#define KPIPE_DECL_MMA_H
// The toolkit's own guard, for code that asks whether its header came before.
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
namespace experimental {} // namespace experimental
} // namespace precision
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

// What a fragment of element type T stores.
template <class _Tp> struct __kpipe_storage {
  using type = _Tp;
};
template <> struct __kpipe_storage<precision::tf32> {
  using type = float;
};
template <> struct __kpipe_storage<experimental::precision::u4> {
  using type = unsigned int;
};
template <> struct __kpipe_storage<experimental::precision::s4> {
  using type = int;
};
template <> struct __kpipe_storage<experimental::precision::b1> {
  using type = unsigned int;
};

// Elements and stored words that one lane holds; undefined for shapes that the
// hardware has not, as in the toolkit.
template <class _Use, int _Mp, int _Np, int _Kp, class _Tp>
struct __kpipe_fragment;
#define KPIPE_FRAGMENT(USE, _Mp, _Np, _Kp, _Tp, ELEMENTS, STORED)              \
  template <> struct __kpipe_fragment<USE, _Mp, _Np, _Kp, _Tp> {               \
    static constexpr int elements = ELEMENTS, stored = STORED;                 \
  };
#define KPIPE_SHAPES(_Tp, A16, A32, A8, B16, B32, B8)                          \
  KPIPE_FRAGMENT(matrix_a, 16, 16, 16, _Tp, A16, A16)                          \
  KPIPE_FRAGMENT(matrix_a, 32, 8, 16, _Tp, A32, A32)                           \
  KPIPE_FRAGMENT(matrix_a, 8, 32, 16, _Tp, A8, A8)                             \
  KPIPE_FRAGMENT(matrix_b, 16, 16, 16, _Tp, B16, B16)                          \
  KPIPE_FRAGMENT(matrix_b, 32, 8, 16, _Tp, B32, B32)                           \
  KPIPE_FRAGMENT(matrix_b, 8, 32, 16, _Tp, B8, B8)
#define KPIPE_ACCUMULATORS(_Tp)                                                \
  KPIPE_FRAGMENT(accumulator, 16, 16, 16, _Tp, 8, 8)                           \
  KPIPE_FRAGMENT(accumulator, 32, 8, 16, _Tp, 8, 8)                            \
  KPIPE_FRAGMENT(accumulator, 8, 32, 16, _Tp, 8, 8)
// Half fragments hold every element twice, the others once.
KPIPE_SHAPES(__half, 16, 16, 16, 16, 16, 16)
KPIPE_SHAPES(__nv_bfloat16, 8, 16, 4, 8, 4, 16)
KPIPE_SHAPES(signed char, 8, 16, 4, 8, 4, 16)
KPIPE_SHAPES(unsigned char, 8, 16, 4, 8, 4, 16)
KPIPE_ACCUMULATORS(__half)
KPIPE_ACCUMULATORS(float)
KPIPE_ACCUMULATORS(int)
KPIPE_FRAGMENT(matrix_a, 16, 16, 8, precision::tf32, 4, 4)
KPIPE_FRAGMENT(matrix_b, 16, 16, 8, precision::tf32, 4, 4)
KPIPE_FRAGMENT(accumulator, 16, 16, 8, float, 8, 8)
KPIPE_FRAGMENT(matrix_a, 8, 8, 4, double, 1, 1)
KPIPE_FRAGMENT(matrix_b, 8, 8, 4, double, 1, 1)
KPIPE_FRAGMENT(accumulator, 8, 8, 4, double, 2, 2)
KPIPE_FRAGMENT(matrix_a, 8, 8, 32, experimental::precision::u4, 8, 1)
KPIPE_FRAGMENT(matrix_b, 8, 8, 32, experimental::precision::u4, 8, 1)
KPIPE_FRAGMENT(matrix_a, 8, 8, 32, experimental::precision::s4, 8, 1)
KPIPE_FRAGMENT(matrix_b, 8, 8, 32, experimental::precision::s4, 8, 1)
KPIPE_FRAGMENT(accumulator, 8, 8, 32, int, 2, 2)
KPIPE_FRAGMENT(matrix_a, 8, 8, 128, experimental::precision::b1, 32, 1)
KPIPE_FRAGMENT(matrix_b, 8, 8, 128, experimental::precision::b1, 32, 1)
KPIPE_FRAGMENT(accumulator, 8, 8, 128, int, 2, 2)
#undef KPIPE_FRAGMENT
#undef KPIPE_SHAPES
#undef KPIPE_ACCUMULATORS

template <class _Use, int _Mp, int _Np, int _Kp, class _Tp,
          class _Layout = void>
class alignas(8) fragment {
  using __shape = __kpipe_fragment<_Use, _Mp, _Np, _Kp, _Tp>;

public:
  enum {
    num_elements = __shape::elements,
    num_storage_elements = __shape::stored
  };
  using element_type = _Tp;
  using storage_element_type = typename __kpipe_storage<_Tp>::type;
  storage_element_type x[num_storage_elements];
};

template <class _Use, int _Mp, int _Np, int _Kp, class _Tp, class _Layout,
          class _Up>
__device__ void fill_fragment(fragment<_Use, _Mp, _Np, _Kp, _Tp, _Layout> &f,
                              const _Up &value);
template <class _Use, int _Mp, int _Np, int _Kp, class _Tp, class _Layout,
          class _Up>
__device__ void load_matrix_sync(fragment<_Use, _Mp, _Np, _Kp, _Tp, _Layout> &f,
                                 const _Up *p, unsigned ldm);
template <int _Mp, int _Np, int _Kp, class _Tp, class _Up>
__device__ void load_matrix_sync(fragment<accumulator, _Mp, _Np, _Kp, _Tp> &f,
                                 const _Up *p, unsigned ldm, layout_t layout);
template <int _Mp, int _Np, int _Kp, class _Tp, class _Up>
__device__ void
store_matrix_sync(_Up *p, const fragment<accumulator, _Mp, _Np, _Kp, _Tp> &f,
                  unsigned ldm, layout_t layout);
template <int _Mp, int _Np, int _Kp, class _TA, class _LA, class _TB, class _LB,
          class _TC, class _TD>
__device__ void mma_sync(fragment<accumulator, _Mp, _Np, _Kp, _TD> &d,
                         const fragment<matrix_a, _Mp, _Np, _Kp, _TA, _LA> &a,
                         const fragment<matrix_b, _Mp, _Np, _Kp, _TB, _LB> &b,
                         const fragment<accumulator, _Mp, _Np, _Kp, _TC> &c,
                         bool satf = false);
template <int _Mp, int _Np, int _Kp, class _TA, class _LA, class _TB, class _LB>
__device__ void bmma_sync(
    fragment<accumulator, _Mp, _Np, _Kp, int> &d,
    const fragment<matrix_a, _Mp, _Np, _Kp, _TA, _LA> &a,
    const fragment<matrix_b, _Mp, _Np, _Kp, _TB, _LB> &b,
    const fragment<accumulator, _Mp, _Np, _Kp, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp acc = experimental::bmmaAccumulateOpPOPC);
__host__ __device__ __attribute__((const)) float __float_to_tf32(float x);

namespace experimental {
using nvcuda::wmma::bmma_sync;
} // namespace experimental

} // namespace wmma
} // namespace nvcuda

#endif // KPIPE_DECL_MMA_H
