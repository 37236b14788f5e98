// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that their author staged: how many stages they have, and known mistakes
// in them. Knows no rules and no plans.
#ifndef KPIPE_HANDSTAGED_H
#define KPIPE_HANDSTAGED_H

#include "kpipe/Obstacle.h"
#include "kpipe/Route.h"
#include <array>
#include <optional>

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kpipe {

class Scope;

struct StagedByHand {
  /// Tiles between their load and their last use; 1 is one buffer that is
  /// filled from registers.
  unsigned Stages = 0;
  RouteMix Routes = RouteMix::Registers;
  llvm::SmallVector<Obstacle, 2> Mistakes;
};

/// \param Block the shape of the block whose first thread is run.
/// \returns none where it is not sure.
std::optional<StagedByHand>
findStagedByHand(const clang::FunctionDecl *Function, const clang::Stmt *Loop,
                 const Scope &In, std::array<unsigned, 3> Block);

/// Does each turn copy asynchronously to one place, the same in all turns, before
/// it reads anything there? Then it reads the tile that it copies: none is on
/// its way while another is computed. False where it is not sure.
bool copiesToOnePlace(const clang::FunctionDecl *Function,
                      const clang::Stmt *Loop, const Scope &In,
                      std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_HANDSTAGED_H
