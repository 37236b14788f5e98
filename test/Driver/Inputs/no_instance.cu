// A kernel that other files make instances of.
template <typename T>
__global__ void scale(const T *x, T *y, int n) {
  __shared__ T s[64];
  T sum = 0;
  for (int i = 0; i < n; i += 64) {
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
