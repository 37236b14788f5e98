// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop gets whose tile the copy engine brings, however it does: the
// mbarrier in front of it, the thread that issues, the wait.
#ifndef KPIPE_TMA_ENGINETEXT_H
#define KPIPE_TMA_ENGINETEXT_H

#include "Code/Values.h"
#include "Emission/Names.h"
#include "Emission/SourceText.h"
#include "Recognition/Body/LoopFacts.h"
#include "kpipe/Message.h"
#include <set>

namespace kpipe {

/// Why no copy engine may bring the tile of a loop; empty if it may.
Message whyNotByEngine(const LoopFacts &Facts);

class EngineText {
public:
  /// Steps of indentation of a block.
  static constexpr unsigned Deeper = 2;

  EngineText(const LoopFacts &Facts, Extent3 Block, const SourceText &Source,
             kpipe::Names &Fresh)
      : Facts(Facts), Loop(Facts.Tile), Block(Block), Source(Source),
        Fresh(Fresh), Full(Fresh.fresh("full")) {
    findParity();
  }

  std::set<TextEdit> Edits;
  Message Why;
  const std::string &full() const { return Full; }

  /// The thread that asks for so many bytes, by copies, which have marks for
  /// ends of lines.
  std::string issue(uint64_t Bytes, llvm::StringRef Copies) const;
  std::string wait() const;
  /// In place of a statement; lines stay where they are. False with Why.
  bool replace(const clang::Stmt *S, std::string By);
  /// The mbarrier, and what else is declared, a line each. False with Why.
  bool inFront(llvm::ArrayRef<std::string> Also = {});

private:
  const LoopFacts &Facts;
  const TileLoop &Loop;
  const Extent3 Block;
  const SourceText &Source;
  kpipe::Names &Fresh;
  const std::string Full;
  std::string Parity; ///< a phase bit, or the tile's number
  bool HasBit = false;

  bool no(Message M) {
    if (!Why)
      Why = std::move(M);
    return false;
  }
  std::string firstThread() const;
  void findParity();
  int deeperThan(unsigned Offset) const;
};

} // namespace kpipe

#endif // KPIPE_TMA_ENGINETEXT_H
