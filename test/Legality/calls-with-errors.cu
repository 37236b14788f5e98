// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by host code that was parsed with errors, of which it stays open what
// they mean: each may be one that asks for as little as before.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

// Which of two templates is meant hangs on what is given.
template <int T>
__global__ void overloaded(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int T> void launch_overloaded(torch::Tensor x, torch::Tensor y) {
  overloaded<T><<<1, T, T * 4>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0));
}
template <int T> void launch_overloaded(torch::Tensor x, torch::Tensor y, int n) {
  overloaded<T><<<1, T, T * 4>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
}
void run_overloaded(torch::Tensor x, torch::Tensor y) {
  overloaded<32><<<1, 32, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);
  launch_overloaded<64>(x, y);
}
// CHECK: :[[#@LINE-19]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: the kernel is named outside its launches in line [[#@LINE-10]]

// Template arguments are deduced.
template <int T>
__global__ void deduced(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <typename E, int T = 32> void launch_deduced(E x, torch::Tensor y) {
  deduced<T><<<1, T, T * 4>>>(x.data_ptr(), y.data_ptr<float>(), x.size(0));
}
void run_deduced(torch::Tensor x, torch::Tensor y) {
  deduced<32><<<1, 32, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);
  launch_deduced(x, y);
}
// CHECK: :[[#@LINE-16]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: the kernel is named outside its launches in line [[#@LINE-7]]

// Nobody here calls what launches it.
template <int T>
__global__ void uncalled(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int T> void launch_uncalled(torch::Tensor x, torch::Tensor y) {
  uncalled<T><<<1, T, T * 4>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0));
}
void run_uncalled(torch::Tensor x, torch::Tensor y) {
  uncalled<32><<<1, 32, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);
}
// CHECK: :[[#@LINE-15]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: the kernel is named outside its launches in line [[#@LINE-6]]

// Of an overloaded function it is not said that all calls give the same bytes.
__global__ void counted(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 32) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void launch_counted(const float *x, float *y, int bytes) {
  counted<<<1, 32, bytes>>>(x, y, 32);
}
void launch_counted(const double *x, double *y, int bytes) {}
void run_counted(const float *x, float *y, torch::Tensor u) {
  launch_counted(x, y, 128);
  launch_counted(u.data_ptr<float>(), y, 40000);
}
// CHECK: :[[#@LINE-17]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: two stages need 2 times the kernel's dynamic shared memory, whose size is unknown
