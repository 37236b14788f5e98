// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaders and edges, then dominators, back edges and the bodies of loops. A
// convergence barrier (BSSY, BSYNC) changes no path that one thread takes, and
// a call comes back, so neither ends a block.
#include "ControlFlow.h"
#include "TripCount.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

namespace kpipe::sass {
namespace {

bool isBranch(const Instruction &I) {
  return llvm::is_contained({"BRA", "JMP", "BRX", "JMX", "BRXU", "JMXU"},
                            I.mnemonic());
}

/// Nothing follows it, if it is not predicated.
bool endsPath(const Instruction &I) {
  return isBranch(I) || llvm::is_contained({"EXIT", "RET", "KILL"}, I.mnemonic());
}

/// A branch may have conditions besides its predicate: `BRA P1, …`,
/// `BRA.DIV UR4, …`, `BRA.U UP0, …`.
bool mayFallThrough(const Instruction &I) {
  if (!I.Predicate.empty() && I.Predicate != "PT")
    return !I.isDead();
  return I.mnemonic() == "BRA" && I.Operands.size() > 1;
}

class Builder {
public:
  Builder(Function &F, const LabelMap &Labels) : F(F), Labels(Labels) {}

  llvm::Error run() {
    if (llvm::Error Bad = makeBlocks())
      return Bad;
    orderBlocks();
    findDominators();
    findLoops();
    for (unsigned L = 0; L != F.Loops.size(); ++L)
      F.Loops[L].TripCount = countTrips(F, L);
    return llvm::Error::success();
  }

private:
  Function &F;
  const LabelMap &Labels;
  std::vector<unsigned> BlockOf;      ///< by instruction
  std::vector<unsigned> Order;        ///< blocks in reverse post-order
  std::vector<llvm::BitVector> Above; ///< dominators of each block

  /// The instruction that a target names; none for one behind the end.
  std::optional<unsigned> find(llvm::StringRef Target) const {
    if (auto It = Labels.find(Target); It != Labels.end())
      return It->second;
    uint64_t Address;
    if (Target.getAsInteger(0, Address))
      return std::nullopt;
    auto At = llvm::find_if(F.Instructions, [&](const Instruction &I) {
      return I.Address == Address;
    });
    if (At == F.Instructions.end())
      return std::nullopt;
    return At - F.Instructions.begin();
  }

  /// Where a branch may lead: `(.L_x_4), 0x2d0, or for an indirect one the
  /// names that the disassembler lists.
  llvm::Expected<llvm::SmallVector<unsigned, 2>>
  targets(const Instruction &I) const {
    llvm::SmallVector<unsigned, 2> Found;
    if (!isBranch(I) || I.isDead())
      return Found;
    llvm::StringRef Text = I.Text;
    if (size_t At = Text.find("BRANCH_TARGETS"); At != llvm::StringRef::npos) {
      Text = Text.drop_front(At + 14);
      for (llvm::StringRef Name :
           llvm::split(Text.take_until([](char C) { return C == '"'; }), ','))
        if (std::optional<unsigned> Target = find(Name.trim()))
          Found.push_back(*Target);
      return Found;
    }
    if (I.mnemonic() != "BRA" && I.mnemonic() != "JMP")
      return Found;
    if (I.Operands.empty())
      return Found;
    llvm::StringRef Name = I.Operands.back();
    if (Name.consume_front("`("))
      Name.consume_back(")");
    std::optional<unsigned> Target = find(Name);
    if (!Target)
      return llvm::createStringError(
          "'" + F.Name + "': the branch '" + I.Text +
          "' leads to nothing in the listing");
    // The label behind the last instruction ends the function.
    if (*Target < F.Instructions.size())
      Found.push_back(*Target);
    return Found;
  }

  llvm::Error makeBlocks() {
    std::set<unsigned> Leaders{0};
    std::vector<llvm::SmallVector<unsigned, 2>> Targets;
    for (unsigned I = 0; I != F.Instructions.size(); ++I) {
      auto To = targets(F.Instructions[I]);
      if (!To)
        return To.takeError();
      Leaders.insert(To->begin(), To->end());
      if (endsPath(F.Instructions[I]) && I + 1 != F.Instructions.size())
        Leaders.insert(I + 1);
      Targets.push_back(std::move(*To));
    }
    // Also what is reached by no branch of this function begins a block: the
    // helpers that ptxas appends are called by name.
    for (const auto &Known : Labels)
      if (Known.second < F.Instructions.size())
        Leaders.insert(Known.second);
    for (unsigned Begin : Leaders) {
      if (!F.Blocks.empty())
        F.Blocks.back().End = Begin;
      F.Blocks.emplace_back().Begin = Begin;
    }
    F.Blocks.back().End = F.Instructions.size();
    BlockOf.resize(F.Instructions.size());
    for (unsigned B = 0; B != F.Blocks.size(); ++B)
      std::fill(BlockOf.begin() + F.Blocks[B].Begin,
                BlockOf.begin() + F.Blocks[B].End, B);
    for (unsigned B = 0; B != F.Blocks.size(); ++B) {
      Block &Here = F.Blocks[B];
      const Instruction &Last = F.Instructions[Here.End - 1];
      for (unsigned Target : Targets[Here.End - 1])
        Here.Successors.push_back(BlockOf[Target]);
      if ((!endsPath(Last) || mayFallThrough(Last)) && B + 1 != F.Blocks.size())
        Here.Successors.push_back(B + 1);
    }
    return llvm::Error::success();
  }

