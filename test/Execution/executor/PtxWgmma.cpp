// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that issues wgmma, computes it at some moment until
// its wait, and checks what it reads and who touches its sums. See Wgmma.h.
#include "Machine.h"

#include <algorithm>

using namespace kpipe::exec;

namespace {
/// What the lanes of a warp exchange at an issue.
struct Issue {
  std::uint32_t Mine[4] = {};
  std::uint32_t All[32][4] = {};
  static void combine(void **Slots, unsigned) {
    for (unsigned To = 0; To < 32; ++To)
      for (unsigned From = 0; From < 32 && Slots[To]; ++From)
        if (Slots[From])
          std::copy_n(static_cast<Issue *>(Slots[From])->Mine, 4,
                      static_cast<Issue *>(Slots[To])->All[From]);
  }
};
} // namespace

// d..., a-descriptor or {a0, a1, a2, a3}, b-descriptor, scale-d, scale-a,
// scale-b, [trans-a,] trans-b
bool Machine::readWgmma(const PtxInstruction &I, PtxOperands &V, Wgmma &W) {
  if (!W.readShape(I.Words))
    return false;
  std::size_t Sums = W.N / 2, Count = I.Operands.size();
  W.FromRegisters = Count == Sums + 9;
  if (!W.FromRegisters && Count != Sums + 7)
    return false;
  for (std::size_t S = 0; S < Sums; ++S) {
    W.Sums.push_back(static_cast<float *>(V.address(I.Operands[S])));
    if (!W.Sums.back())
      return false;
  }
  std::size_t At = Sums, Last = Count - 1;
  auto Next = [&] { return V.get(I.Operands[At++]); };
  if (W.FromRegisters)
    for (std::uint32_t &R : W.Registers)
      R = std::uint32_t(Next());
  else
    W.A = WgmmaMatrix(Next(), V.get(I.Operands[Last - 1]) != 0);
  W.B = WgmmaMatrix(Next(), V.get(I.Operands[Last]) != 0);
  W.Accumulates = Next() != 0;
  W.ScaleA = float(std::int32_t(Next()));
  W.ScaleB = float(std::int32_t(Next()));
  return true;
}

/// The arrays of all of a program's kernels are more than a descriptor's
/// address reaches, so that one may mean several places: the one that this
/// block wrote.
void Machine::placeOperand(WgmmaMatrix &M, void *PC) {
  constexpr std::size_t None = ~std::size_t(0);
  std::size_t Any = None, Written = None;
  unsigned Count = 0;
  for (std::size_t At = M.Start; Shared->holds(At, 16);
       At += WgmmaMatrix::Reach) {
    if (!Shared->arrayAt(At, 16))
      continue;
    Any = std::min(Any, At);
    if (Shared->isWritten(Shared->address(At))) {
      Written = At;
      ++Count;
    }
  }
  if (Any == None)
    fail(Hazard::SharedBounds, PC, "a wgmma descriptor of no shared array,");
  if (Count > 1)
    fail(Hazard::Unsupported, PC,
         "a wgmma descriptor that the executor cannot place,");
  M.Start = Count ? Written : Any;
}

/// All of the warp read the same: one speaks for it.
void Machine::checkWgmma(const Wgmma &W, void *PC) {
  Thread &T = *Sched.Current;
  unsigned &Id = WgmmaAgents[T.warp()];
  if (!Id)
    Id = newAgent(true, PC);
  Thread Agent;
  Agent.Id = Id;
  Agent.Tick = T.WgmmaGroup + 1;
  std::uint32_t Offset = Program->offsetOf(PC);
  SharedMemory::Outcome First;
  auto Read = [&](const WgmmaMatrix &M, unsigned FirstRow, unsigned Rows) {
    // Eight elements that follow one another are together in every layout.
    for (unsigned R = 0; R < Rows; R += M.Transposed ? 8 : 1)
      for (unsigned K = 0; K < 16; K += M.Transposed ? 1 : 8) {
        std::size_t At = M.at(FirstRow + R, K);
        if (!Shared->arrayAt(At, 16))
          fail(Hazard::SharedBounds, PC,
               "wgmma reads 16 bytes at " + Shared->describe(At));
        auto Found = Shared->access(T, At, 16, Access::Read, Offset,
                                    Proxy::AsyncShared, &Agent);
        if (First.What == Conflict::None)
          First = Found;
      }
  };
  if (!W.FromRegisters)
    Read(W.A, T.warp() % 4 * 16, 16);
  Read(W.B, 0, W.N);
  if (First.What != Conflict::None)
    reportShared(First, 16, Access::Read, false, Offset);
}

