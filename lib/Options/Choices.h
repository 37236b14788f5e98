// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the form that was chosen for a loop before. It must not know who chose.
#ifndef KPIPE_OPTIONS_CHOICES_H
#define KPIPE_OPTIONS_CHOICES_H

#include "kpipe/LoopChoice.h"
#include "kpipe/Message.h"
#include "kpipe/Target.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kpipe {

/// \param Ordinal of the loop in its function, from 1.
LoopKey loopKey(const clang::FunctionDecl *Function, const clang::Stmt *Loop,
                unsigned Ordinal, const clang::ASTContext &Context);

/// A choice, or why there is none that fits.
struct FoundChoice {
  /// Null if none fits.
  const ChosenForm *Chosen = nullptr;
  /// Then: there is one for this loop, but it was made for another text of it
  /// or for another architecture; one clause. Empty: there is none at all.
  Message Stale;
};

FoundChoice findChoice(llvm::ArrayRef<LoopChoice> Choices, const LoopKey &Loop,
                       llvm::StringRef Arch);

/// The same for architectures that share one text: it has to be one form.
FoundChoice findChoice(llvm::ArrayRef<LoopChoice> Choices, const LoopKey &Loop,
                       llvm::ArrayRef<const ArchLimits *> Archs);

} // namespace kpipe

#endif // KPIPE_OPTIONS_CHOICES_H
