// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counting primitives are constant expressions, in host and device code.
//
// RUN: %clang-bare --cuda-gpu-arch=sm_86 -std=c++14 -fsyntax-only %s
#include <kpipe/pipeline.h>

static_assert(kpipe::ceil_div(0, 4) == 0, "");
static_assert(kpipe::ceil_div(8, 4) == 2, "");
static_assert(kpipe::ceil_div(9, 4u) == 3, "");
static_assert(kpipe::ceil_div(~0u, 2) == 1u << 31, "does not overflow");

static_assert(kpipe::trip_count(0, 0, 8) == 0, "");
static_assert(kpipe::trip_count(5, 3, 8) == 0, "begins after its end");
static_assert(kpipe::trip_count(0, 8, 8) == 1, "");
static_assert(kpipe::trip_count(0, 9, 8) == 2, "a partial tile counts");
static_assert(kpipe::trip_count(-3, 3, 2) == 3, "");
static_assert(kpipe::trip_count(0, 100ull, 32) == 4, "types may differ");
static_assert(kpipe::trip_count(0, 0x7fffffff, 0x7fffffff) == 1,
              "does not overflow");

static_assert(kpipe::next_stage<1>(0) == 0, "");
static_assert(kpipe::next_stage<2>(0) == 1, "");
static_assert(kpipe::next_stage<2>(1) == 0, "");
static_assert(kpipe::next_stage<3>(2) == 0, "");

static_assert(kpipe::previous_stage<1>(0) == 0, "");
static_assert(kpipe::previous_stage<2>(0) == 1, "");
static_assert(kpipe::previous_stage<2>(1) == 0, "");
static_assert(kpipe::previous_stage<3>(0) == 2, "");
static_assert(kpipe::previous_stage<3>(2) == 1, "");

static_assert(kpipe::staged_bytes<1>(128) == 128, "");
static_assert(kpipe::staged_bytes<2>(0) == 0, "");
static_assert(kpipe::staged_bytes<3>(sizeof(float)) == 384, "rounded up");
static_assert(kpipe::staged_bytes<2>(static_cast<unsigned char>(128)) == 256, "no narrower than int");
static_assert(kpipe::staged_bytes<2>(static_cast<unsigned short>(40000)) == 80128, "likewise");
static_assert(kpipe::staged_bytes<2>(129u) == 512, "");

int host(int n) { return kpipe::ceil_div(n, 8) + kpipe::next_stage<4>(n); }
__device__ int device(int n) { return kpipe::trip_count(0, n, 8); }
__device__ float registers[kpipe::ceil_div(128 * 8, 256)];
