// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances that --instantiate names: the text that makes them launches nothing,
// and the launches of all others are changed with theirs.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s \
// RUN:   --instantiate='launched<128>' --instantiate='too_large<128>' \
// RUN:   --instantiate='by_tensor<128>' --instantiate='kept<128>' 2>&1 | FileCheck %s
// Others are not looked at.
// RUN: %kpipe analyze --arch=sm_86 %s --kernel=by_tensor \
// RUN:   --instantiate='by_tensor<128>' 2>/dev/null | FileCheck %s --check-prefix=ONE \
// RUN:   --implicit-check-not=instantiations
// ONE: two stages need 1024 bytes

// It is launched as well, in code that is read.
template <int T>
__global__ void __launch_bounds__(128)
launched(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += 128)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-10]]:3: remark: pipelined K-loop: 2 stages of tile
void run_launched(const float *x, float *y, int n) {
  launched<128><<<1, 128, 512>>>(x, y, n);
}

// Nothing is made of another instance, but it gets the stages as well.
template <int T>
__global__ void __launch_bounds__(128)
too_large(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += 128)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-10]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 131072 bytes of shared memory, and a block may have 101376 on sm_86
template <int T> void launch_too_large(torch::Tensor x, torch::Tensor y) {
  cudaFuncSetAttribute(too_large<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  too_large<T><<<1, 128, T * 4>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0));
}
void run_too_large(torch::Tensor x, torch::Tensor y) {
  launch_too_large<128>(x, y);
  launch_too_large<16384>(x, y);
}

// A host function that is instantiated for tensors, which nobody knows here.
template <int T>
__global__ void __launch_bounds__(128)
by_tensor(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += 128)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-10]]:3: remark: pipelined K-loop: 2 stages of tile
template <int T> void launch_by_tensor(torch::Tensor x, torch::Tensor y) {
  cudaFuncSetAttribute(by_tensor<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  by_tensor<T><<<1, 128, T * 4>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0));
}
void run_by_tensor(torch::Tensor x, torch::Tensor y) {
  launch_by_tensor<128>(x, y);
  launch_by_tensor<256>(x, y);
}

// Somebody else holds its address.
template <int T>
__global__ void __launch_bounds__(128)
kept(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += 128)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-10]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: the kernel is named outside its launches in line [[#@LINE+4]]
void run_kept(const float *x, float *y, int n) {
  kept<128><<<1, 128, 512>>>(x, y, n);
}
static auto *const known = &kept<128>;
