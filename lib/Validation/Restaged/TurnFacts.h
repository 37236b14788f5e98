// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found out about one loop of two stages and the same of one, while
// they are compared. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_RESTAGED_TURNFACTS_H
#define KPIPE_LIB_VALIDATION_RESTAGED_TURNFACTS_H

#include "BufferRuns.h"
#include "Code/Scope.h"
#include "MovedCopies.h"
#include "StagedTurns.h"

namespace kpipe {

struct TurnFacts {
  TurnFacts(RestagedPair &Both, const StagedPlace &Place, const Tree &Other);

  RestagedPair &Both;
  const StagedPlace &Place;
  const Tree &A, &O; ///< the author's loop, and the other one
  BufferIndex Index;
  const Scope Written; ///< the author's function
  std::optional<RestagedFault> Fault;

  unsigned Counter = 0, OthersCounter = 0;
  Products Begin, Step;
  BufferedLoop Mine, Others;
  /// The copies of a turn in both, and what stands in front of them.
  TreeList Next, Copies, BeforeCopies;
  /// Names as they were known in front of the loop's body.
  std::map<unsigned, unsigned> NumbersBefore;
  /// Variables that the copies name, and those that are declared among them.
  std::set<unsigned> Named, Own;
  /// What changes to the other buffer and is gone, by its variable.
  std::map<unsigned, const Tree *> Flipped;
  /// Where the first copy stands in front of the loop.
  size_t FirstAt = 0;

  bool fail(const Tree &At, Message Why) {
    if (!Fault)
      Fault = RestagedFault{&At, std::move(Why)};
    return false;
  }

  void prepare(MovedCopies &Moved) const;
  /// Runs a comparison of copies, and adds those to buffers that it sees.
  /// \param At of the loop's statements; -1 in front of the loop.
  bool copied(MovedCopies &Moved, int At, std::vector<BufferEvent> &To,
              bool IfMore, llvm::function_ref<bool()> Compare);
};

bool isBarrierOfBlock(const Tree &T);
/// A commit, a wait or a barrier of the block, as events; false for others.
bool waitsOnly(const Tree &S, const Frame &F, std::vector<BufferEvent> &To);
/// The same without a barrier.
bool threadWaitsOnly(const Tree &S, const Frame &F,
                     std::vector<BufferEvent> &To);
/// Declarations of numbers that do nothing.
bool isQuietDeclaration(const Tree &S);

/// The statements of a turn that read buffers.
class TurnReads {
public:
  explicit TurnReads(TurnFacts &T) : T(T) {}
  /// Are two statements equal, but for buffers? Then adds what they read.
  /// Without, or where it is not proved, T.Fault tells.
  bool computes(const Tree &X, const Tree &Y, int At);
  bool hasViews() const { return !Views.empty(); }

private:
  TurnFacts &T;
  /// Pointers into buffers, by number.
  std::map<unsigned, std::vector<BufferEvent>> Views;

  /// What a value has of a buffer: nothing that lasts, its place, its address.
  enum class Has { Nothing, Place, Address };
  /// Passes: the author's functions are given an address.
  bool Loads = false, Escapes = false, Passes = false;
  /// Variables of inner blocks that hold a place or an address.
  std::set<unsigned> Inner;
  Has flow(const Tree &X);
  Has callFlow(const Tree &X);
  static bool mayKeep(const Tree &X, bool Address);
  bool same(const Tree &X, const Tree &Y, int At,
            std::vector<BufferEvent> &Reads);
  /// \param IsRead set where it reads more than addresses.
  bool declares(const Tree &X, const std::vector<BufferEvent> &Reads,
                bool &IsRead);
  bool writesNone(const Tree &X);
  bool isBuffer(const clang::VarDecl *V) const;
};

/// What stands in front of the loop and is gone: the copies of the first tile,
/// their commits and waits, and declarations. Nothing else there notices.
bool comparesFirstTile(TurnFacts &T);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_RESTAGED_TURNFACTS_H
