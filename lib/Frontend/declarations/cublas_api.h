// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas_api.h: the part of cuBLAS that programs call beside their own kernels
// to check or to compare them. Declarations only; the enumerators' values are
// those that the cuBLAS manual gives or, where it gives none, our own.
// The guard is the toolkit's: another library's header may bring its file first.
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_
#define CUBLASWINAPI

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "library_types.h"

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2
} cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum {
  CUBLAS_DIAG_NON_UNIT = 0,
  CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle,
                                    cublasPointerMode_t mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace,
                                  size_t bytes);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx,
                               void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx,
                               void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *a,
                               int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *a,
                               int lda, void *b, int ldb);

#define KPIPE_BLAS(X, T, R)                                                    \
  cublasStatus_t cublas##X##gemm(                                              \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      int k, const T *alpha, const T *a, int lda, const T *b, int ldb,         \
      const T *beta, T *c, int ldc);                                           \
  cublasStatus_t cublas##X##gemmStridedBatched(                                \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      int k, const T *alpha, const T *a, int lda, long long sa, const T *b,    \
      int ldb, long long sb, const T *beta, T *c, int ldc, long long sc,       \
      int batch);                                                              \
  cublasStatus_t cublas##X##gemmBatched(                                       \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      int k, const T *alpha, const T *const *a, int lda, const T *const *b,    \
      int ldb, const T *beta, T *const *c, int ldc, int batch);                \
  cublasStatus_t cublas##X##gemv(cublasHandle_t, cublasOperation_t, int m,     \
                                 int n, const T *alpha, const T *a, int lda,   \
                                 const T *x, int incx, const T *beta, T *y,    \
                                 int incy);                                    \
  cublasStatus_t cublas##X##trsm(                                              \
      cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,   \
      cublasDiagType_t, int m, int n, const T *alpha, const T *a, int lda,     \
      T *b, int ldb);                                                          \
  cublasStatus_t cublas##X##syrk(                                              \
      cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k,       \
      const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc);      \
  cublasStatus_t cublas##X##geam(                                              \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, \
      T *c, int ldc);                                                          \
  cublasStatus_t cublas##X##axpy(cublasHandle_t, int n, const T *alpha,        \
                                 const T *x, int incx, T *y, int incy);        \
  cublasStatus_t cublas##X##scal(cublasHandle_t, int n, const T *alpha, T *x,  \
                                 int incx);                                    \
  cublasStatus_t cublas##X##copy(cublasHandle_t, int n, const T *x, int incx,  \
                                 T *y, int incy);                              \
  cublasStatus_t cublas##X##swap(cublasHandle_t, int n, T *x, int incx, T *y,  \
                                 int incy);
KPIPE_BLAS(S, float, float)
KPIPE_BLAS(D, double, double)
KPIPE_BLAS(C, cuComplex, float)
KPIPE_BLAS(Z, cuDoubleComplex, double)
#undef KPIPE_BLAS

cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb,
                           const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t,
                                         cublasOperation_t, int m, int n, int k,
                                         const __half *alpha, const __half *a,
                                         int lda, long long sa, const __half *b,
                                         int ldb, long long sb,
                                         const __half *beta, __half *c, int ldc,
                                         long long sc, int batch);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int m, int n, int k,
                                  const __half *alpha, const __half *const a[],
                                  int lda, const __half *const b[], int ldb,
                                  const __half *beta, __half *const c[],
                                  int ldc, int batch);
cublasStatus_t cublasSdot(cublasHandle_t, int n, const float *x, int incx,
                          const float *y, int incy, float *result);
cublasStatus_t cublasDdot(cublasHandle_t, int n, const double *x, int incx,
                          const double *y, int incy, double *result);
cublasStatus_t cublasSnrm2(cublasHandle_t, int n, const float *x, int incx,
                           float *result);
cublasStatus_t cublasDnrm2(cublasHandle_t, int n, const double *x, int incx,
                           double *result);
cublasStatus_t cublasSasum(cublasHandle_t, int n, const float *x, int incx,
                           float *result);
cublasStatus_t cublasIsamax(cublasHandle_t, int n, const float *x, int incx,
                            int *result);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType ta,
                            int lda, const void *b, cudaDataType tb, int ldb,
                            const void *beta, void *c, cudaDataType tc, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType ta,
                            int lda, const void *b, cudaDataType tb, int ldb,
                            const void *beta, void *c, cudaDataType tc, int ldc,
                            cudaDataType compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType ta, int lda, long long sa,
    const void *b, cudaDataType tb, int ldb, long long sb, const void *beta,
    void *c, cudaDataType tc, int ldc, long long sc, int batch,
    cublasComputeType_t compute, cublasGemmAlgo_t algo);

#endif // CUBLAS_API_H_
