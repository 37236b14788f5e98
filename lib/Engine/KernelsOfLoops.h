// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that run the loops of a unit: their shape, and what the loop
// makes of it.
#ifndef KPIPE_ENGINE_KERNELSOFLOOPS_H
#define KPIPE_ENGINE_KERNELSOFLOOPS_H

#include "Kernel/KernelShape.h"
#include "Kernel/Launches.h"
#include "Recognition/Loops/WrittenLoops.h"
#include "kpipe/Engine.h"

namespace kpipe {

class KernelsOfLoops {
public:
  KernelsOfLoops(clang::ASTContext &Context, const TransformOptions &Options,
                 const CallIndex &Calls, const LaunchIndex &Launches)
      : Context(Context), Options(Options), Calls(Calls), Launches(Launches) {}

  /// The kernels around a loop's bodies, parallel to them, with the stages of
  /// the loops that are planned.
  std::vector<KernelShape> around(const WrittenLoop &L) const;
  /// A loop is planned: what comes is planned beside its stages.
  void planned(const WrittenLoop &L, llvm::ArrayRef<KernelShape> Shapes,
               llvm::ArrayRef<PipelinePlan> Plans);
  /// All kernels that run the loop's bodies, with the plans of these, and what
  /// else is made of the kernels' texts.
  std::vector<LoopKernel> running(const WrittenLoop &L,
                                  llvm::ArrayRef<PipelinePlan> Plans) const;
  /// The size of every block that runs a kernel, as far as the launches of the
  /// unit or `--block` tell; of a function that several kernels may call,
  /// `--block` alone.
  KnownBlock blockOf(const clang::FunctionDecl *F) const;
  /// Operations per byte that a body loads; empty if it cannot be told.
  std::optional<double> ratioOf(const LoopFacts &Body) const;

private:
  clang::ASTContext &Context;
  const TransformOptions &Options;
  const CallIndex &Calls;
  const LaunchIndex &Launches;
  SharedGrowth Growth;

  KernelShape shapeOf(const LoopFacts &Body) const;
  std::optional<unsigned> inputRegisters(const clang::FunctionDecl *F) const;
  /// What is known of a kernel itself; empty if it is no code.
  std::optional<LoopKernel> kernelOf(const clang::FunctionDecl *K) const;
};

/// No launch of the kernel can be changed, for a reason that only the finished
/// edits told: its plan asks for no more than they give.
void keepLaunches(KernelShape &Kernel, const Message &Why);

} // namespace kpipe

#endif // KPIPE_ENGINE_KERNELSOFLOOPS_H
