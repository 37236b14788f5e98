// Two kernels, one of them timed several times, in host code of C++14.
#include <kpipe/timing.h>

__global__ void fill(float *out) { out[threadIdx.x] = 1.0f; }

int main() {
  float *data = nullptr;
  cudaMalloc(&data, 32 * sizeof(float));
  for (int i = 0; i < 4; ++i)
    kpipe::timed("several", [&] { fill<<<1, 32>>>(data); });
  kpipe::timed("one", [&] { fill<<<1, 32>>>(data); }, cudaStreamPerThread);
  cudaFree(data);
}
