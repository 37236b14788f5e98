// Lines as long as their author writes them, pointers instead of subscripts, a
// helper that says "tile", and a pragma.
template <int Rows, int Columns>
__device__ void loadTile(float *to, const float *from, int stride, int row, int column) {
#pragma unroll
  for (int tile = 0; tile < Rows; tile += 8)
    to[(row + tile) * Columns + column] = from[(row + tile) * stride + column] * 2.0f;
}

__global__ void __launch_bounds__(256)
multiply(const float *__restrict__ first, const float *__restrict__ second, float *out,
         int width) {
  __shared__ __align__(16) float left[32 * 32], right[32 * 32];
  const int row = threadIdx.x / 8, column = threadIdx.x % 8 * 4;
  float sum = 0;
  for (int begin = 0; begin < width; begin += 32) {
    *reinterpret_cast<float4 *>(left + row * 32 + column) =
        *reinterpret_cast<const float4 *>(first + row * width + begin + column);
    *((float4 *)right + row * 8 + column / 4) =
        *((const float4 *)second + (begin + row) * 8 + column / 4);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k)
      sum += left[row * 32 + k] * right[k * 32 + column];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256)
scale(const float *__restrict__ from, float *out, int width) {
  __shared__ float shared[32 * 32];
  float sum = 0;
  for (int begin = 0; begin < width; begin += 32) {
    loadTile<32, 32>(shared, from + begin, width, threadIdx.x / 32, threadIdx.x % 32);
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += shared[k * 32 + threadIdx.x % 32];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
