// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps as arguments of launches: made of what a launch gives for the
// kernel's parameters.
#ifndef KPIPE_TMA_LAUNCHMAPS_H
#define KPIPE_TMA_LAUNCHMAPS_H

#include "SwizzledArray.h"
#include "TileSource.h"
#include "clang/AST/ExprCXX.h"

namespace kpipe {

/// An array with the parameter that brings its map.
struct MappedArray {
  std::string Map;
  SwizzledRows Rows;
  TileSource From;
};

class LaunchMaps {
public:
  LaunchMaps(const clang::FunctionDecl *Kernel, Offsets &At,
             const SourceText &Source)
      : Kernel(Kernel), At(At), Source(Source) {}

  /// The parameters behind those of the kernel. False with Why.
  bool declare(llvm::ArrayRef<MappedArray> Arrays);
  /// The arguments of one launch.
  bool give(const clang::CUDAKernelCallExpr &Launch,
            llvm::ArrayRef<MappedArray> Arrays);

  std::vector<TextEdit> Edits;
  Message Why;

private:
  const clang::FunctionDecl *Kernel;
  Offsets &At;
  const SourceText &Source;

  bool fail(Message M) {
    if (!Why)
      Why = std::move(M);
    return false;
  }
  std::string argument(const clang::CUDAKernelCallExpr &Launch,
                       const clang::VarDecl *Parameter, bool Operand);
};

} // namespace kpipe

#endif // KPIPE_TMA_LAUNCHMAPS_H
