// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's tensor maps: CUtensorMap and cuTensorMapEncodeTiled, with what
// the driver would refuse, and the usual way to look the function up.
#pragma once

#include "../cuda_runtime.h"
#include "tensor_map.h"

struct alignas(64) CUtensorMap {
  std::uint64_t opaque[16];
};
using CUresult = int;
constexpr CUresult CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1;
using cuuint32_t = std::uint32_t;
using cuuint64_t = std::uint64_t;
enum CUtensorMapDataType {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
};
enum CUtensorMapInterleave {
  CU_TENSOR_MAP_INTERLEAVE_NONE,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
};
enum CUtensorMapSwizzle {
  CU_TENSOR_MAP_SWIZZLE_NONE,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B
};
enum CUtensorMapL2promotion {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
};

namespace kx {
inline unsigned elementBytes(CUtensorMapDataType T) {
  switch (T) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  default:
    return 4;
  }
}
} // namespace kx

inline CUresult
cuTensorMapEncodeTiled(CUtensorMap *Map, CUtensorMapDataType Type,
                       cuuint32_t Rank, void *Base, const cuuint64_t *Size,
                       const cuuint64_t *Pitch, const cuuint32_t *Box,
                       const cuuint32_t *Step, CUtensorMapInterleave Interleave,
                       CUtensorMapSwizzle Swizzle, CUtensorMapL2promotion,
                       CUtensorMapFloatOOBfill Fill) {
  if (Rank < 1 || Rank > 5 || Interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
      Fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE ||
      reinterpret_cast<std::uintptr_t>(Base) % 16)
    return CUDA_ERROR_INVALID_VALUE;
  KxTensorMap M{};
  M.Mark = KxTensorMap::Known;
  M.Rank = std::uint16_t(Rank);
  M.ElementBytes = std::uint16_t(kx::elementBytes(Type));
  M.SwizzleBytes =
      Swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : std::uint16_t(16 << Swizzle);
  M.Base = Base;
  for (unsigned I = 0; I < Rank; ++I) {
    if (Size[I] == 0 || Size[I] > 0xFFFFFFFFu || Box[I] == 0 || Box[I] > 256 ||
        Step[I] != 1 || (I && Pitch[I - 1] % 16))
      return CUDA_ERROR_INVALID_VALUE;
    M.Size[I] = std::uint32_t(Size[I]);
    M.Box[I] = std::uint16_t(Box[I]);
    if (I)
      M.Pitch[I - 1] = Pitch[I - 1];
  }
  unsigned Row = M.Box[0] * M.ElementBytes;
  if (Row % 16 || (M.SwizzleBytes && Row > M.SwizzleBytes))
    return CUDA_ERROR_INVALID_VALUE;
  std::memset(Map, 0, sizeof *Map);
  std::memcpy(Map, &M, sizeof M);
  return CUDA_SUCCESS;
}

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess };
constexpr int cudaEnableDefault = 0;
inline cudaError_t cudaGetDriverEntryPointByVersion(
    const char *Name, void **Function, unsigned, unsigned long long,
    cudaDriverEntryPointQueryResult *Result = nullptr) {
  bool Known = !std::strcmp(Name, "cuTensorMapEncodeTiled");
  *Function =
      Known ? reinterpret_cast<void *>(&cuTensorMapEncodeTiled) : nullptr;
  if (Result)
    *Result = cudaDriverEntryPointSuccess;
  return Known ? cudaSuccess : 1;
}
inline cudaError_t
cudaGetDriverEntryPoint(const char *Name, void **Function,
                        unsigned long long Flags,
                        cudaDriverEntryPointQueryResult *Result = nullptr) {
  return cudaGetDriverEntryPointByVersion(Name, Function, 12000, Flags, Result);
}
