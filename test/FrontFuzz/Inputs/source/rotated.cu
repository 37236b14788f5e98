namespace tiles {
struct Pair { float x; int y; };
__global__ void rotated(const Pair *A, Pair *C, int n, int *flags) {
  __shared__ Pair S[4][8];
  auto sum = [&](int i) { return S[i % 4][i % 8].x; };
  Pair acc = {0.f, 0};
  for (int i = n - 32, j = 0; i >= 0; i -= 32, ++j) {
    if (flags[j] < 0)
      continue;
    __syncthreads();
    for (int r = 0; r < 4; r += 1)
      S[r][threadIdx.x] = A[i + r * 8 + threadIdx.x];
    __syncthreads();
    acc.x += sum(threadIdx.x);
    do {
      ++acc.y;
    } while (acc.y & 3);
    switch (j & 1) {
    case 0: acc.y -= 2; break;
    default: acc.x *= 2;
    }
  }
  goto out;
out:
  C[threadIdx.x] = acc;
}
} // namespace tiles
