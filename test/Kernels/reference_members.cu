// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that refer to another object, as the rows of tensor classes refer to
// their tensor: what they name is what the constructor binds them to. The
// kernels named `own_...` read through such an object what the tile before
// left there, and those named `moved_...` a variable that the loop changes.
// REQUIRES: executor
// RUN: %variants --at-least=8 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark:' | grep -x 8

constexpr int T = 16;

// A tensor, its rows and their elements.
template <class E, int Rank> class Row;
template <class E, int Rank> class Grid {
public:
  __host__ __device__ Grid(E *data, int rows, int columns) : data(data) {
    size[0] = rows;
    size[1] = strides[0] = columns;
    strides[1] = 1;
  }
  __device__ Row<E, Rank - 1> operator[](int i);
  __device__ const Row<E, Rank - 1> operator[](int i) const;
  __device__ int extent(int d) const { return size[d]; }
  __device__ int stride(int d) const { return strides[d]; }

protected:
  E *data;
  int strides[Rank], size[Rank];
};
template <class E> class Row<E, 0> {
public:
  __device__ Row(Grid<E, 2> &grid, E *at) : grid(grid), at(at) {}
  __device__ Row &operator=(E v) {
    *at = v;
    return *this;
  }
  __device__ operator E &() { return *at; }
  __device__ operator const E &() const { return *at; }

protected:
  Grid<E, 2> &grid;
  E *const at;
};
template <class E, int Rank> class Row {
public:
  __device__ Row(Grid<E, 2> &grid, E *at) : grid(grid), at(at) {}
  __device__ Row<E, Rank - 1> operator[](int i) {
    return Row<E, Rank - 1>(grid, at + i * grid.stride(2 - Rank));
  }
  __device__ const Row<E, Rank - 1> operator[](int i) const {
    return Row<E, Rank - 1>(grid, at + i * grid.stride(2 - Rank));
  }
  __device__ int size() const { return grid.extent(2 - Rank); }

protected:
  Grid<E, 2> &grid;
  E *const at;
};
template <class E, int Rank>
__device__ Row<E, Rank - 1> Grid<E, Rank>::operator[](int i) {
  return Row<E, Rank>(*this, data)[i];
}
template <class E, int Rank>
__device__ const Row<E, Rank - 1> Grid<E, Rank>::operator[](int i) const {
  return Row<E, Rank>(const_cast<Grid &>(*this), data)[i];
}
using Tensor = Grid<float, 2>;

__global__ void __launch_bounds__(T *T)
    elements(const Tensor a, const Tensor b, Tensor c) {
  __shared__ float as[T][T], bs[T][T + 1];
  int y = threadIdx.y, x = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < a.extent(1); k += T) {
    as[y][x] = y < a.extent(0) && k + x < a.extent(1) ? a[y][k + x] : 0;
    bs[y][x] = k + y < b.extent(0) && x < b.extent(1) ? b[k + y][x] : 0;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += as[y][j] * bs[j][x];
    __syncthreads();
  }
  c[y][x] = sum;
}

