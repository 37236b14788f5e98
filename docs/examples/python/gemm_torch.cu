// C = A * B as torch's load_inline gets it, which puts its includes in front.
template <typename T>
__global__ void __launch_bounds__(256)
gemm_kernel(const T *A, const T *B, T *C, int n) {
  __shared__ T As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  T sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

torch::Tensor gemm(torch::Tensor a, torch::Tensor b) {
  int n = a.size(0);
  auto c = torch::empty_like(a);
  dim3 grid(n / 16, n / 16), block(16, 16);
  AT_DISPATCH_FLOATING_TYPES(a.scalar_type(), "gemm", [&] {
    gemm_kernel<scalar_t><<<grid, block>>>(
        a.data_ptr<scalar_t>(), b.data_ptr<scalar_t>(), c.data_ptr<scalar_t>(), n);
  });
  return c;
}
