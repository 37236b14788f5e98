// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body is a ring: what follows its last event is its first. See Stretch.h.
#include "Stretch.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

std::vector<Stretch> stretchesWithLoads(const TileCode &T) {
  std::vector<unsigned> Cuts;
  for (unsigned E = 0; E != T.Events.size(); ++E)
    if (T.isCut(T.Events[E]))
      Cuts.push_back(E);
  std::vector<Stretch> Found;
  for (unsigned C = 0; C != Cuts.size(); ++C) {
    Stretch S;
    S.Cut = Cuts[C];
    unsigned Before = Cuts[C == 0 ? Cuts.size() - 1 : C - 1];
    bool Loads = false;
    for (unsigned E = (Before + 1) % T.Events.size(); E != S.Cut;
         E = (E + 1) % T.Events.size()) {
      S.Events.push_back(E);
      if (T.isLoad(T.Events[E])) {
        S.LastLoad = E;
        Loads = true;
      }
    }
    if (Loads)
      Found.push_back(std::move(S));
  }
  return Found;
}

Amount computeAfterLoads(const TileCode &T, const Stretch &S,
                         uint64_t Unknown) {
  Amount A;
  bool After = false;
  for (unsigned E : S.Events) {
    After |= E == S.LastLoad;
    if (!T.isCompute(T.Events[E]))
      continue;
    uint64_t W = weight(T.Events[E], Unknown);
    A.Whole += W;
    A.Part += After ? W : 0;
  }
  return A;
}

/// Registers that the loads of a stretch bring, without those that never reach
/// shared memory.
static llvm::SmallVector<sass::RegisterRange>
loadedRegisters(const TileCode &T, const Stretch &S) {
  llvm::SmallVector<sass::RegisterRange> Loaded;
  for (unsigned E : S.Events)
    if (T.Events[E].What == Role::Load)
      if (auto Written = writtenRegisters(T.at(T.Events[E])))
        Loaded.push_back(*Written);
  return Loaded;
}

std::optional<Consumer> firstConsumer(const TileCode &T, const Stretch &S,
                                      uint64_t Unknown) {
  llvm::SmallVector<sass::RegisterRange> Loaded = loadedRegisters(T, S);
  bool Async = llvm::any_of(S.Events, [&](unsigned E) {
    return T.Events[E].What == Role::AsyncLoad;
  });
  auto Wants = [&](const sass::Instruction &I) {
    if (I.isDead())
      return false;
    if (I.mnemonic() == "DEPBAR")
      return Async;
    for (sass::RegisterRange Read : readRegisters(I))
      for (sass::RegisterRange R : Loaded)
        if (R.overlaps(Read))
          return true;
    return false;
  };

  // The body's instructions in order, and the event of each that has one.
  std::vector<unsigned> Order;
  const sass::Loop &L = T.F->Loops[T.Loop];
  for (unsigned B : L.Blocks)
    for (unsigned I = T.F->Blocks[B].Begin; I != T.F->Blocks[B].End; ++I)
      Order.push_back(I);
  std::vector<int> EventAt(T.F->Instructions.size(), -1);
  for (unsigned E = 0; E != T.Events.size(); ++E)
    EventAt[T.Events[E].Instruction] = E;

  Consumer C;
  C.Hidden.Whole = computeAfterLoads(T, S, Unknown).Whole;
  size_t From = llvm::find(Order, T.Events[S.LastLoad].Instruction) -
                Order.begin();
  for (size_t Step = 1; Step != Order.size(); ++Step) {
    unsigned I = Order[(From + Step) % Order.size()];
    if (Wants(T.F->Instructions[I])) {
      C.Instruction = I;
      // Compute of this tile may have slipped behind the barrier.
      C.Hidden.Part = std::min(C.Hidden.Part, C.Hidden.Whole);
      return C;
    }
    if (int E = EventAt[I]; E >= 0 && T.isCompute(T.Events[E]))
      C.Hidden.Part += weight(T.Events[E], Unknown);
  }
  return std::nullopt;
}

} // namespace kpipe
