// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm's fences, numbered barriers, elections and register budgets.
#include "Machine.h"

using namespace kpipe::exec;

namespace {
struct Election {
  unsigned Leader = 0;
  static void combine(void **Slots, unsigned Mask) {
    for (unsigned L = 0; L < 32; ++L)
      if (Slots[L])
        static_cast<Election *>(Slots[L])->Leader =
            unsigned(__builtin_ctz(Mask));
  }
};
} // namespace

// elect.sync d|p, mask
bool Machine::executeElect(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (I.Operands.size() != 2)
    return false;
  std::size_t Bar = I.Operands[0].find('|');
  if (Bar == std::string::npos)
    return false;
  Election E;
  warp(unsigned(V.get(I.Operands[1])), &E, &Election::combine, false, PC);
  std::string Lane = I.Operands[0].substr(0, Bar);
  if (Lane != "_")
    V.set(Lane, E.Leader);
  V.setPredicate(I.Operands[0].substr(Bar + 1),
                 Sched.Current->lane() == E.Leader);
  return true;
}

bool Machine::executeFence(const PtxInstruction &I) {
  if (I.is("fence.mbarrier_init")) {
    needClocks();
    for (auto &[At, M] : Barriers.all())
      M.InitFenced |= M.InitThread == Sched.Current->Id;
    return true;
  }
  if (I.is("fence.proxy.async")) {
    needClocks();
    bool Global = I.Words.size() == 3 || I.has("global");
    bool OfShared =
        I.Words.size() == 3 || I.has("shared::cta") || I.has("shared::cluster");
    Vectors.fence(*Sched.Current, OfShared, Global);
    return true;
  }
  // Of threads among themselves: barriers order more.
  return I.is("fence.acq_rel") || I.is("fence.sc") || I.is("membar");
}

bool Machine::executeOrder(const PtxInstruction &I, PtxOperands &V, void *PC) {
  if (I.is("elect.sync"))
    return executeElect(I, V, PC);
  if (I.Words[0] == "fence" || I.Words[0] == "membar")
    return executeFence(I);
  if (I.is("setmaxnreg.inc.sync.aligned") ||
      I.is("setmaxnreg.dec.sync.aligned")) {
    std::uint64_t Count = I.Operands.empty() ? 0 : V.get(I.Operands[0]);
    if (Count < 24 || Count > 256 || Count % 8)
      fail(Hazard::Unsupported, PC,
           "setmaxnreg of " + std::to_string(Count) +
               ": only multiples of 8 from 24 to 256 exist,");
    return true;
  }
  if (I.is("griddepcontrol"))
    return true;
  if (I.Words[0] != "bar" && I.Words[0] != "barrier")
    return false;
  std::size_t Words = I.Words[0] == "barrier" && I.has("cta") ? 2 : 1;
  bool Wait = I.Words.size() > Words && I.Words[Words] == "sync";
  if (I.Operands.empty() || I.Operands.size() > 2 ||
      (!Wait && (I.Words.size() <= Words || I.Words[Words] != "arrive")))
    return false;
  uint3 D = BlockDim;
  unsigned All = D.x * D.y * D.z;
  std::uint64_t Id = V.get(I.Operands[0]);
  std::uint64_t Count =
      I.Operands.size() == 2 ? V.get(I.Operands[1]) : (All + 31) / 32 * 32;
  if (Id == 0 && Count == All && Wait)
    barrier(0, KxCount, PC);
  else
    namedBarrier(Id, Count, Wait, PC);
  return true;
}
