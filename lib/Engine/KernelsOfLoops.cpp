// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels around loops, see KernelsOfLoops.h.
#include "KernelsOfLoops.h"
#include "Kernel/LaunchEdits.h"
#include "Kernel/ProducerWarps.h"
#include "Metrics/Intensity.h"
#include "Metrics/SharedLayouts.h"
#include "kpipe/Verify.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace kpipe {

static std::optional<double> ratioIn(const KernelShape &Kernel,
                                     const LoopFacts &Body) {
  return computeLoadRatio(Body, {Kernel.Block, Kernel.Threads});
}

static std::vector<SharedLayout> layoutsOf(const WrittenLoop &L,
                                           const LoopFacts &Body,
                                           const KernelShape &Kernel) {
  BlocksOfLoop Blocks;
  Blocks.Largest = {Kernel.Block, Kernel.Threads};
  // Of a function that several kernels may call nothing is sure.
  if (Body.Tile.Function->hasAttr<CUDAGlobalAttr>()) {
    Blocks.Most = Kernel.MostThreads;
    Blocks.Only = Kernel.OnlyBlock;
  }
  std::vector<SharedLayout> All = findSharedLayouts(Body, Blocks);
  for (auto [Layout, Buffer] : llvm::zip_equal(All, Body.Tile.Buffers))
    if (llvm::is_contained(L.SharedWithSisters, Buffer.Var) &&
        Layout.NotPadded.empty())
      Layout.NotPadded = {msg::other_loop_fills};
  return All;
}

KernelShape KernelsOfLoops::shapeOf(const LoopFacts &Body) const {
  return kernelShape(Body.Tile.Function, Options, Calls, Launches, Context,
                     Growth);
}

void KernelsOfLoops::planned(const WrittenLoop &L,
                             llvm::ArrayRef<KernelShape> Shapes,
                             llvm::ArrayRef<PipelinePlan> Plans) {
  for (auto [Body, Shape, Plan] : llvm::zip_equal(L.Bodies, Shapes, Plans)) {
    noteGrowth(Body.Tile, Shape, Plan, Growth);
    if (Plan.After.DynamicBytes.value_or(0) == 0)
      continue;
    for (const FunctionDecl *K : kernelsAround(Body.Tile.Function, Calls)) {
      uint64_t &Bytes = Growth.Dynamic[K->getCanonicalDecl()];
      Bytes = std::max(Bytes, *Plan.After.DynamicBytes);
    }
  }
}

KnownBlock KernelsOfLoops::blockOf(const FunctionDecl *F) const {
  if (!F->hasAttr<CUDAGlobalAttr>())
    return {Options.Block};
  KernelShape Kernel = kernelShape(F, Options, Calls, Launches, Context);
  if (Kernel.OnlyBlock)
    return {Kernel.OnlyBlock,
            certainThreads(F, Launches, Context).has_value()};
  // What the author says holds unless a launch says otherwise.
  for (const Launch &L : Launches.launches(F))
    if (L.Block && L.Block != Options.Block)
      return {};
  return {Options.Block};
}

std::optional<double> KernelsOfLoops::ratioOf(const LoopFacts &Body) const {
  return ratioIn(shapeOf(Body), Body);
}

/// Registers of the author's variables that the output does without: what waits
/// in them is counted as kpipe's.
static unsigned replacedRegisters(const TileLoop &Loop,
                                  const ASTContext &Context) {
  VarSet Replaced;
  unsigned Registers = 0;
  for (const TileCopy &C : Loop.Copies)
    if (C.Via.Var && !C.Helper && Replaced.insert(C.Via.Var).second)
      Registers +=
          (Context.getTypeSizeInChars(C.Via.Var->getType()).getQuantity() + 3) /
          4;
  return Registers;
}

/// The least of all kernels that run F; empty if one is not known.
std::optional<unsigned>
KernelsOfLoops::inputRegisters(const FunctionDecl *F) const {
  if (Options.Registers.empty())
    return std::nullopt;
  std::optional<unsigned> Least;
  for (const FunctionDecl *K : kernelsAround(F, Calls)) {
    const FunctionDecl *Definition = nullptr;
    if (!K->hasBody(Definition) || Definition->isDependentContext())
      return std::nullopt;
    const unsigned *Taken = valueOf(
        Options.Registers, ASTNameGenerator(Context).getName(Definition));
    if (!Taken)
      return std::nullopt;
    Least = std::min(Least.value_or(*Taken), *Taken);
  }
  return Least;
}

