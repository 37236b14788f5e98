// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors as class templates, given by value: their constructors assign by a
// call of `operator=`, rows are views by value that refer to their tensor.
// Index variables of the load are declared in the loop, which runs in a loop.
// REQUIRES: executor
// RUN: %variants --at-least=1 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s
// CHECK: 2 stages of queries, vectors

constexpr int Warps = 4, Lanes = 32;

template <typename T, int Dim> class Tensor;

template <typename Whole, int Dim> class View {
public:
  __host__ __device__ View(Whole &t, typename Whole::Element *data)
      : tensor(t), data(data) {}
  __device__ const View<Whole, Dim - 1> operator[](long i) const {
    if (Dim == 1)
      return View<Whole, Dim - 1>(tensor, data + i);
    return View<Whole, Dim - 1>(tensor, data + i * tensor.stride(0));
  }

private:
  Whole &tensor;
  typename Whole::Element *const data;
};
template <typename Whole> class View<Whole, 0> {
public:
  __host__ __device__ View(Whole &t, typename Whole::Element *data)
      : tensor(t), data(data) {}
  __device__ operator const typename Whole::Element &() const { return *data; }

private:
  Whole &tensor;
  typename Whole::Element *const data;
};

template <typename T, int Dim> class Tensor {
public:
  typedef T Element;
  __host__ __device__ Tensor() : data(nullptr) {}
  __host__ __device__ Tensor(T *from, long rows, long columns) : data(from) {
    sizes[0] = rows;
    sizes[1] = strides[0] = columns;
    strides[1] = 1;
  }
  __host__ __device__ Tensor(const Tensor &t) { this->operator=(t); }
  __host__ __device__ Tensor &operator=(const Tensor &t) {
    data = t.data;
    for (int i = 0; i < Dim; ++i) {
      sizes[i] = t.sizes[i];
      strides[i] = t.strides[i];
    }
    return *this;
  }
  __device__ const View<Tensor, Dim - 1> operator[](long i) const {
    return View<Tensor, Dim>(const_cast<Tensor &>(*this), data)[i];
  }
  __device__ long size(int i) const { return sizes[i]; }
  __device__ long stride(int i) const { return strides[i]; }

private:
  T *data;
  long sizes[Dim], strides[Dim];
};

template <typename T>
__global__ void __launch_bounds__(Warps *Lanes)
    distances(const Tensor<T, 2> all, const Tensor<T, 2> asked, int *nearest) {
  __shared__ T queries[Warps][Lanes + 1];
  __shared__ T vectors[Lanes][Lanes + 1];
  const int warp = threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
  const long query = long(blockIdx.x) * Warps + warp;
  const bool known = query < asked.size(0);
  int best = 1 << 30;
  for (long first = 0; first < all.size(0); first += Lanes) {
    int distance = 0;
    for (long k = 0; k < all.size(1); k += Lanes) {
      long column = k + lane;
      bool inside = column < all.size(1);
      queries[warp][lane] = known && inside ? asked[query][column] : 0;
      for (int i = 0; i < Lanes / Warps; ++i) {
        int row = i * Warps + warp;
        long vector = first + row;
        bool there = vector < all.size(0);
        vectors[row][lane] = there && inside ? all[vector][column] : 0;
      }
      __syncthreads();
      for (int i = 0; i < Lanes; ++i)
        distance += __popc(queries[warp][i] ^ vectors[lane][i]);
      __syncthreads();
    }
    if (first + lane < all.size(0))
      best = min(best, distance);
  }
  nearest[blockIdx.x * blockDim.x + threadIdx.x] = known ? best : -1;
}
void run(Tensor<unsigned, 2> &all, Tensor<unsigned, 2> &asked, int *nearest) {
  distances<unsigned><<<2, Warps * Lanes>>>(all, asked, nearest);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(distances) {
  for (int columns : {1, 31, 64, 100}) {
    auto all = in<unsigned>("all", 70 * columns),
         asked = in<unsigned>("asked", 7 * columns);
    auto nearest = out<int>("nearest", 2 * Warps * Lanes);
    launch({2, Warps * Lanes}, distances<unsigned>,
           Tensor<unsigned, 2>(all, 70, columns),
           Tensor<unsigned, 2>(asked, 7, columns), nearest);
  }
}
#endif