  /// Reverse post-order. Successors at higher addresses are visited first, so
  /// that what leaves a loop comes behind it, and else addresses decide.
  void orderBlocks() {
    std::vector<char> Seen(F.Blocks.size(), false);
    struct Frame {
      unsigned Block;
      llvm::SmallVector<unsigned, 2> Left;
    };
    std::vector<Frame> Stack;
    auto Enter = [&](unsigned B) {
      Seen[B] = true;
      Frame New{B, F.Blocks[B].Successors};
      llvm::sort(New.Left); // taken from the back
      Stack.push_back(std::move(New));
    };
    Enter(0);
    while (!Stack.empty()) {
      if (Stack.back().Left.empty()) {
        Order.push_back(Stack.back().Block);
        Stack.pop_back();
        continue;
      }
      unsigned Next = Stack.back().Left.pop_back_val();
      if (!Seen[Next])
        Enter(Next);
    }
    std::reverse(Order.begin(), Order.end());
  }

  void findDominators() {
    size_t Count = F.Blocks.size();
    Above.assign(Count, llvm::BitVector(Count, true));
    Above[0].reset();
    Above[0].set(0);
    std::vector<llvm::SmallVector<unsigned, 2>> Before(Count);
    for (unsigned B : Order)
      for (unsigned Next : F.Blocks[B].Successors)
        Before[Next].push_back(B);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (unsigned B : Order) {
        if (B == 0)
          continue;
        llvm::BitVector New(Count, true);
        for (unsigned From : Before[B])
          New &= Above[From];
        New.set(B);
        if (New != Above[B]) {
          Above[B] = std::move(New);
          Changed = true;
        }
      }
    }
    // Of a block's dominators the nearest has the most of its own.
    for (unsigned B : Order) {
      unsigned Nearest = 0;
      for (unsigned D : Above[B].set_bits())
        if (D != B && Above[D].count() > Above[Nearest].count())
          Nearest = D;
      F.Blocks[B].Dominator = Nearest;
    }
  }

  void findLoops() {
    std::map<unsigned, std::set<unsigned>> Bodies; // by header
    std::vector<llvm::SmallVector<unsigned, 2>> Before(F.Blocks.size());
    for (unsigned B : Order)
      for (unsigned Next : F.Blocks[B].Successors)
        Before[Next].push_back(B);
    for (unsigned B : Order)
      for (unsigned Header : F.Blocks[B].Successors) {
        if (!Above[B].test(Header))
          continue;
        std::set<unsigned> &Body = Bodies[Header];
        Body.insert(Header);
        std::vector<unsigned> Work{B};
        while (!Work.empty()) {
          unsigned At = Work.back();
          Work.pop_back();
          if (Body.insert(At).second)
            Work.insert(Work.end(), Before[At].begin(), Before[At].end());
        }
      }
    for (auto &[Header, Body] : Bodies) {
      Loop L;
      L.Header = Header;
      for (unsigned B : Order)
        if (Body.count(B))
          L.Blocks.push_back(B);
      F.Loops.push_back(std::move(L));
    }
    llvm::stable_sort(F.Loops, [](const Loop &A, const Loop &B) {
      return A.Blocks.size() > B.Blocks.size();
    });
    for (unsigned L = 0; L != F.Loops.size(); ++L)
      for (unsigned Outer = 0; Outer != L; ++Outer)
        if (F.Loops[Outer].contains(F.Loops[L].Header))
          F.Loops[L].Parent = Outer; // the smallest comes last
  }
};

} // namespace

bool Loop::contains(unsigned Block) const {
  return llvm::is_contained(Blocks, Block);
}

llvm::Error buildControlFlow(Function &F, const LabelMap &Labels) {
  return Builder(F, Labels).run();
}

} // namespace kpipe::sass
