// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of the kernels of this folder: one block of T threads, x is read and
// y holds what each thread found. Knows nothing of what the kernels do.
#pragma once
#include "harness.h"

/// kernel(const float *x, float *y, int n), whole tiles.
#define TILES(K)                                                               \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
/// The same, and the last tile may be a part.
#define PARTS(K)                                                               \
  CASE(K) {                                                                    \
    for (int n : sizes(T)) {                                                   \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
/// kernel(const V *x, float *y, int n) for a V of four floats, whole tiles.
#define VECTORS(K, V)                                                          \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", 4 * (n + 2 * T)), y = out<float>("y", T);        \
      launch({1, T}, K, x.as<V>(), y, n);                                      \
    }                                                                          \
  }
#define VECTOR_PARTS(K, V)                                                     \
  CASE(K) {                                                                    \
    for (int n : sizes(T)) {                                                   \
      auto x = in<float>("x", 4 * n), y = out<float>("y", T);                  \
      launch({1, T}, K, x.as<V>(), y, n);                                      \
    }                                                                          \
  }
/// kernel(const float *x, float *w, int n): w is read and written.
#define UPDATES(K)                                                             \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), w = in<float>("w", n + 2 * T);       \
      launch({1, T}, K, x, w, n);                                              \
    }                                                                          \
  }
