// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the kernels of partial_threads.cu are launched.
#include "harness.h"
static const int Lengths[] = {1, 7, 31, 32, 33, 64, 70, 95, 97, 130, 161, 224};

CASE(threads_clusters) {
  auto entries = in<int>("entries", 8, [](size_t i) { return int(i / 2 * 20 + i % 2 * (i * 3 + 1)); });
  auto list = in<int>("list", 90, [](size_t i) { return int(i * 7 % 31); });
  auto x = in<float>("x", 32 * CL), y = out<float>("y", 4 * 64);
  launch({4, dim3(CL, CL)}, clusters, x, list,
         reinterpret_cast<const Entry *>((const int *)entries), y);
}
CASE(threads_rows) {
  for (int n : {1, 5, 8, 9, 16, 20, 24, 31, 44}) {
    auto x = in<float>("x", n * CL), y = out<float>("y", 64);
    launch({1, dim3(CL, CL)}, rows, x, y, n);
  }
}
CASE(threads_from_block) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 3 * T);
    launch({3, T}, from_block, x, y, n);
  }
}
CASE(threads_digests) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, digests, x, y, n);
  }
}
CASE(threads_row) {
  auto begins = in<long long>("begins", 6, [](size_t i) { return (long long)(i * i * 17 % 23 + i * 40); });
  auto x = in<float>("x", 300), y = out<float>("y", 5 * 2 * T);
  launch({5, T}, row<long long>, begins, x, y, 2 * T);
}
CASE(threads_sizes) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, sizes, x, y, n);
  }
}
CASE(threads_ints) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, ints, x, y, n);
  }
}