void Machine::computeOldest(Thread &T) {
  compute(T.Wgmmas.front().W, Shared->address(0), T.warp() % 4, T.lane(),
          T.Wgmmas.front().WarpA);
  T.Wgmmas.erase(T.Wgmmas.begin());
}

void Machine::waitWgmma(unsigned Groups) {
  Thread &T = *Sched.Current;
  if (T.WgmmaGroup <= Groups)
    return;
  unsigned Done = T.WgmmaGroup - Groups;
  while (!T.Wgmmas.empty() && T.Wgmmas.front().W.Group < Done)
    computeOldest(T);
  T.WgmmaSums.erase(
      std::remove_if(T.WgmmaSums.begin(), T.WgmmaSums.end(),
                     [&](const Thread::Sums &S) { return S.Group < Done; }),
      T.WgmmaSums.end());
  if (unsigned Agent = WgmmaAgents[T.warp()])
    Vectors.see(T, Agent, Done);
}

/// A thread's own access to a sum that is not complete.
void Machine::checkSums(const Thread &T, const void *Address, std::size_t Bytes,
                        Access A, std::uint32_t PC) {
  const char *Begin = static_cast<const char *>(Address);
  auto Meets = [&](const float *First, const float *Last) {
    return Begin < reinterpret_cast<const char *>(Last + 1) &&
           reinterpret_cast<const char *>(First) < Begin + Bytes;
  };
  for (const Thread::Sums &S : T.WgmmaSums)
    for (std::size_t I = Meets(S.First, S.Last) ? 0 : S.Where.size();
         I < S.Where.size(); ++I)
      if (Meets(S.Where[I], S.Where[I]))
        return report(A == Access::Read ? Hazard::ReadInFlight
                                        : Hazard::WriteInFlight,
                      PC, S.PC,
                      std::string(A == Access::Read ? "read" : "write") +
                          " of a sum by " + name(T) +
                          ", which has not waited for the wgmma issued at " +
                          place(S.PC));
}

bool Machine::executeWgmma(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (I.Words[0] != "wgmma" || I.Words.size() < 2)
    return false;
  needClocks();
  Thread &T = *Sched.Current;
  Issue Exchanged;
  if (I.Words[1] == "fence")
    return true;
  if (I.Words[1] == "commit_group") {
    ++T.WgmmaGroup;
    return true;
  }
  if (I.Words[1] == "wait_group" && I.Operands.size() == 1) {
    warp(~0u, &Exchanged, &Issue::combine, false, PC);
    waitWgmma(unsigned(V.get(I.Operands[0])));
    return true;
  }
  Wgmma W;
  if (!readWgmma(I, V, W))
    return false;
  if (!W.FromRegisters)
    placeOperand(W.A, PC);
  placeOperand(W.B, PC);
  std::copy_n(W.Registers, 4, Exchanged.Mine);
  warp(~0u, &Exchanged, &Issue::combine, false, PC);
  W.Group = T.WgmmaGroup;
  if (T.lane() == 0)
    checkWgmma(W, PC);
  auto [First, Last] = std::minmax_element(W.Sums.begin(), W.Sums.end());
  T.WgmmaSums.push_back(
      {W.Sums, *First, *Last, W.Group, Program->offsetOf(PC)});
  T.Wgmmas.emplace_back();
  T.Wgmmas.back().W = std::move(W);
  std::copy_n(&Exchanged.All[0][0], 32 * 4, &T.Wgmmas.back().WarpA[0][0]);
  while (!T.Wgmmas.empty() &&
         (Setup.Mode == Completion::Early ||
          (Setup.Mode == Completion::Random && Rng.below(4) == 0)))
    computeOldest(T);
  return true;
}
