// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc's own includes bring: assert, printf, string.h, the clock, cache hints.
__global__ void g(const float4 *x, float *y, char *log, int n) {
  __shared__ float4 xs[256];
  int t = threadIdx.x; float s = 0;
  assert(n > 0 && "tiles");
  clock_t begin = clock(); long long fine = clock64();
  memset(log, 0, 16);
  for (int k = 0; k < n; k += 256) {
    xs[t] = __ldca(&x[k + t]);
    __syncthreads();
    s += xs[t ^ 1].x + fminf(xs[t].y, INFINITY);
    __syncthreads();
  }
  if (s < 0) printf("%d\n", n);
  memcpy(log, &s, sizeof s);
  __stcs(y + t, s); __stwb(y + t, s + (clock() - begin) + (clock64() - fine));
}
void host(float4 *x, float *y, char *log) {
  fprintf(stderr, "%s\n", getenv("HOME") ? "a" : strerror(0));
  g<<<1, 256>>>(x, y, log, int(sqrt(2.0) * 256));
}
