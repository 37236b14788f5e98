// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mentions of a staged buffer, and which of them can mean one of its stages:
// the author's name becomes a reference to the stage, which is a variable of
// its block, unlike the shared array that it names.
#ifndef KPIPE_RECOGNITION_STAGENAMES_H
#define KPIPE_RECOGNITION_STAGENAMES_H

#include "kpipe/TileLoop.h"
#include <optional>

namespace kpipe {

struct Mention {
  const clang::DeclRefExpr *At = nullptr;
  /// A closure around it copies the variables that it mentions, and would copy
  /// the array.
  bool Copied = false;
  /// In a lambda that captures nothing by default, or in a list of captures:
  /// no other variable can be mentioned in its place.
  bool Listed = false;
  /// In a closure, which may run elsewhere than where it stands.
  bool InClosure = false;
  /// Why a reference cannot take the array's place there, as a message about
  /// the name; empty if it can.
  std::optional<msg::Id> Fixed;
};

/// Mentions of the buffer by its own name or that of a view, in source order.
/// Of a template both the instantiation and the pattern are read, as the
/// pattern has the branches that the instantiation discards.
llvm::SmallVector<Mention, 8> mentionsOf(const StagedBuffer &B,
                                         const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STAGENAMES_H
