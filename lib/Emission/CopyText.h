// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statement that a copy becomes in each half of a load: an asynchronous
// copy, or a load to registers and a store from them.
#ifndef KPIPE_EMISSION_COPYTEXT_H
#define KPIPE_EMISSION_COPYTEXT_H

#include "LoadHalves.h"
#include "RuntimeCalls.h"
#include "SourceText.h"
#include "Staging.h"
#include "kpipe/Plan.h"

namespace kpipe {

class CopyText {
public:
  /// \param Mentions edits of names and extents inside the loop.
  /// \param Unit a step of indentation.
  /// \param Failure is set where a macro hides what has to change.
  CopyText(const TileLoop &Loop, const PipelinePlan &Plan,
           const SourceText &Source, const Staging &Registers,
           llvm::ArrayRef<Edit> Mentions, std::string Unit, RuntimeCalls &Calls,
           Message &Failure)
      : Loop(Loop), Plan(Plan), Source(Source), Registers(Registers),
        Mentions(Mentions), Unit(std::move(Unit)), Calls(Calls),
        Failure(Failure) {}

  /// True if a copy has something to do in this half; Edits then turn its store
  /// into that.
  bool keep(unsigned Index, Half Which, std::vector<Edit> &Edits);
  /// Unrolls a loop of copies through registers, and has a counter of its own
  /// where it starts at a thread's index. True if an `else` behind the loop
  /// would belong to an `if` that is added.
  bool count(const clang::ForStmt &F, std::vector<Edit> &Edits);

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  const Staging &Registers;
  std::vector<Edit> Mentions;
  std::string Unit;
  RuntimeCalls &Calls;
  Message &Failure;
  /// In what a temporary was given: the counters of the loop around the store.
  std::vector<Edit> Renamed;

  void renameCounters(const TileCopy &C);
  bool copyAsync(const TileCopy &C, Half Which, std::vector<Edit> &Edits);
  bool moveThrough(const std::string &Reg, const TileCopy &C, Half Which,
                   std::vector<Edit> &Edits);
  Edit assigned(const TileCopy &C, Range Dst, const std::string &Reg) const;
  std::string zeroFill(const TileCopy &C, Range Whole, llvm::StringRef Dst,
                       llvm::StringRef Src, const clang::Expr *Zero);
  std::string address(const clang::Expr *E);
  std::string addressOf(const clang::Expr *E);
  std::string text(const clang::Expr *E);
};

} // namespace kpipe

#endif // KPIPE_EMISSION_COPYTEXT_H
