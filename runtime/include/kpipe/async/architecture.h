// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the architecture that is compiled for has. Each function of kpipe::ptx
// and each class exists for every architecture, so that one file may be built
// for several; used where it cannot work, a class stops the compiler and a
// function stops ptxas or the linker with the name of what is missing.
#ifndef KPIPE_ASYNC_ARCHITECTURE_H
#define KPIPE_ASYNC_ARCHITECTURE_H

// The tcgen05 instructions belong to some architectures only, not to those that
// follow them (PTX ISA, "tcgen05": sm_100a, sm_101a, which is sm_110a by now,
// and sm_103a).
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) ||                                     \
    defined(__CUDA_ARCH_FEAT_SM101_ALL) ||                                     \
    defined(__CUDA_ARCH_FEAT_SM103_ALL) || defined(__CUDA_ARCH_FEAT_SM110_ALL)
#define KPIPE_HAS_TCGEN05 1
#else
#define KPIPE_HAS_TCGEN05 0
#endif

// So does setmaxnreg, which sm_90a brought (PTX ISA, "setmaxnreg").
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) ||                                      \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || KPIPE_HAS_TCGEN05
#define KPIPE_HAS_SETMAXNREG 1
#else
#define KPIPE_HAS_SETMAXNREG 0
#endif

namespace kpipe {
namespace __detail {

/// Is there what sm_<_Sm> brought? Host code, which never runs the functions,
/// has all. The second parameter makes it a template's question.
template <int _Sm, typename _Tp> struct __has_sm {
#if defined(__CUDA_ARCH__)
  static constexpr bool __value = __CUDA_ARCH__ >= _Sm * 10;
#else
  static constexpr bool __value = true;
#endif
};
template <typename _Tp> struct __has_tcgen05 {
#if defined(__CUDA_ARCH__)
  static constexpr bool __value = KPIPE_HAS_TCGEN05;
#else
  static constexpr bool __value = true;
#endif
};

/// Nobody defines these.
template <typename... _Args> __device__ bool __needs_sm_80(_Args...);
template <typename... _Args> __device__ bool __needs_sm_90(_Args...);
template <typename... _Args> __device__ bool __needs_sm_90a(_Args...);
template <typename... _Args> __device__ bool __needs_sm_100a(_Args...);

} // namespace __detail
} // namespace kpipe

#endif // KPIPE_ASYNC_ARCHITECTURE_H
