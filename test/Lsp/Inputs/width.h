// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
constexpr int T = 64;
