// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of torch's header what docs/examples/python uses.
#include <cuda_fp16.h>

namespace torch {
struct Tensor {
  template <class T> T *data_ptr() { return nullptr; }
  int scalar_type() { return 0; }
  int size(int) { return 0; }
};
inline Tensor empty_like(Tensor T) { return T; }
} // namespace torch

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                            \
  do {                                                                         \
    if (TYPE == 0) {                                                           \
      using scalar_t = float;                                                  \
      (__VA_ARGS__)();                                                         \
    } else {                                                                   \
      using scalar_t = double;                                                 \
      (__VA_ARGS__)();                                                         \
    }                                                                          \
  } while (false)
