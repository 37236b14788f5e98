// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile loops of one function as written: each with what is recognised in
// every body of it (a function, or a template's instantiations), and with what
// the loops of a function mean for one another.
#ifndef KPIPE_RECOGNITION_WRITTENLOOPS_H
#define KPIPE_RECOGNITION_WRITTENLOOPS_H

#include "DeviceFunctions.h"
#include "Recognition.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace kpipe {

struct WrittenLoop {
  const DeviceFunction *Function = nullptr;
  /// One for each body of the function that contains the loop.
  std::vector<LoopFacts> Bodies;
  /// Other loops of the same function stage tiles.
  bool HasSisters = false;
  /// Arrays that another loop of the function fills too.
  llvm::SmallVector<const clang::VarDecl *, 2> SharedWithSisters;
};

/// The loops of F in the order of its text.
/// \param BlockOf what is known of the blocks that run a body.
/// \param LeftAlone loops that nothing is to be found out about: their facts
/// are function and loop alone.
std::vector<WrittenLoop>
writtenLoops(const DeviceFunction &F, clang::ASTContext &Context,
             const CallIndex &Calls,
             llvm::function_ref<KnownBlock(const clang::FunctionDecl *)> BlockOf,
             llvm::function_ref<bool(const CandidateLoop &)> LeftAlone);

/// None of its bodies does.
bool loadsNoTile(const WrittenLoop &Loop);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_WRITTENLOOPS_H