__global__ void __launch_bounds__(T *T)
    rows_before(Tensor a, Tensor b, Tensor c) {
  __shared__ float as[T][T], bs[T][T + 1];
  int y = threadIdx.y, x = threadIdx.x;
  float sum = 0;
  auto row = a[y];
  for (int k = 0; k < row.size(); k += T) {
    as[y][x] = row[k + x];
    bs[y][x] = b[k + y][x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += as[y][j] * bs[j][x];
    __syncthreads();
  }
  c[y][x] = sum;
}

// A list binds the references.
struct Matrix {
  int width;
  const float *at;
};
struct View {
  const Matrix &of;
  int from;
  __device__ float get(int i) const { return of.at[from + i]; }
};
struct Both {
  View first, second;
};
__device__ View view(const Matrix &m, int from) { return {m, from}; }

__global__ void __launch_bounds__(T)
    lists(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    View v{x, i};
    xs[threadIdx.x] = v.get(threadIdx.x) + view(z, i).get(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    nested(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Both all = {{x, 0}, view(z, 1)};
  for (int i = 0; i < n - 1; i += T) {
    Both v = all;
    xs[threadIdx.x] = v.first.get(i + threadIdx.x) -
                      v.second.get(i + threadIdx.x - (i + T >= n));
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Local references to objects, and to parts of them.
struct Pair {
  Matrix first, second;
};
__global__ void __launch_bounds__(T)
    local_references(Pair in, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const Pair &all = in;
  const Matrix &first = all.first;
  Matrix second = all.second;
  Matrix &last = second;
  last.at += 2;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = first.at[i + threadIdx.x] + last.at[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The compute changes what the reference names.
struct Sums {
  float total, most;
};
class Adder {
  Sums &to;
  const float scale;

public:
  __device__ Adder(Sums &to, float scale) : to(to), scale(scale) {}
  __device__ void operator()(float v) const {
    to.total += v * scale;
    to.most = v > to.most ? v : to.most;
  }
};
__global__ void __launch_bounds__(T)
    adds(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Sums sums = {0, -99};
  Adder add(sums, 0.5f);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      add(xs[j] * (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sums.total + sums.most;
}

// A reference to a number, and one to an array.
struct Weights {
  const float (&w)[T];
  const int &shift;
  __device__ float at(int i) const { return w[(i + shift) % T]; }
};
__global__ void __launch_bounds__(T)
    numbers(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float w[T], sum = 0;
  for (int j = 0; j < T; ++j)
    w[j] = 1.0f / (j + 1);
  int shift = z.width;
  Weights weights{w, shift};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] * weights.at(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weights.at(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A base class has the reference.
struct HasMatrix {
  const Matrix &m;
  __device__ explicit HasMatrix(const Matrix &m) : m(m) {}
};
struct Reader : private HasMatrix {
  int shift;
  __device__ Reader(const Matrix &m, int shift) : HasMatrix(m), shift(shift) {}
  __device__ Reader(const Reader &r) : HasMatrix(r), shift(r.shift) {}
  __device__ const float *operator+(int i) const { return m.at + i + shift; }
};
__global__ void __launch_bounds__(T)
    bases(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Reader first(x, 0), second = first;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = *(second + i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What must stay as it is.

__global__ void __launch_bounds__(T)
    own_tile(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix tile = {T, xs};
  View before{tile, 0};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + before.get(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The pointer is changed by the name that the object has for it.
class Turner {
  Matrix &m;

public:
  __device__ explicit Turner(Matrix &m) : m(m) {}
  __device__ void turn(const float *to) const { m.at = to; }
};
__global__ void __launch_bounds__(T)
    own_turned(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix last = z;
  Turner(last).turn(xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// And by a reference that is handed on, in a list, to a function.
struct Handle {
  Matrix &m;
};
struct Owner {
  Handle h;
};
__device__ void turn(const Handle &h, const float *to) { h.m = {T, to}; }
__global__ void __launch_bounds__(T)
    own_handed(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix last = z;
  Owner owner = {{last}};
  turn(owner.h, xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A constructor changes it before its body starts.
struct Early {
  int n;
  __device__ Early(Matrix &m, const float *to) : n((m.at = to, 1)) {}
};
__global__ void __launch_bounds__(T)
    own_early(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix last = z;
  Early e(last, xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + e.n * last.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Scaled {
  const float *x;
  const float &scale;
  __device__ float get(int i) const { return x[i] * scale; }
};
__global__ void __launch_bounds__(T)
    moved_scale(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0, scale = 1;
  Scaled from{x.at, scale};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = from.get(i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    scale = sum > 9 ? 0.5f : 2;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Moving {
  const float *&at;
  __device__ float get(int i) const { return at[i]; }
};
__global__ void __launch_bounds__(T)
    moved_pointer(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const float *p = x.at;
  Moving from{p};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = from.get(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
    p += T;
  }
  y[threadIdx.x] = sum + *p;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
using namespace harness;
template <typename Kernel> static void tensors(Kernel kernel, Sizes all) {
  for (int n : all) {
    auto a = in<float>("a", T * n + 1), b = in<float>("b", T * n + 1);
    auto c = out<float>("c", T * T);
    launch({dim3(1), dim3(T, T)}, kernel, Tensor(a, T, n), Tensor(b, n, T),
           Tensor(c, T, T));
  }
}
template <typename Kernel> static void matrices(Kernel kernel) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, kernel, Matrix{T, x}, Matrix{T, z}, y, n);
  }
}
CASE(elements) { tensors(elements, sizes(T)); }
CASE(rows_before) { tensors(rows_before, multiples(T)); }
CASE(lists) { matrices(lists); }
CASE(nested) { matrices(nested); }
CASE(local_references) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), z = in<float>("z", n + 2);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, local_references,
           Pair{Matrix{T, x}, Matrix{T, z}}, y, n);
  }
}
CASE(adds) { matrices(adds); }
CASE(numbers) { matrices(numbers); }
CASE(bases) { matrices(bases); }
CASE(own_tile) { matrices(own_tile); }
CASE(own_turned) { matrices(own_turned); }
CASE(own_handed) { matrices(own_handed); }
CASE(own_early) { matrices(own_early); }
CASE(moved_scale) { matrices(moved_scale); }
CASE(moved_pointer) { matrices(moved_pointer); }
#endif
