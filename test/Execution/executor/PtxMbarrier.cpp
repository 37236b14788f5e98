// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm's instructions on mbarriers, by their words. See Ptx.h.
#include "Machine.h"

using namespace kpipe::exec;

namespace {
/// What stands where, of an arrival's operands: "state, [address], number".
struct Arrival {
  std::string State;
  std::uint64_t Address = 0, Number = 1;
};
} // namespace

static bool readArrival(const PtxInstruction &I, const PtxOperands &V,
                        Arrival &A) {
  std::size_t Count = I.Operands.size();
  if (Count < 1 || Count > 3)
    return false;
  // Without a state: only "[address]".
  std::size_t At = Count == 1 ? 0 : 1;
  if (At)
    A.State = I.Operands[0];
  A.Address = V.get(I.Operands[At]);
  if (At + 1 < Count)
    A.Number = V.get(I.Operands[At + 1]);
  return true;
}

bool Machine::executeArrive(const PtxInstruction &I, PtxOperands &V, void *PC) {
  Arrival A;
  bool WithBytes = I.has("expect_tx");
  if (!readArrival(I, V, A) || (WithBytes && I.Operands.size() != 3))
    return false;
  Mbarrier &M = mbarrier(A.Address, PC);
  if (WithBytes)
    expect(M, std::int64_t(std::uint32_t(A.Number)), PC);
  std::uint64_t State = token(M);
  arrive(M, WithBytes ? 1 : std::int64_t(std::uint32_t(A.Number)),
         I.Words[1] == "arrive_drop", !I.has("relaxed"), PC);
  if (!A.State.empty() && A.State != "_")
    V.set(A.State, State);
  return true;
}

bool Machine::executeWait(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (I.Operands.size() < 3)
    return false;
  Mbarrier &M = mbarrier(V.get(I.Operands[1]), PC);
  bool ByParity = I.has("parity");
  V.setPredicate(I.Operands[0], waitForState(M, V.get(I.Operands[2]), ByParity,
                                             I.Words[1] == "try_wait", PC));
  return true;
}

bool Machine::waitForState(Mbarrier &M, std::uint64_t Which, bool ByParity,
                           bool MayBlock, void *PC) {
  std::uint32_t Phase = std::uint32_t(Which), Pending = 0;
  if (ByParity && Which > 1)
    fail(Hazard::BadMbarrier, PC, "a wait for parity " + std::to_string(Which));
  if (!ByParity && (!readToken(Which, Phase, Pending) || Phase > M.Phase ||
                    M.Phase > Phase + 1))
    fail(Hazard::BadMbarrier, PC,
         "a wait for a state that is not of this phase of the mbarrier " +
             Shared->describe(M.At) + " or the one before; it has " +
             describe(M));
  return waitFor(M, ByParity, Phase, MayBlock, PC);
}

bool Machine::executeMbarrier(const PtxInstruction &I, PtxOperands &V,
                              void *PC) {
  if (I.Words[0] != "mbarrier" || I.Words.size() < 3)
    return false;
  needClocks();
  const std::string &What = I.Words[1];
  std::size_t Count = I.Operands.size();
  if (What == "arrive" || What == "arrive_drop")
    return executeArrive(I, V, PC);
  if (What == "test_wait" || What == "try_wait")
    return executeWait(I, V, PC);
  if (What == "init" && Count == 2)
    initMbarrier(V.get(I.Operands[0]), std::uint32_t(V.get(I.Operands[1])), PC);
  else if (What == "inval" && Count == 1)
    invalMbarrier(V.get(I.Operands[0]), PC);
  else if ((What == "expect_tx" || What == "complete_tx") && Count == 2) {
    Mbarrier &M = mbarrier(V.get(I.Operands[0]), PC);
    auto Bytes = std::int64_t(std::uint32_t(V.get(I.Operands[1])));
    expect(M, What == "expect_tx" ? Bytes : -Bytes, PC);
    settle(M);
  } else if (What == "pending_count" && Count == 2) {
    std::uint32_t Phase = 0, Pending = 0;
    readToken(V.get(I.Operands[1]), Phase, Pending);
    V.set(I.Operands[0], Pending);
  } else {
    return false;
  }
  return true;
}
