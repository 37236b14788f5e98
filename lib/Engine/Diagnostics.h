// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engine says of loops, as diagnostics with resolved places.
#ifndef KPIPE_ENGINE_DIAGNOSTICS_H
#define KPIPE_ENGINE_DIAGNOSTICS_H

#include "kpipe/Diagnostic.h"
#include "kpipe/Engine.h"
#include "kpipe/Obstacle.h"
#include "kpipe/Plan.h"

namespace clang {
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace kpipe {

/// A diagnostic of one rule at one place.
Diagnostic about(RuleId Rule, Place Where, Message What,
                 Severity Level = Severity::Warning);

/// What was found out of the loop there before, or null.
const VetoedLoop *vetoOf(const Place &Where, const TransformOptions &Options);
const AsyncLoop *asyncLoopAt(const Place &Where,
                             const TransformOptions &Options);

/// Adds what is said of asynchronous loops that are no candidates: without a
/// store to shared memory that anybody can see they look like any other. Those
/// whose threads have roles become loops that are refused.
void reportUnseen(const TransformOptions &Options, llvm::StringRef Arch,
                  UnitOutcome &Out);

/// What is said of a loop that copies asynchronously.
Diagnostic asynchronous(const AsyncLoop &Loop);

/// That a loop is not pipelined, and why.
Diagnostic toDiagnostic(const Obstacle &Why, const clang::SourceManager &SM);

/// That nothing instantiates a template in this file; Errors of its parse may be
/// the reason.
Diagnostic neverInstantiated(llvm::StringRef Name, Place Where,
                             llvm::ArrayRef<Note> Errors);

/// `gemm<float, 64>`.
std::string instantiationName(const clang::FunctionDecl *F);

/// An instantiation has one branch of an `if constexpr` only: is one in S?
bool discardsBranches(const clang::Stmt *S);

/// That a loop is pipelined, how, and where less was done than was asked for.
Diagnostic pipelined(Place Where, const TileLoop &Loop,
                     const PipelinePlan &Plan);

} // namespace kpipe

#endif // KPIPE_ENGINE_DIAGNOSTICS_H