std::vector<KernelShape> KernelsOfLoops::around(const WrittenLoop &L) const {
  std::vector<KernelShape> Kernels;
  for (const LoopFacts &B : L.Bodies) {
    KernelShape &Kernel = Kernels.emplace_back(shapeOf(B));
    const unsigned Replaced = replacedRegisters(B.Tile, Context);
    Kernel.LiveRegisters -= std::min(Kernel.LiveRegisters, Replaced);
    Kernel.ArrayRegisters -= std::min(Kernel.ArrayRegisters, Replaced);
    Kernel.InputRegisters = inputRegisters(B.Tile.Function);
    Kernel.Ratio = ratioIn(Kernel, B);
    LaunchEdits R = relaunch(B.Tile.Function, Launches, Context);
    if (L.HasSisters)
      R.Not = {msg::other_loop_stages};
    Kernel.NotRelaunched = std::move(R.Not);
    Kernel.Launched = !Launches.launches(B.Tile.Function).empty();
    Kernel.Launches = std::move(R.Launches);
    Kernel.Regrown = regrow(B.Tile.Function, Calls, Launches, Context,
                            Options.LaunchedElsewhere);
    Kernel.CertainThreads = certainThreads(B.Tile.Function, Launches, Context);
    Kernel.Layouts = layoutsOf(L, B, Kernel);
    if (!B.Tile.Bulk)
      continue;
    auto Producer = [&](unsigned Threads) {
      return producerFor(B, Threads, Launches, Calls, Context,
                         Options.LaunchedElsewhere);
    };
    Kernel.Producer = Producer(ProducerWarp::Warp);
    Kernel.ProducerGroup = Producer(ProducerWarp::Group);
  }
  return Kernels;
}

/// Instantiations of the kernels' text that leave the loop out: what is written
/// in front of the text counts for them as well.
static void addOthers(llvm::SetVector<const FunctionDecl *> &Kernels) {
  for (const FunctionDecl *K : Kernels.getArrayRef().vec())
    if (const FunctionTemplateDecl *T = K->getPrimaryTemplate())
      for (const FunctionDecl *F : T->specializations())
        if (F->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
          Kernels.insert(F->getCanonicalDecl());
}

std::optional<LoopKernel>
KernelsOfLoops::kernelOf(const FunctionDecl *K) const {
  const FunctionDecl *Definition = nullptr;
  if (!K->hasBody(Definition) || Definition->isDependentContext())
    return std::nullopt;
  KernelShape Shape =
      kernelShape(Definition, Options, Calls, Launches, Context);
  LoopKernel Kernel;
  Kernel.Name = Shape.Name;
  Kernel.Mangled = ASTNameGenerator(Context).getName(Definition);
  Kernel.Threads = Shape.Threads;
  Kernel.DynamicBefore = Shape.DynamicShared;
  return Kernel;
}

std::vector<LoopKernel>
KernelsOfLoops::running(const WrittenLoop &L,
                        llvm::ArrayRef<PipelinePlan> Plans) const {
  std::vector<LoopKernel> All;
  llvm::SetVector<const FunctionDecl *> Kernels;
  for (auto [Body, Plan] : llvm::zip_equal(L.Bodies, Plans)) {
    const FunctionDecl *In = Body.Tile.Function;
    for (const FunctionDecl *K : kernelsAround(In, Calls)) {
      std::optional<LoopKernel> Kernel = kernelOf(K);
      if (!Kernel)
        continue;
      if (Kernel->DynamicBefore && Plan.Before.DynamicBytes &&
          Plan.After.DynamicBytes)
        Kernel->DynamicAfter = *Kernel->DynamicBefore +
                               *Plan.After.DynamicBytes -
                               *Plan.Before.DynamicBytes;
      if (Plan.Producer && Kernel->Threads)
        *Kernel->Threads += Plan.Producer->Threads;
      Kernel->LoopIsCalled = !In->hasAttr<CUDAGlobalAttr>();
      All.push_back(std::move(*Kernel));
      Kernels.insert(K->getCanonicalDecl());
    }
  }
  const size_t Own = Kernels.size();
  addOthers(Kernels);
  for (const FunctionDecl *K : Kernels.getArrayRef().drop_front(Own))
    if (std::optional<LoopKernel> Kernel = kernelOf(K)) {
      Kernel->DynamicAfter = Kernel->DynamicBefore;
      Kernel->LeavesLoopOut = true;
      All.push_back(std::move(*Kernel));
    }
  return All;
}

void keepLaunches(KernelShape &Kernel, const Message &Why) {
  Kernel.Launches.clear();
  Kernel.NotRelaunched = Why;
  Kernel.Regrown.Counts.clear();
  Kernel.Regrown.Not = Why;
  Kernel.Regrown.Cure = {msg::launches_are_elsewhere};
  Kernel.Regrown.LeastBytes.reset();
  Kernel.Producer.Not = Kernel.ProducerGroup.Not = Why;
}

} // namespace kpipe
