// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognition's entry points: which loops to look at, and what each one is.
// Knows the AST; knows no architecture and no text.
#ifndef KPIPE_RECOGNITION_RECOGNITION_H
#define KPIPE_RECOGNITION_RECOGNITION_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// A loop with a block barrier and a store to shared memory in its body.
struct CandidateLoop {
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Loop = nullptr;
  bool InOuterLoop = false;
};

/// Loops of F worth recognising, in source order; only the innermost of a
/// nest that have barriers.
llvm::SmallVector<CandidateLoop, 4>
findCandidates(const clang::FunctionDecl *F, const Scope &In);

/// Recognises one loop. LoopFacts::Findings tells what stands in the way.
LoopFacts recognise(const CandidateLoop &Candidate, std::shared_ptr<Scope> In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_RECOGNITION_H
