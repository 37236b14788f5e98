// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers that declare device functions.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <cuComplex.h>
#include <math_constants.h>
#include <mma.h>
