__global__ void scale(float *A) { A[threadIdx.x] *= 2; }
