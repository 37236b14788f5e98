// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a phase ends. See Mbarriers.h.
#include "Mbarriers.h"

using namespace kpipe::exec;

Mbarrier *Mbarriers::at(std::size_t Offset) {
  auto It = All.find(Offset);
  return It == All.end() ? nullptr : &It->second;
}

Mbarrier *Mbarriers::near(std::size_t Offset) {
  auto It = All.lower_bound(Offset < 7 ? 0 : Offset - 7);
  return It == All.end() || It->first >= Offset + 8 ? nullptr : &It->second;
}

bool Mbarriers::settle(Mbarrier &M, const Clocks &C) {
  if (M.Pending != 0 || M.Bytes != 0)
    return false;
  C.mark(M.Arrived, M.BulkAgent, M.tick());
  C.mark(M.Arrived, M.CopyAgent, M.tick());
  Clocks::join(M.Completed, M.Arrived);
  M.Arrived.clear();
  ++M.Phase;
  M.Pending = M.Expected;
  return true;
}

std::string kpipe::exec::describe(const Mbarrier &M) {
  return "phase " + std::to_string(M.Phase) + ", pending " +
         std::to_string(M.Pending) + " of " + std::to_string(M.Expected) +
         ", tx " + std::to_string(M.Bytes);
}

static constexpr std::uint64_t TokenMark = 0xA5;

std::uint64_t kpipe::exec::token(const Mbarrier &M) {
  return std::uint64_t(M.Phase) << 32 | std::uint64_t(M.Pending) << 8 |
         TokenMark;
}

bool kpipe::exec::readToken(std::uint64_t Token, std::uint32_t &Phase,
                            std::uint32_t &Pending) {
  Phase = std::uint32_t(Token >> 32);
  Pending = std::uint32_t(Token) >> 8;
  return (Token & 0xFF) == TokenMark;
}
