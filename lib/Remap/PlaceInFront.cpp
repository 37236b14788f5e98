// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlaceInFront.h.
#include "PlaceInFront.h"
#include "Code/AstUtils.h"

using namespace clang;

namespace kpipe {

std::optional<unsigned> placeInFront(const LoopFacts &Facts,
                                     const SourceText &Source) {
  const TileLoop &Loop = Facts.Tile;
  const auto Path = pathTo(Loop.Loop, Loop.Function->getBody());
  const auto *Block =
      Path.size() > 1 ? dyn_cast<CompoundStmt>(Path[Path.size() - 2]) : nullptr;
  if (!Block || Block->getLBracLoc().isMacroID())
    return std::nullopt;
  const Stmt *Before = nullptr;
  for (const Stmt *S : Block->body()) {
    if (S == Loop.Loop)
      break;
    Before = S;
  }
  // It may begin with a macro, as `__shared__` is one.
  if (Before && Before->getEndLoc().isMacroID())
    return std::nullopt;
  std::optional<unsigned> At = Source.offset(Block->getLBracLoc());
  if (At)
    At = Before ? Source.statement(Before).End : *At + 1;
  const std::optional<unsigned> To = Source.offset(Loop.Loop->getBeginLoc());
  // A comment there is of what stands before, and a condition of the
  // preprocessor may end between them.
  if (!At || !To || Source.trailingComment(*At) != *At ||
      Source.all().slice(*At, *To).contains('#'))
    return std::nullopt;
  return At;
}

} // namespace kpipe
