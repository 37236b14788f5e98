// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups.h: groups of threads as the CUDA programming guide
// documents them, with kpipe's declarations of reduce, scan and memcpy_async in
// the files below cooperative_groups/. Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_H
// The toolkit's own guard, for code that asks whether its header came before.
#define _COOPERATIVE_GROUPS_H_

#include "__kpipe_cuda_runtime.h"

namespace cooperative_groups {

class thread_block;

class thread_group {
  unsigned long long __data[2];

public:
  thread_group() = default;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;
  __device__ bool is_valid() const;
};

class thread_block : public thread_group {
public:
  struct arrival_token {};
  static __device__ void sync();
  static __device__ unsigned int thread_rank();
  static __device__ dim3 group_index();
  static __device__ dim3 thread_index();
  static __device__ dim3 group_dim();
  static __device__ dim3 dim_threads();
  static __device__ unsigned int num_threads();
  static __device__ unsigned int size();
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&token) const;
};

class cluster_group : public thread_group {
public:
  static __device__ void sync();
  static __device__ void barrier_arrive();
  static __device__ void barrier_wait();
  static __device__ unsigned int thread_rank();
  static __device__ unsigned int block_rank();
  static __device__ unsigned int num_blocks();
  static __device__ unsigned int num_threads();
  static __device__ dim3 block_index();
  static __device__ dim3 dim_blocks();
  template <class _Tp> static __device__ _Tp *map_shared_rank(_Tp *p, int rank);
  template <class _Tp>
  static __device__ unsigned int query_shared_rank(const _Tp *p);
};

class grid_group : public thread_group {
public:
  struct arrival_token {};
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long block_rank() const;
  __device__ unsigned long long num_blocks() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 block_index() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&token) const;
};

class multi_grid_group : public thread_group {
public:
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned int grid_rank() const;
  __device__ unsigned int num_grids() const;
};

class __kpipe_warp_group : public thread_group {
public:
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned long long meta_group_size() const;
  __device__ unsigned long long meta_group_rank() const;
  template <class _Tp> __device__ _Tp shfl(_Tp v, int lane) const;
  template <class _Tp> __device__ _Tp shfl_up(_Tp v, unsigned delta) const;
  template <class _Tp> __device__ _Tp shfl_down(_Tp v, unsigned delta) const;
  template <class _Tp> __device__ _Tp shfl_xor(_Tp v, unsigned mask) const;
  __device__ int any(int predicate) const;
  __device__ int all(int predicate) const;
  __device__ unsigned int ballot(int predicate) const;
  template <class _Tp> __device__ unsigned int match_any(_Tp v) const;
  template <class _Tp>
  __device__ unsigned int match_all(_Tp v, int &pred) const;
};

class coalesced_group : public __kpipe_warp_group {};

template <unsigned int _Size, class _Parent = void>
class thread_block_tile : public __kpipe_warp_group {
public:
  static __device__ constexpr unsigned int size() { return _Size; }
  static __device__ constexpr unsigned int num_threads() { return _Size; }
  thread_block_tile() = default;
  template <class _Pp>
  __device__ thread_block_tile(const thread_block_tile<_Size, _Pp> &);
};

template <unsigned int _MaxBlockSize = 1024> struct block_tile_memory {
  char __data[_MaxBlockSize / 32 * 8];
};

__device__ thread_block this_thread_block();
template <unsigned int _Np>
__device__ thread_block this_thread_block(block_tile_memory<_Np> &memory);
__device__ thread_block_tile<1, void> this_thread();
__device__ cluster_group this_cluster();
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ coalesced_group coalesced_threads();

template <unsigned int _Size, class _Parent>
__device__ thread_block_tile<_Size, _Parent> tiled_partition(const _Parent &g);
__device__ thread_group tiled_partition(const thread_group &g,
                                        unsigned int size);
__device__ coalesced_group binary_partition(const coalesced_group &g,
                                            bool predicate);
template <unsigned int _Size, class _Pp>
__device__ coalesced_group
binary_partition(const thread_block_tile<_Size, _Pp> &g, bool predicate);
template <class _Gp>
__device__ coalesced_group labeled_partition(const _Gp &g, int label);

// With bodies: a closure's type has no linkage, so that its functions must be
// defined here.
template <class _Gp, class _Fp>
__device__ void invoke_one(const _Gp &g, _Fp &&callable) {
  callable();
}
template <class _Gp, class _Fp>
__device__ auto invoke_one_broadcast(const _Gp &g, _Fp &&callable)
    -> decltype(callable()) {
  return callable();
}

template <class _Gp> __device__ void sync(const _Gp &g);
template <class _Gp> __device__ auto thread_rank(const _Gp &g) {
  return g.thread_rank();
}
template <class _Gp> __device__ auto group_size(const _Gp &g) {
  return g.size();
}

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_H
