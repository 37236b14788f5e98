// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop and the block that it became: registers, lambdas, skeleton. Every
// statement of the author's must be found in the lambdas as often as it has to
// be. Private to the validation.
#ifndef KPIPE_VALIDATION_LOOPMATCHER_H
#define KPIPE_VALIDATION_LOOPMATCHER_H

#include "Matcher.h"
#include "Skeleton.h"

namespace kpipe {

class LoopMatcher {
public:
  /// \param Author the loop that \p M stands at.
  LoopMatcher(Matcher &M, const Tree &Author)
      : M(M), Author(Author), Loop(*M.Loop), Skeleton(M, Author) {}

  /// What goes where, by the declared mapping. \returns false if nothing is
  /// said of a statement.
  bool sortStatements();
  /// \param O what the loop became.
  bool run(const Tree &O);

private:
  Matcher &M;
  const Tree &Author;
  const DeclaredLoop &Loop;
  SkeletonMatcher Skeleton;
  TreeList Load, Compute, Shared;
  size_t NextMoved = 0; ///< of Shared: they keep their order
  bool HasLoad = false, HasStore = false, HasCompute = false;

  /// One declaration in front of the skeleton; none if it belongs to that.
  std::optional<bool> part(const Tree &V);
  std::optional<bool> lambda(const Tree &V, const Tree &Lambda);
  const Tree *movedOut(const Tree &V);
  /// Another name of a view, by which all stages are reached.
  bool bindFirst(const Tree &O);
  bool bindParameters(const Tree &Lambda, const Tree &In, LoadHalf Which);
  bool matchLambda(const Tree &Lambda, llvm::ArrayRef<const Tree *> As,
                   LoadHalf Which);
  bool matchAll(llvm::ArrayRef<const Tree *> As,
                llvm::ArrayRef<const Tree *> Os);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_LOOPMATCHER_H
