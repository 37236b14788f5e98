// __launch_bounds__ is written for a number of threads only where nothing but
// the file decides it: fewer than a launch asks for would make it fail.
// RUN: %kpipe rewrite %s --arch=sm_90 --min-blocks=4 -o %t.cu 2>%t.err
// The comments are not asked, and lines may be broken otherwise.
// RUN: sed '\:^//:d' %t.cu | tr -s '\n ' ' ' | FileCheck %s --implicit-check-not='(64, 4' --implicit-check-not='(32, 4'
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.err

// CHECK: __global__ void of_any_caller(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
__global__ void of_any_caller(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void launch(const float *x, float *y, int n, int t) { of_any_caller<<<1, t>>>(x, y, n); }
void calls(const float *x, float *y, int n) { launch(x, y, n, 64); }

// CHECK: __global__ void of_derived(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
struct Block : dim3 { Block(int n) : dim3(n * 4) {} };
__global__ void of_derived(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void derived(const float *x, float *y, int n) { of_derived<<<1, Block(32)>>>(x, y, n); }

// CHECK: __global__ void of_constructor(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
struct Size { int x; Size(int n) : x(n * 4) {} };
__global__ void of_constructor(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void constructor(const float *x, float *y, int n) { const Size s(64); of_constructor<<<1, s.x>>>(x, y, n); }

// CHECK: __global__ void of_weak(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
__attribute__((weak)) int weak() { return 64; }
__global__ void of_weak(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void weakly(const float *x, float *y, int n) { of_weak<<<1, weak()>>>(x, y, n); }

// CHECK: __global__ void of_volatile(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
const volatile int changes = 64;
__global__ void of_volatile(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void changing(const float *x, float *y, int n) { of_volatile<<<1, changes>>>(x, y, n); }

// CHECK: __global__ void of_reference(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
__global__ void of_reference(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void reference(const float *x, float *y, int n, const int &t, int *p) {
  if (t == 64) {
    *p = 256;
    of_reference<<<1, t>>>(x, y, n);
  }
}

// CHECK: __global__ void of_pass(
// NOTE: :[[#@LINE+9]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
#ifdef __CUDA_ARCH__
constexpr int Here = 64;
#else
constexpr int Here = 256;
#endif
__global__ void of_pass(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void pass(const float *x, float *y, int n) { of_pass<<<1, Here>>>(x, y, n); }

// CHECK: __global__ void of_pass_macro(
// NOTE: :[[#@LINE+10]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
#ifdef __CUDA_ARCH__
#define OF_PASS 64
#else
#define OF_PASS 256
#endif
#define THREADS OF_PASS
__global__ void of_pass_macro(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void pass_macro(const float *x, float *y, int n) { of_pass_macro<<<1, THREADS>>>(x, y, n); }

// CHECK: __global__ void of_pass_call(
// NOTE: :[[#@LINE+11]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
constexpr int threads() {
#ifdef __clang__
  return 64;
#else
  return 256;
#endif
}
__global__ void of_pass_call(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void pass_call(const float *x, float *y, int n) { of_pass_call<<<1, threads()>>>(x, y, n); }

// CHECK: __global__ void of_other_configuration(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
__global__ void of_other_configuration(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void configurations(const float *x, float *y, int n) {
#ifdef BIG
  void *arguments[] = {&x, &y, &n};
  cudaLaunchKernel((const void *)of_other_configuration, 1, 256, arguments, 0, 0);
#else
  of_other_configuration<<<1, 64>>>(x, y, n);
#endif
}

// CHECK: template <int N> __global__ void of_instantiation(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the file does not tell the threads of every block
template <int N> __global__ void of_instantiation(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void instances(const float *x, float *y, int n) { of_instantiation<2><<<1, 64>>>(x, y, n); }
template __global__ void of_instantiation<3>(const float *, float *, int);

// CHECK: __global__ __block_size__((64, 1, 1)) void of_block_size(
// NOTE: :[[#@LINE+4]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the kernel has __block_size__
__global__ __block_size__((64, 1, 1)) void of_block_size(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void block_size(const float *x, float *y, int n) { of_block_size<<<1, 64>>>(x, y, n); }

// CHECK: __global__ CAPPED void of_macro(
// NOTE: :[[#@LINE+5]]:3: note: no minimum of 4 blocks is written into __launch_bounds__: the kernel has __maxnreg__
#define CAPPED __maxnreg__(64)
__global__ CAPPED void of_macro(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void macro(const float *x, float *y, int n) { of_macro<<<1, 64>>>(x, y, n); }

// What only the file decides.
// CHECK: template <int N = 1 + 1, class T = char> __global__ void __launch_bounds__(128, 4) known(
template <int N = 1 + 1, class T = char> __global__ void known(const float *x, float *y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Sizes { unsigned x, y, z; };
void knows(const float *x, float *y, int n) {
  const Sizes s = {32, 4, 1};
  known<><<<1, dim3(s.x, s.y, s.z)>>>(x, y, n);
}
