// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered code: waits by parity that became barriers of the block.
// (LoweredFixture.h)
#include "LoweredFixture.h"

using namespace kpipe;

namespace {

const char *const Arrives =
    "cp16(&s[4 * t], &x[i + 4 * t]); arrive_noinc(&bar);";
const char *const Plain = "*(int4 *)&s[4 * t] = *(const int4 *)&x[i + 4 * t];";

std::string with(const char *First, const char *Then) {
  return std::string(First) + Then;
}

/// One turn of both texts, behind copies that arrive.
#define TURN(Wait, Behind, Same)                                               \
  Cases.push_back({Before, with(Arrives, Wait), with(Plain, Behind), Same})

TEST_F(LoweredMeaning, WaitsForTheTurn) {
  Before = "__shared__ unsigned long long bar; init_bar(&bar, 64);"
           "unsigned p = 0; int m = 0; unsigned where = number(&bar);";
  TURN("wait_for(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", true);
  TURN("wait_for(&bar, p); p = 1 - p;", "__syncthreads(); p = 1 - p;", true);
  TURN("wait_for(&bar, m & 1); ++m;", "__syncthreads(); ++m;", true);
  TURN("wait_for(&bar, (i / 256) % 2);", "__syncthreads();", true);
  TURN("wait_for(&bar, (i >> 8) & 1);", "__syncthreads();", true);
  TURN("while (!ask(&bar, p)) ; p ^= 1;", "__syncthreads(); p ^= 1;", true);
  // Two phases in a turn.
  TURN("wait_for(&bar, p); p ^= 1; arrive_noinc(&bar); wait_for(&bar, p); p ^= "
       "1;",
       "__syncthreads(); p ^= 1; __syncthreads(); p ^= 1;", true);
}

TEST_F(LoweredMeaning, OtherPhases) {
  Before = "__shared__ unsigned long long bar; init_bar(&bar, 64);"
           "unsigned p = 0; int m = 0; unsigned q = 1;";
  TURN("wait_for(&bar, q); q ^= 1;", "__syncthreads(); q ^= 1;", false);
  TURN("wait_for(&bar, !p); p ^= 1;", "__syncthreads(); p ^= 1;", false);
  TURN("p ^= 1; wait_for(&bar, p);", "p ^= 1; __syncthreads();", false);
  TURN("wait_for(&bar, p);", "__syncthreads();", false);
  TURN("wait_for(&bar, p); p ^= 3;", "__syncthreads(); p ^= 3;", false);
  TURN("wait_for(&bar, p); p ^= 1; p ^= 1;", "__syncthreads(); p ^= 1; p ^= 1;",
       false);
  TURN("wait_for(&bar, p); if (m) p ^= 1;", "__syncthreads(); if (m) p ^= 1;",
       false);
  TURN("wait_for(&bar, (i / 128) & 1);", "__syncthreads();", false);
  TURN("wait_for(&bar, (i / 256) & 3);", "__syncthreads();", false);
  TURN("wait_for(&bar, m & 1); m += 2;", "__syncthreads(); m += 2;", false);
  TURN("if (n > 3) wait_for(&bar, p); p ^= 1;",
       "if (n > 3) __syncthreads(); p ^= 1;", false);
  TURN("wait_for(&bar, p); p ^= 1; if (t) continue;",
       "__syncthreads(); p ^= 1; if (t) continue;", false);
  TURN("wait_for(&bar, p); wait_for(&bar, p); p ^= 1;",
       "__syncthreads(); __syncthreads(); p ^= 1;", false);
  // An arrival that nobody waits for in its turn.
  TURN("wait_for(&bar, p); p ^= 1; arrive_noinc(&bar);",
       "__syncthreads(); p ^= 1;", false);
  // No waits at all.
  TURN("ask_once(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", false);
  TURN("wait_elsewhere(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", false);
  TURN("while (ask(&bar, p)) ; p ^= 1;", "__syncthreads(); p ^= 1;", false);
  TURN("", "", false);
  // What stays is not where it was.
  TURN("wait_for(&bar, p); p ^= 1;", "__syncthreads();", false);
}

TEST_F(LoweredMeaning, PhasesOfOthers) {
  Before = "__shared__ unsigned long long bar; init_bar(&bar, 64);"
           "unsigned p = 0; arrive_noinc(&bar);";
  TURN("wait_for(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", false);
  Before = "__shared__ unsigned long long bar; init_bar(&bar, 64);"
           "unsigned p = 0; unsigned &other = p; other = 1;";
  TURN("wait_for(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", false);
  Before = "__shared__ unsigned long long bar; init_bar(&bar, 64);"
           "unsigned p = 0; for (int j = 0; j < 2; ++j)";
  TURN("wait_for(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", true);
  TURN("wait_for(&bar, (i / 256) & 1);", "__syncthreads();", false);
  Before = "__shared__ unsigned long long bar; unsigned p = 0;"
           "for (int j = 0; j < 2; ++j) { init_bar(&bar, 64); } if (n)";
  TURN("wait_for(&bar, p); p ^= 1;", "__syncthreads(); p ^= 1;", true);
}

} // namespace
