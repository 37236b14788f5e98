// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel per shape of a copy, with the PTX that each must become: CHECK
// from sm_80 on, SYNC below.
#include <kpipe/pipeline.h>

template <typename T>
__device__ void stage_tile(const T *src, T *out, bool valid) {
  __shared__ T tile[64];
  kpipe::copy_async(&tile[threadIdx.x], &src[threadIdx.x]);
  kpipe::copy_async_zfill(&tile[threadIdx.x + 32], &src[threadIdx.x], valid);
  kpipe::commit();
  kpipe::wait_prior<3>();
  kpipe::wait_prior<0>();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 33];
}

// CHECK-LABEL: .entry copy_4_bytes(
// CHECK: cp.async.ca.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 4;
// CHECK-NOT: bra
// CHECK: selp.b32 [[BYTES:%r[0-9]+]], {{0, 4|4, 0}}, %p
// CHECK-NOT: bra
// CHECK: cp.async.ca.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 4, [[BYTES]];
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 3;
// CHECK: cp.async.wait_group 0;
// CHECK: {{bar(rier)?}}.sync
// CHECK: ld.shared
// SYNC-NOT: cp.async
// SYNC-LABEL: .entry copy_4_bytes(
// SYNC: ld.global.{{[bfu]}}32
// SYNC: st.shared.{{[bfu]}}32
// SYNC: {{bar(rier)?}}.sync
extern "C" __global__ void copy_4_bytes(const float *src, float *out,
                                        bool valid) {
  stage_tile(src, out, valid);
}

// CHECK-LABEL: .entry copy_8_bytes(
// CHECK: cp.async.ca.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 8;
// CHECK: cp.async.ca.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 8, %r{{[0-9]+}};
// SYNC-NOT: cp.async
// SYNC-LABEL: .entry copy_8_bytes(
// SYNC: st.shared.{{[bfu]}}64
extern "C" __global__ void copy_8_bytes(const double *src, double *out,
                                        bool valid) {
  stage_tile(src, out, valid);
}

// CHECK-LABEL: .entry copy_16_bytes(
// CHECK: cp.async.cg.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 16;
// CHECK: cp.async.cg.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 16, %r{{[0-9]+}};
// SYNC-NOT: cp.async
// SYNC-LABEL: .entry copy_16_bytes(
// SYNC: st.shared.
extern "C" __global__ void copy_16_bytes(const float4 *src, float4 *out,
                                         bool valid) {
  stage_tile(src, out, valid);
}

// A source that is not const, and a struct that is not trivially copyable in
// the way __half2 is not.
struct alignas(4) Pair {
  unsigned short x, y;
  __device__ Pair() {}
  __device__ Pair(const Pair &other) : x(other.x), y(other.y) {}
  __device__ Pair &operator=(const Pair &other) {
    x = other.x;
    y = other.y;
    return *this;
  }
};

// CHECK-LABEL: .entry copy_pair(
// CHECK: cp.async.ca.shared.global [%{{r[0-9]+}}], [%{{rd[0-9]+}}], 4;
// SYNC-NOT: cp.async
// SYNC-LABEL: .entry copy_pair(
extern "C" __global__ void copy_pair(Pair *src, unsigned short *out) {
  __shared__ unsigned raw[32];
  Pair *tile = reinterpret_cast<Pair *>(raw);
  kpipe::copy_async(&tile[threadIdx.x], &src[threadIdx.x]);
  kpipe::commit();
  kpipe::wait_prior<0>();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1].y;
}

// The zero is a constant that is stored, or chosen.
// SYNC-LABEL: .entry fill_4_bytes(
// SYNC: {{st.shared.* 0;|0f00000000|mov.u16 .* 0;}}
// SYNC: {{bar(rier)?}}.sync
extern "C" __global__ void fill_4_bytes(const float *src, float *out,
                                        bool valid) {
  __shared__ float tile[64];
  kpipe::copy_async_zfill(&tile[threadIdx.x], &src[threadIdx.x], valid);
  kpipe::commit();
  kpipe::wait_prior<0>();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 33];
}
