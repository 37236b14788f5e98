__global__ void two(const float *__restrict__ A, float *__restrict__ C,
                    int n) {
  __shared__ float S[32];
  float m = 0, s = 0;
  for (int t = 0; t < n; t += 32) {
    S[threadIdx.x] = A[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      m = m > S[i] ? m : S[i];
    __syncthreads();
  }
  for (int t = 0; t < n; t += 32) {
    S[threadIdx.x] = A[t + threadIdx.x] - m;
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      s += __expf(S[i]);
    __syncthreads();
  }
  for (int u = 0; u < 4; ++u) {
    asm volatile("bar.sync 0;" ::: "memory");
    atomicAdd((int *)C, u);
  }
  C[threadIdx.x] = s;
}
