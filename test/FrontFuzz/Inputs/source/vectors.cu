#define FETCH4(X) (reinterpret_cast<const float4 *>(&(X))[0])
__global__ void __launch_bounds__(64)
vectors(const float *A, const float *B, float *C, int K, int N) {
  __shared__ __attribute__((aligned(16))) float As[8][32];
  __shared__ float4 Bs[8 * 8];
  const int row = threadIdx.x / 2, part = threadIdx.x % 2 * 4;
  float acc[4][4] = {};
  A += blockIdx.y * 32 * K;
  B += blockIdx.x * 32;
  // kpipe: variant=ldg stages=2
  for (int k = 0; k < K; k += 8) {
    float4 a = FETCH4(A[row * K + part]);
    As[part + 0][row] = a.x;
    As[part + 1][row] = a.y;
    As[part + 2][row] = a.z;
    As[part + 3][row] = a.w;
    Bs[threadIdx.x] = FETCH4(B[threadIdx.x / 8 * N + threadIdx.x % 8 * 4]);
    __syncthreads();
    A += 8;
    B += 8 * N;
#pragma unroll
    for (int d = 0; d < 8; ++d) {
      float4 b = Bs[d * 8 + threadIdx.x % 8];
      for (int i = 0; i < 4; i++) {
        float s = As[d][threadIdx.x / 8 * 4 + i];
        acc[i][0] += s * b.x, acc[i][1] += s * b.y;
        acc[i][2] = fmaf(s, b.z, acc[i][2]);
        acc[i][3] = fmaf(s, b.w, acc[i][3]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      C[i * N + j] = acc[i][j];
}
int main() {
  float *p = nullptr;
  vectors<<<dim3(4, 4), 64>>>(p, p, p, 64, 64);
}
