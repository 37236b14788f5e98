#define TILE 16
#define SYNC __syncthreads()
#define LOAD(S, A, I) S[threadIdx.x] = A[(I) + threadIdx.x]
#define LOOP(I) for (int I = 0; I < n; I += TILE)
__global__ void macros(const int *__restrict__ A, int *__restrict__ C, int n) {
  __shared__ int S[TILE];
  int s = 0;
  LOOP(i) {
    LOAD(S, A, i);
    SYNC;
    for (int k = 0; k != TILE; k++) s += S[k];
    SYNC;
  }
  C[0] = s;
}
