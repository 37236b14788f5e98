// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with asynchronous copies, and the same with plain ones: statement
// by statement they are equal, or the one is what the other does at the latest
// where it is issued. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_LOWEREDCODE_H
#define KPIPE_LIB_VALIDATION_LOWEREDCODE_H

#include "AsyncMeaning.h"

namespace kpipe {

/// What became of the statements of a function.
struct LoweredCode {
  /// The first node of the author's that has no counterpart; null: all have.
  const Tree *Differs = nullptr;
  /// Statements of the author's that are not in the other text.
  std::set<const Tree *> Gone;
  /// Branches of the author's that became two, or stayed one, with a barrier of
  /// the block behind each.
  std::set<const Tree *> Divided;
};

LoweredCode compareLowered(const Tree &Author, const clang::ASTContext &Of,
                           const Tree &Lowered,
                           const clang::ASTContext &OfLowered);

/// Functions of the author's that copy nothing asynchronously any more, by
/// their bodies, and whether waits or commits of theirs went as well.
using PlainFunctions = std::map<const clang::FunctionDecl *, bool>;

/// The first wait that went although a copy that stayed may be in flight there:
/// null if there is none.
const Tree *waitThatIsMissed(const Tree &Author, const clang::ASTContext &Of,
                             const std::set<const Tree *> &Gone,
                             const PlainFunctions &Plain);

/// A wait that became a barrier of the block, of an object at which other
/// threads meet as well, or in other phases: null if there is none.
const Tree *meetingThatIsMissed(const Tree &Author, const clang::ASTContext &Of,
                                const LoweredCode &Code);

/// Does a branch ask a pipeline for what a producer or a consumer does?
bool isOfRoles(const Tree &Branch);

/// A branch that has barriers now though its parts are not the producers' and
/// the consumers' of a pipeline with one stage: null if there is none.
const Tree *rolesThatAreMixed(const Tree &Author, const clang::ASTContext &Of,
                              const LoweredCode &Code);

/// A wait by parity that became a barrier of the block, though it may be for
/// another phase than that of its turn: null if there is none.
const Tree *phaseThatIsMissed(const Tree &Author, const clang::ASTContext &Of,
                              const std::set<const Tree *> &Gone);

/// Does anything in S copy asynchronously, or in functions that it calls and
/// that are not plain?
bool copiesAsynchronously(const clang::Stmt *S, const PlainFunctions &Plain);

/// Does anything in S call such a function, of which waits went?
bool callsWithoutWaits(const clang::Stmt *S, const PlainFunctions &Plain);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_LOWEREDCODE_H
