// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loop costs that a tile's compute is spent in, where it is a loop in
// machine code too. It must not judge.
#include "Opcodes.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

using sass::Function;
using sass::Instruction;

static InnerLoop countIn(const Function &F, const sass::Loop &L) {
  InnerLoop All;
  for (unsigned B : L.Blocks)
    for (unsigned I = F.Blocks[B].Begin; I != F.Blocks[B].End; ++I) {
      const Instruction &At = F.Instructions[I];
      if (At.isDead())
        continue;
      ++All.Instructions;
      if (isSharedLoad(At))
        All.SharedBytes += At.accessBytes();
    }
  return All;
}

static bool meets(const Function &F, const sass::Loop &L) {
  return llvm::any_of(L.Blocks, [&](unsigned B) {
    for (unsigned I = F.Blocks[B].Begin; I != F.Blocks[B].End; ++I)
      if (isBarrier(F.Instructions[I]))
        return true;
    return false;
  });
}

std::optional<InnerLoop> innerLoop(const Function &Code) {
  // Loops come before those that they hold.
  std::vector<bool> InTileLoop, HoldsLoops(Code.Loops.size());
  std::optional<InnerLoop> Most;
  for (const sass::Loop &L : Code.Loops) {
    InTileLoop.push_back(L.Parent && (InTileLoop[*L.Parent] ||
                                      meets(Code, Code.Loops[*L.Parent])));
    if (L.Parent)
      HoldsLoops[*L.Parent] = true;
  }
  for (size_t I = 0; I != Code.Loops.size(); ++I) {
    if (!InTileLoop[I] || HoldsLoops[I] || meets(Code, Code.Loops[I]))
      continue;
    const InnerLoop Here = countIn(Code, Code.Loops[I]);
    if (Here.SharedBytes && (!Most || Here.SharedBytes > Most->SharedBytes))
      Most = Here;
  }
  return Most;
}

} // namespace kpipe
