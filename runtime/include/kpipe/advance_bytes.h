// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::advance_bytes: the same place in a stage that lies some bytes further.
//
// kpipe-inline: advance_bytes
#ifndef KPIPE_RUNTIME_ADVANCE_BYTES_H
#define KPIPE_RUNTIME_ADVANCE_BYTES_H

namespace kpipe {

/// __p moved by a number of bytes: advance_bytes(p, 4) of a `float *` is p + 1.
/// The bytes need be no multiple of an element's. The type stays, qualifiers
/// included.
template <typename _Tp>
__device__ __forceinline__ _Tp *advance_bytes(_Tp *__p, int __bytes) {
  return (_Tp *)((char *)__p + __bytes);
}

/// The same of an address that is a number, as inline assembly wants it.
template <typename _Tp>
__device__ __forceinline__ _Tp advance_bytes(_Tp __address, int __bytes) {
  return (_Tp)(__address + __bytes);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_ADVANCE_BYTES_H
// kpipe-inline: end
