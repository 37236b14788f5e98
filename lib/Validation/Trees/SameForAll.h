// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the same happen to all threads of a block on the way to a statement? Read
// from the tree alone, apart from what the rules ask (Code/ThreadDependence.h).
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_SAMEFORALL_H
#define KPIPE_LIB_VALIDATION_SAMEFORALL_H

#include "Tree.h"
#include <set>

namespace kpipe {

/// Is a child of a branch or a loop what the others govern? Conditions and steps
/// stand in front of it.
bool isBody(const Tree &T, size_t I);
bool isLoop(const Tree &T);
/// A block, a branch or a loop: a statement around others.
bool isAroundOthers(const Tree &T);

class SameForAll {
public:
  /// \param Function a kernel, whose parameters all threads are given alike.
  explicit SameForAll(const Tree &Function);

  /// Do all threads come to T, and equally often? False where it is not known.
  bool come(const Tree &T) const {
    return !Scattered && !Apart.count(&T) && !leftBefore(T);
  }

  /// May the value of an expression differ among the threads?
  bool differs(const Tree &T) const;

private:
  const Tree &Function;
  /// Variables whose values may differ; loops that some threads may leave
  /// before others; what is where only some may be.
  std::set<unsigned> Differing;
  std::set<const Tree *> Uneven, Apart;
  std::set<const Tree *> Read; ///< names of which a value is loaded
  std::set<const Tree *> Returns; ///< where some may, and others not
  bool Scattered = false;         ///< some may jump where others do not
  bool Changed = false;

  void note(unsigned Local) { Changed |= Differing.insert(Local).second; }
  void noteVariable(const Tree &Name);
  bool leftBefore(const Tree &T) const;
  void pass(const Tree &T, bool Some, const Tree *Loop, bool InClosure);
  void control(const Tree &T, bool Some, const Tree *Loop, bool InClosure);
  bool assigns(const Tree &T, bool Some);
  void readsIn(const Tree &Place);
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SAMEFORALL_H
