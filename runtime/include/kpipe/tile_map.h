// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::tile_map: what the copy engine is told of a matrix, as an argument of
// a launch: `k<<<grid, block>>>(A, n, kpipe::tile_map<128, 64>(A, n))`. Host
// code. Not in <kpipe/pipeline.h>, as it needs the driver's header; its library
// is found by the runtime, and nothing has to be linked.
//
// CUDA Driver API, "Tensor Map Object Managment": rows begin at multiples of 16
// bytes. Where a matrix ends is not said: nobody may ask for a box that leaves
// it.
//
// kpipe-inline: tile_map
#ifndef KPIPE_RUNTIME_TILE_MAP_H
#define KPIPE_RUNTIME_TILE_MAP_H

// nvrtc has the version as well, and compiles no host code.
#if defined(CUDART_VERSION) && !defined(__CUDACC_RTC__)
#include <cuda.h>
#include <stdio.h>
namespace kpipe {

/// The driver's function that encodes maps; null, with a line on stderr, if it
/// has none.
inline decltype(&cuTensorMapEncodeTiled) __tile_map_encoder() {
  void *__found = nullptr;
  cudaDriverEntryPointQueryResult __how = cudaDriverEntryPointSuccess;
#if CUDART_VERSION >= 12050
  cudaError_t __error = cudaGetDriverEntryPointByVersion(
      "cuTensorMapEncodeTiled", &__found, 12000, cudaEnableDefault, &__how);
#else
  cudaError_t __error = cudaGetDriverEntryPoint(
      "cuTensorMapEncodeTiled", &__found, cudaEnableDefault, &__how);
#endif
  if (__error != cudaSuccess || __found == nullptr)
    fprintf(stderr,
            "kpipe::tile_map: the driver has no cuTensorMapEncodeTiled "
            "(error %d); it needs CUDA 12 and newer\n",
            static_cast<int>(__error));
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(__found);
}

/// Boxes of _Rows rows of _Columns elements, 64 or 128 bytes wide, of a matrix
/// that begins at __base and whose rows are __pitch elements apart.
/// Rows may overlap, or be one and the same.
/// \returns a map that no copy can use where a row does not begin at a multiple
/// of 16 bytes, as neither could a thread copy 16 bytes there, or where rows go
/// backwards.
template <int _Rows, int _Columns, typename _Tp>
CUtensorMap tile_map(const _Tp *__base, long long __pitch) {
  constexpr int __bytes = sizeof(_Tp) * _Columns;
  static_assert(sizeof(_Tp) == 1 || sizeof(_Tp) == 2 || sizeof(_Tp) == 4,
                "kpipe::tile_map needs elements of 1, 2 or 4 bytes");
  static_assert(__bytes == 64 || __bytes == 128,
                "kpipe::tile_map needs boxes of 64 or 128 bytes");
  static_assert(_Rows > 0 && _Rows <= 256,
                "kpipe::tile_map needs boxes of at most 256 rows");
  CUtensorMap __map = {};
  const cuuint64_t __most = cuuint64_t(1) << 31;
  if (__pitch < 0)
    fprintf(stderr,
            "kpipe::tile_map: rows that are %lld elements apart go backwards, "
            "as the copy engine's cannot\n",
            __pitch);
  if (__pitch < 0 || __pitch * static_cast<long long>(sizeof(_Tp)) % 16 != 0 ||
      reinterpret_cast<size_t>(__base) % 16 != 0)
    return __map;
  static const auto __encode = __tile_map_encoder();
  if (__encode == nullptr)
    return __map;
  const cuuint64_t __size[] = {__most, __most},
                   __apart[] = {static_cast<cuuint64_t>(__pitch) * sizeof(_Tp)};
  const cuuint32_t __box[] = {_Columns, _Rows}, __step[] = {1, 1};
  CUresult __result = __encode(
      &__map,
      sizeof(_Tp) == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
      : sizeof(_Tp) == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                         : CU_TENSOR_MAP_DATA_TYPE_UINT32,
      2, const_cast<void *>(static_cast<const void *>(__base)), __size, __apart,
      __box, __step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      __bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (__result != CUDA_SUCCESS)
    fprintf(
        stderr,
        "kpipe::tile_map: cuTensorMapEncodeTiled refuses rows %lld elements "
        "apart (error %d)\n",
        __pitch, static_cast<int>(__result));
  return __map;
}

} // namespace kpipe
#endif

#endif // KPIPE_RUNTIME_TILE_MAP_H
// kpipe-inline: end
