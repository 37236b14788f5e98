// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are one text, see WrittenLoops.h.
#include "WrittenLoops.h"
#include "Code/AstUtils.h"
#include "Instantiations.h"
#include "Recognition/Stages/PartsApart.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A buffer that two loops stage keeps one extent for both: a single buffer.
void keepSingle(WrittenLoop &L, LoopFacts &A, const LoopFacts &B) {
  const SourceLocation Other = startOf(B.Tile.Loop);
  auto No = [&](StagedBuffer &X, msg::Id Why) {
    if (X.NoRing)
      return;
    X.NoRing = {Why, quoted(X.Var)};
    X.NoRingLoc = Other;
  };
  for (StagedBuffer &X : A.Tile.Buffers) {
    for (const StagedBuffer &Y : B.Tile.Buffers)
      if (X.Var == Y.Var) {
        L.SharedWithSisters.push_back(X.Var);
        No(X, msg::filled_by_other_loop);
      }
    // A loop that is none of tiles keeps its text but for the mentions: it may
    // sum up what the threads have, in the same block.
    if (X.Block && B.IsTileLoop &&
        llvm::any_of(X.MentionsAfter, [&](const DeclRefExpr *D) {
          return B.Tile.Loop->getSourceRange().fullyContains(
              D->getSourceRange());
        }))
      No(X, msg::used_by_other_loop);
  }
}

void keepSharedBuffersSingle(llvm::MutableArrayRef<WrittenLoop> Loops) {
  for (WrittenLoop &L : Loops)
    for (const WrittenLoop &Other : Loops)
      for (LoopFacts &A : L.Bodies)
        for (const LoopFacts &B : Other.Bodies)
          if (&L != &Other && A.Tile.Function == B.Tile.Function)
            keepSingle(L, A, B);
}

/// A loop whose dynamic block cannot have stages for what else is kept in it is
/// read again with that as memory of its own.
LoopFacts withPartsApart(LoopFacts Facts, const CandidateLoop &C,
                         ASTContext &Context, const CallIndex &Calls) {
  const TileLoop &Tile = Facts.Tile;
  if (!Facts.IsTileLoop || Tile.Bulk)
    return Facts;
  for (const StagedBuffer &B : Tile.Buffers) {
    if (!B.Block || B.GivenOut || (B.NoRing.empty() && !B.KeepsContents))
      continue;
    llvm::SmallVector<const Expr *, 8> Places;
    bool Known = true;
    for (const TileCopy &Copy : Tile.Copies)
      if (Tile.Buffers[Copy.Buffer].Var == B.Var) {
        Known &= !Copy.Helper;
        Places.push_back(Copy.Dst);
      }
    PartsOfBlock Parts;
    if (Known)
      Parts = partsApart(Tile.Function, B.Var, Places, Tile.Loop, Context,
                         Facts.In->certainBlock());
    if (Parts.empty())
      continue;
    auto In = std::make_shared<Scope>(Context, Tile.Function, &Calls);
    In->setBlock(Facts.In->blockSize());
    In->setParts(std::move(Parts));
    LoopFacts Again = recognise(C, In);
    if (Again.IsTileLoop && Again.Obstacles.empty() &&
        llvm::all_of(Again.Tile.Buffers, [](const StagedBuffer &X) {
          return X.NoRing.empty() && !X.KeepsContents;
        }))
      return Again;
  }
  return Facts;
}

} // namespace

std::vector<WrittenLoop>
writtenLoops(const DeviceFunction &F, ASTContext &Context,
             const CallIndex &Calls,
             llvm::function_ref<KnownBlock(const FunctionDecl *)> BlockOf,
             llvm::function_ref<bool(const CandidateLoop &)> LeftAlone) {
  const SourceManager &SM = Context.getSourceManager();
  llvm::MapVector<SourceLocation, WrittenLoop> Found;
  for (const FunctionDecl *Body : F.Bodies) {
    auto In = std::make_shared<Scope>(Context, Body, &Calls);
    In->setBlock(BlockOf(Body));
    for (const CandidateLoop &C : findCandidates(Body, *In)) {
      WrittenLoop &L = Found[SM.getExpansionLoc(C.Loop->getBeginLoc())];
      L.Function = &F;
      if (!LeftAlone(C)) {
        L.Bodies.push_back(withPartsApart(recognise(C, In), C, Context, Calls));
        continue;
      }
      LoopFacts Bare;
      Bare.Tile.Function = Body;
      Bare.Tile.Loop = C.Loop;
      L.Bodies.push_back(std::move(Bare));
    }
  }
  std::vector<WrittenLoop> Loops;
  for (auto &[Where, L] : Found)
    Loops.push_back(std::move(L));
  keepSharedBuffersSingle(Loops);
  for (WrittenLoop &L : Loops) {
    keepWhatAllKnow(L.Bodies);
    L.HasSisters = Loops.size() > 1;
  }
  return Loops;
}

bool loadsNoTile(const WrittenLoop &Loop) {
  return llvm::all_of(Loop.Bodies,
                      [](const LoopFacts &Body) { return Body.LoadsNoTile; });
}

} // namespace kpipe
