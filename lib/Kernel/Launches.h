// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How host code of the same unit launches kernels: `k<<<grid, block, bytes>>>`,
// cudaLaunchKernel, cudaLaunchKernelEx and functions that are given a kernel,
// as far as their configurations are constants. Knows nothing of loops,
// architectures and plans.
#ifndef KPIPE_KERNEL_LAUNCHES_H
#define KPIPE_KERNEL_LAUNCHES_H

#include "Code/Scope.h"
#include "Code/Values.h"
#include "kpipe/Plan.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct Launch {
  clang::SourceLocation Where;
  /// Threads of a block per axis; empty if not constant.
  std::optional<Extent3> Block;
  /// The same as far as it does not depend on what this unit's callers give to
  /// the function around it, and on nothing that only this parse reads so:
  /// other units may call it too.
  std::optional<Extent3> CertainBlock;
  /// What Block is the value of.
  const clang::Expr *Size = nullptr;
  /// Bytes of dynamic shared memory; empty if not constant.
  std::optional<uint64_t> DynamicShared;
  /// Where they are not constant but hang on the threads of a block alone: what
  /// each block that can run gets. Empty if that is not so.
  std::vector<BlockBytes> ByBlock;
  /// The `<<<…>>>` itself; null for cudaLaunchKernel.
  const clang::CUDAKernelCallExpr *Call = nullptr;
  /// The kernel's name in the launch; null if a variable holds the kernel.
  const clang::DeclRefExpr *Kernel = nullptr;
  /// Where a local variable holds it: its name in the launch, and the kernel's
  /// in what it is initialised with.
  const clang::DeclRefExpr *Holder = nullptr, *Held = nullptr;
  /// The argument that DynamicShared is the value of.
  const clang::Expr *Bytes = nullptr;
  /// All blocks of the grid have to run at once.
  bool Cooperative = false;
  /// Bytes and Size are not the launch's own arguments: LaunchConfigs.h.
  bool Indirect = false;
  /// Bytes stand in front of the launch, in what configures it.
  bool Configured = false;

  std::optional<unsigned> threads() const { return product(Block); }
  std::optional<unsigned> certainThreads() const {
    return product(CertainBlock);
  }

private:
  static std::optional<unsigned> product(std::optional<Extent3> Block) {
    if (!Block)
      return std::nullopt;
    return (*Block)[0] * (*Block)[1] * (*Block)[2];
  }
};

/// A call that sets an attribute of a kernel, or asks for one.
struct KernelSetting {
  /// The kernel's name in the call.
  const clang::DeclRefExpr *Kernel = nullptr;
  /// The most bytes of dynamic shared memory that it lets launches ask for, or
  /// those of which it asks how many blocks fit; null if it is something else.
  const clang::Expr *MostBytes = nullptr;
};

struct LaunchIndex {
  /// Launches of each kernel (each instantiation by itself), by its canonical
  /// declaration, in source order.
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<Launch, 2>>
      Of;
  /// Where the unit names each kernel, by writtenKernel: in launches, and where
  /// its address is taken or a template that nobody instantiates launches it.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<clang::SourceLocation, 4>>
      Mentions;
  /// Where text that this parse does not read names a kernel, or a function
  /// that is called, by writtenKernel.
  llvm::DenseMap<const clang::FunctionDecl *, clang::SourceLocation> Unread;
  /// Kernels and functions whose names stand anywhere in text that a condition
  /// leaves out here, by writtenKernel.
  llvm::DenseSet<const clang::FunctionDecl *> NamedInSkipped;
  /// Where the text of macros' arguments names functions that are no kernels.
  llvm::DenseSet<clang::SourceLocation> OtherArguments;
  /// Where a name only asks what a kernel takes, as cudaOccupancy… do.
  llvm::DenseSet<clang::SourceLocation> Asked;
  /// Those that give the bytes of a launch, by writtenKernel.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<KernelSetting, 2>>
      Queries;
  /// Where local variables that hold kernels are named.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<clang::SourceLocation, 4>>
      Holders;
  /// Calls of cudaFuncSetAttribute and its kin, by writtenKernel.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<KernelSetting, 2>>
      Settings;
  /// Widest alignment in bytes of the `extern __shared__` arrays that the unit
  /// uses, 0 if it uses none.
  uint64_t DynamicAlignment = 0;

  llvm::ArrayRef<Launch> launches(const clang::FunctionDecl *Kernel) const {
    auto It = Of.find(Kernel->getCanonicalDecl());
    return It == Of.end() ? llvm::ArrayRef<Launch>() : It->second;
  }
};

/// The kernel as written: the template's own function for an instantiation.
const clang::FunctionDecl *writtenKernel(const clang::FunctionDecl *Kernel);

/// Looks at every launch in the unit. A parameter of a host function is
/// a constant if every call in the unit gives it the same value, and a variable
/// is one under `if (variable == constant)`.
LaunchIndex indexLaunches(clang::ASTContext &Context, const CallIndex &Calls);

} // namespace kpipe

#endif // KPIPE_KERNEL_LAUNCHES_H
