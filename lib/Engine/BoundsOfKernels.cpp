// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch bounds of loops' kernels, see BoundsOfKernels.h.
#include "BoundsOfKernels.h"
#include "Kernel/LaunchBounds.h"
#include "Kernel/Launches.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Message BoundsOfKernels::whyNot(const WrittenLoop &L,
                                std::optional<unsigned> Threads,
                                unsigned Blocks,
                                std::optional<TextEdit> &Edit) {
  const TileLoop &Tile = L.Bodies.front().Tile;
  LaunchBoundsEdit Made = askForBlocks(Tile.Function, Blocks, Threads, Context);
  if (Made.Not)
    return Made.Not;
  if (!Made.Edit)
    return {};
  const SourceManager &SM = Context.getSourceManager();
  if (Made.File != SM.getFileID(SM.getExpansionLoc(Tile.Loop->getBeginLoc())))
    return msg::bounds_in_other_file;
  auto [Known, IsNew] = Asked.try_emplace(writtenKernel(Tile.Function), Blocks);
  if (!IsNew && Known->second != Blocks)
    return {msg::bounds_asked_otherwise, Known->second};
  Edit = std::move(Made.Edit);
  return {};
}

std::optional<TextEdit>
BoundsOfKernels::ask(const WrittenLoop &L, llvm::ArrayRef<KernelShape> Shapes,
                     AgreedPlans &Agreed, std::optional<BlocksPerSM> Wanted) {
  if (!Wanted)
    return std::nullopt;
  const unsigned Blocks = unsigned(*Wanted);
  // Instantiations share the text, and their launches were asked together.
  std::optional<unsigned> Threads = Shapes.front().CertainThreads;
  std::optional<TextEdit> Edit;
  // ptxas warns of a minimum that no SM can hold, and drops it.
  bool Fits = llvm::all_of(Shapes, [&](const KernelShape &Shape) {
    std::optional<unsigned> Most =
        Shape.MaxThreads ? Shape.MaxThreads : Threads;
    return !Most || llvm::all_of(Archs, [&](const ArchLimits *Arch) {
      return maxRegistersForBlocks(*Arch, *Most, Blocks).has_value();
    });
  });
  Message Why =
      Fits ? whyNot(L, Threads, Blocks, Edit) : Message(msg::bounds_above_sm);
  if (Why)
    Agreed.Plans[Agreed.Tightest].Reasons.push_back(
        {{msg::bounds_stay, Blocks, Why}, true});
  if (Edit)
    for (PipelinePlan &P : Agreed.Plans)
      P.Bounds = WrittenBounds{Blocks, Threads.value_or(0)};
  return Edit;
}

} // namespace kpipe
