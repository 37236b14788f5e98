// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

constexpr int Tile = TILE;

// C = A * B; all of them n by n, n a multiple of Tile.
void matmul(const float *A, const float *B, float *C, int n);
