// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands around the calls of the lambdas: conditions, steps, arguments,
// barriers. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_SKELETON_H
#define KPIPE_LIB_VALIDATION_SKELETON_H

#include "Matcher.h"

namespace kpipe {

/// The skeleton of one loop: each expression in it is the author's for this
/// tile or for one that comes, or counts stages and slots.
class SkeletonMatcher {
public:
  SkeletonMatcher(Matcher &M, const Tree &Author) : M(M), Author(Author) {}

  /// A lambda by its variable's number.
  void addLambda(unsigned Variable, const Tree &Lambda, bool Loads) {
    Lambdas[Variable] = &Lambda;
    if (Loads)
      LoadLambda = &Lambda;
  }
  /// The header's first values, if these statements begin with them.
  /// \returns how many statements they take; 0: they are others.
  size_t begin(llvm::ArrayRef<const Tree *> Statements);
  bool begun() const { return Begun; }
  bool run(llvm::ArrayRef<const Tree *> Statements);

private:
  Matcher &M;
  const Tree &Author; ///< the loop
  std::map<unsigned, const Tree *> Lambdas;
  /// Header variables by the author's number: what runs ahead of them.
  std::map<unsigned, unsigned> Cursors;
  unsigned Slot = 0, More = 0;
  const Tree *LoadLambda = nullptr;
  bool Begun = false;

  enum class Values { This, Next, Ahead };
  /// For which tile the condition asked that was looked at last, that of
  /// `more`, and the innermost one around.
  Values Asked = Values::This, AskedByMore = Values::This,
         Around = Values::This;
  bool InTiles = false; ///< in a loop over tiles, where one is computed
  bool HasTile = false; ///< where a condition has asked for a tile
  /// The author's condition steps a variable itself: that step, and what O has
  /// to be in its place when the condition is asked for a tile.
  const Tree *stepInCondition() const;
  bool isAskedBy(const Tree &Step, const Tree &O, Values Which);
  bool tryAs(const Tree &A, const Tree &O, Values Which);
  bool statement(const Tree &O);
  bool declaration(const Tree &O);
  bool condition(const Tree &O);
  bool asksForThis(const Tree &O);
  bool conditionAround(const Tree &O);
  bool step(const Tree &O);
  bool call(const Tree &O);
  bool isBarrier(const Tree &O);
  /// What begins the part of a producer's warp, and that part.
  bool startProducer(llvm::ArrayRef<const Tree *> &Statements);
  bool producer(const Tree &Part);
  bool frees(const Tree &O) const;
  bool functionOfHeader(const Tree &O, const std::string &Name);
  bool isValue(const Tree &O, unsigned Header);
  bool isStage(const Tree &O) const;
  bool isSlot(const Tree &O) const;
  bool isTurn(const Tree &O) const;
  bool isNext(const Tree &O, unsigned Header);
  const Tree *find(const clang::Stmt *Origin) const;
  unsigned headerNumber(const clang::VarDecl *V) const;
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SKELETON_H
