// A pair's parts are no variables that a lambda could capture before C++20.
constexpr int T = 32;

struct Place {
  int row, column;
};

__global__ void rows(const float *__restrict__ in, float *__restrict__ out,
                     Place at, int n) {
  __shared__ float tile[T];
#ifdef CURED
  const int row = at.row, column = at.column;
#else
  const auto [row, column] = at;
#endif
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = in[row * n + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  out[column * T + threadIdx.x] = sum;
}
