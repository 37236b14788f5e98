// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors for host code that kpipe reads without any: it is parsed with errors,
// and runs with this.
#pragma once

namespace torch {

class Tensor {
  void *Data;
  long Length;

public:
  Tensor(void *Data, long Length) : Data(Data), Length(Length) {}
  template <typename T> T *data_ptr() const { return static_cast<T *>(Data); }
  void *data_ptr() const { return Data; }
  long size(int) const { return Length; }
};

} // namespace torch
