// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roles follow from where values come from: registers are followed through an
// iteration and into the next, so that a load is the tile's if a store to shared
// memory gets its data, and arithmetic is the tile's if it works on what was in
// shared memory. An address or a counter is neither.
#include "TileCode.h"
#include "Opcodes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace kpipe {

using sass::Instruction;
using sass::RegisterRange;

llvm::StringRef describe(Role R) {
  switch (R) {
  case Role::None:
  case Role::Branch:
    return "";
  case Role::Load:
  case Role::AsyncLoad:
    return "load";
  case Role::Commit:
    return "commit";
  case Role::Wait:
    return "wait";
  case Role::Store:
    return "store";
  case Role::Barrier:
    return "barrier";
  case Role::Compute:
    return "compute";
  case Role::OtherLoad:
    return "other load";
  case Role::SharedLoad:
    return "read";
  case Role::Local:
    return "local";
  }
  return "";
}

namespace {

bool isGlobalLoad(const Instruction &I) {
  return llvm::is_contained({"LDG", "LD", "LDU"}, I.mnemonic());
}

/// What each register holds while an iteration is walked through.
class Origins {
public:
  explicit Origins(const sass::Function &F)
      : F(F), Loads(F.Instructions.size()) {}

  /// Loads whose data a store to shared memory got.
  const llvm::BitVector &staged() const { return Loads; }
  /// Instructions that read what came from shared memory.
  const std::set<unsigned> &onShared() const { return OnShared; }
  const std::set<unsigned> &stores() const { return Stores; }

  void step(unsigned At) {
    const Instruction &I = F.Instructions[At];
    if (I.isDead())
      return;
    Value New;
    if (isGlobalLoad(I)) {
      New.Loads.insert(At);
    } else if (isSharedLoad(I)) {
      New.Shared = true;
    } else {
      for (RegisterRange Read : readRegisters(I))
        New.add(in(Read));
      if (New.Shared)
        OnShared.insert(At);
    }
    if (I.mnemonic() == "STS" || I.mnemonic() == "STSM")
      if (std::optional<RegisterRange> Data = storedRegisters(I)) {
        Value Stored = in(*Data);
        for (unsigned Load : Stored.Loads)
          Loads.set(Load);
        if (!Stored.Loads.empty())
          Stores.insert(At);
      }
    std::optional<RegisterRange> Written = writtenRegisters(I);
    if (!Written)
      return;
    for (unsigned R = 0; R != Written->Count; ++R) {
      if (Written->First + R >= Registers.size())
        continue;
      Value &Old = Registers[Written->First + R];
      // Where the instruction may not run the old value may stay.
      if (I.Predicate.empty())
        Old = New;
      else
        Old.add(New);
    }
  }

private:
  struct Value {
    bool Shared = false;
    std::set<unsigned> Loads;
    void add(const Value &Other) {
      Shared |= Other.Shared;
      Loads.insert(Other.Loads.begin(), Other.Loads.end());
    }
  };
  const sass::Function &F;
  std::array<Value, 256> Registers;
  llvm::BitVector Loads;
  std::set<unsigned> OnShared, Stores;

  Value in(RegisterRange Range) const {
    Value All;
    for (unsigned R = 0; R != Range.Count; ++R)
      if (Range.First + R < Registers.size())
        All.add(Registers[Range.First + R]);
    return All;
  }
};

class Finder {
public:
  Finder(const sass::Function &F, unsigned L) : F(F), L(F.Loops[L]) {
    Found.F = &F;
    Found.Loop = L;
  }

  TileCode run(ComputeKind Kind) {
    Origins From(F);
    for (int Iteration = 0; Iteration != 2; ++Iteration)
      forEach([&](unsigned At, unsigned) { From.step(At); });
    forEach([&](unsigned At, unsigned Block) { event(From, At, Block); });
    // Without copies in flight a DEPBAR waits for something else.
    if (!Found.has(Role::AsyncLoad) && !Found.has(Role::Commit))
      llvm::erase_if(Found.Events, [](const TileEvent &E) {
        return E.What == Role::Wait;
      });
    Found.Kind = Kind;
    if (Kind == ComputeKind::None)
      for (const TileEvent &E : Found.Events)
        Found.Kind = std::min(Found.Kind, E.Kind);
    countTiles();
    return std::move(Found);
  }

private:
  const sass::Function &F;
  const sass::Loop &L;
  TileCode Found;

  template <class Visitor> void forEach(Visitor Visit) const {
    for (unsigned B : L.Blocks)
      for (unsigned At = F.Blocks[B].Begin; At != F.Blocks[B].End; ++At)
        Visit(At, B);
  }

