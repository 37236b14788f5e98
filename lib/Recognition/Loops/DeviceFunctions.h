// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device functions of a translation unit that hold candidate loops, each
// with its instantiations. Knows nothing of plans.
#ifndef KPIPE_RECOGNITION_DEVICEFUNCTIONS_H
#define KPIPE_RECOGNITION_DEVICEFUNCTIONS_H

#include "kpipe/Options.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"
#include <vector>

namespace kpipe {

/// One function as written, with every body that was made of it.
struct DeviceFunction {
  const clang::FunctionDecl *Written = nullptr;
  /// The function itself, or a template's instantiations; empty for a template
  /// that the unit never instantiates.
  llvm::SmallVector<const clang::FunctionDecl *, 2> Bodies;
};

/// Functions with `__global__` or `__device__` in files that may be edited, in
/// source order.
std::vector<DeviceFunction> deviceFunctions(clang::ASTContext &Context,
                                            const TransformOptions &Options);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_DEVICEFUNCTIONS_H
