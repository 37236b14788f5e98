// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose bytes are not their own argument: those by
// cudaLaunchKernelEx, which a variable configures, and those in a function of
// the author's that is given the kernel and the bytes.
#ifndef KPIPE_LIB_KERNEL_LAUNCHCONFIGS_H
#define KPIPE_LIB_KERNEL_LAUNCHCONFIGS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace kpipe {

/// What a launch is made with, each null if it is not known.
struct LaunchConfig {
  const clang::Expr *Bytes = nullptr, *Block = nullptr;
  bool Cooperative = false;
};

/// Is it `cudaLaunchKernelEx(&config, kernel, …)`, or its C form?
bool isConfiguredLaunch(const clang::CallExpr *C);

/// `k`, `&k` or `(const void *)k` as the name that it is.
const clang::DeclRefExpr *kernelNameIn(const clang::Expr *E);

/// Is it cudaFuncAttributeMaxDynamicSharedMemorySize?
bool namesMostBytes(const clang::Expr *Attribute);

/// Does the kernel's name mean the same where the bytes of its launch are set?
bool meansTheSameAbove(const clang::DeclRefExpr *Kernel,
                       const clang::Expr *Bytes,
                       const clang::ASTContext &Context);

/// What the local variable says by which \p C, a configured launch, is made.
/// Nothing if its bytes are set more than once or anything else is done with
/// it, or if it is for launches of several kernels.
std::optional<LaunchConfig> launchConfig(const clang::CallExpr *C,
                                         const clang::ASTContext &Context);

/// What a call of a function gives to the launches that it makes.
struct HandedLaunch {
  const clang::Expr *Kernel = nullptr;
  LaunchConfig Config;
};

/// Nothing if the function does anything with the kernel or the bytes but to
/// launch the one with the other, and to allow it as many.
std::optional<HandedLaunch> handedLaunch(const clang::CallExpr *C,
                                         const clang::ASTContext &Context);

/// Are all places in the text of a function that spell a name those that are
/// known? What conditions and macros hide of it another pass may read.
bool spellsOnly(const clang::FunctionDecl *F, llvm::StringRef Name,
                const llvm::DenseSet<clang::SourceLocation> &Known,
                const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_LAUNCHCONFIGS_H