  /// Product over the loops inside of this one that hold the block.
  std::optional<uint64_t> timesOf(unsigned Block) const {
    uint64_t Times = 1;
    for (const sass::Loop &Inner : F.Loops) {
      if (Inner.Header == L.Header || !L.contains(Inner.Header) ||
          !Inner.contains(Block))
        continue;
      if (!Inner.TripCount)
        return std::nullopt;
      Times *= *Inner.TripCount;
    }
    return Times;
  }

  void event(const Origins &From, unsigned At, unsigned Block) {
    const Instruction &I = F.Instructions[At];
    if (I.isDead())
      return;
    TileEvent E;
    E.Instruction = At;
    llvm::StringRef Name = I.mnemonic();
    if (Name == "LDGSTS" || isGlobalLoad(I)) {
      E.What = Name == "LDGSTS"         ? Role::AsyncLoad
               : From.staged().test(At) ? Role::Load
                                        : Role::OtherLoad;
      E.Bytes = I.accessBytes();
    } else if (Name == "LDGDEPBAR") {
      E.What = Role::Commit;
    } else if (Name == "DEPBAR") {
      E.What = Role::Wait;
    } else if (isBarrier(I)) {
      E.What = Role::Barrier;
    } else if (isSharedLoad(I)) {
      E.What = Role::SharedLoad;
    } else if (From.stores().count(At)) {
      E.What = Role::Store;
    } else if (Name == "LDL" || Name == "STL") {
      E.What = Role::Local;
    } else {
      E.Kind = computeKind(I);
      // A matrix instruction may take its tile past the registers.
      if (E.Kind == ComputeKind::None ||
          (E.Kind != ComputeKind::Matrix && !From.onShared().count(At)))
        return;
      E.What = Role::Compute;
      E.Operations = operations(I);
    }
    E.Times = timesOf(Block);
    Found.Events.push_back(E);
  }

  void countTiles() {
    unsigned Commits = 0, Stretches = 0;
    bool Loads = false, Any = false;
    for (const TileEvent &E : Found.Events) {
      Commits += E.What == Role::Commit;
      Any |= Found.isCut(E);
      if (Found.isLoad(E) && !Loads) {
        ++Stretches;
        Loads = true;
      } else if (Found.isCut(E)) {
        Loads = false;
      }
    }
    // The last stretch goes on at the begin of the body.
    bool Begins = false;
    for (const TileEvent &E : Found.Events) {
      if (Found.isCut(E))
        break;
      Begins |= Found.isLoad(E);
    }
    if (Any && Loads && Begins && Stretches > 1)
      --Stretches;
    Found.Tiles = std::max(1u, Commits ? Commits : Stretches);
  }
};

bool isTileLoop(const TileCode &T) {
  return llvm::any_of(T.Events, [&](const TileEvent &E) { return T.isLoad(E); }) &&
         (T.has(Role::Barrier) || T.has(Role::Wait)) &&
         T.Kind != ComputeKind::None;
}

} // namespace

bool TileCode::has(Role R) const {
  return llvm::any_of(Events,
                      [&](const TileEvent &E) { return E.What == R; });
}

bool TileCode::isCut(const TileEvent &E) const {
  return E.What == (has(Role::Barrier) ? Role::Barrier : Role::Wait);
}

std::string TileCode::computeNames() const {
  std::vector<std::string> Names;
  for (const TileEvent &E : Events)
    if (isCompute(E) && !llvm::is_contained(Names, at(E).mnemonic()))
      Names.push_back(at(E).mnemonic().str());
  std::string Text;
  for (const std::string &Name : Names)
    Text += (Text.empty() ? "" : "/") + Name;
  return Text;
}

std::vector<TileCode> findTileCode(const sass::Function &F, ComputeKind Kind) {
  std::vector<std::optional<TileCode>> Found(F.Loops.size());
  std::vector<bool> HoldsOne(F.Loops.size());
  // Inner loops come after those that hold them.
  for (unsigned L = F.Loops.size(); L-- != 0;) {
    if (!HoldsOne[L]) {
      TileCode T = Finder(F, L).run(Kind);
      if (isTileLoop(T)) {
        HoldsOne[L] = true;
        Found[L] = std::move(T);
      }
    }
    if (HoldsOne[L] && F.Loops[L].Parent)
      HoldsOne[*F.Loops[L].Parent] = true;
  }
  std::vector<TileCode> Result;
  for (std::optional<TileCode> &T : Found)
    if (T)
      Result.push_back(std::move(*T));
  llvm::sort(Result, [&](const TileCode &A, const TileCode &B) {
    return F.Loops[A.Loop].Header < F.Loops[B.Loop].Header;
  });
  return Result;
}

} // namespace kpipe
