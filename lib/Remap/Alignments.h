// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold in front of the loop for pieces of 16 bytes to be aligned:
// pointers and numbers that nobody can tell of before the program runs.
#ifndef KPIPE_REMAP_ALIGNMENTS_H
#define KPIPE_REMAP_ALIGNMENTS_H

#include "Boxes/Offsets.h"
#include <map>

namespace kpipe {

class Alignments {
public:
  Alignments(const LoopFacts &Facts, Offsets &At) : Facts(Facts), At(At) {}

  /// Asks that P is a multiple of Step, a power of two, in each turn of the
  /// loop. False where nothing that is asked in front of the loop can say so.
  bool ask(const Polynomial &P, unsigned Step);
  /// Asks that a pointer is aligned to Bytes.
  bool askPointer(unsigned Symbol, unsigned Bytes);

  /// What is to be asked, by symbol.
  const std::map<unsigned, unsigned> &numbers() const { return Numbers; }
  const std::map<unsigned, unsigned> &pointers() const { return Pointers; }

  /// Asks no more than another one, of the same loop.
  void restore(const Alignments &To) {
    Numbers = To.Numbers;
    Pointers = To.Pointers;
  }

private:
  const LoopFacts &Facts;
  Offsets &At;
  std::map<unsigned, unsigned> Numbers, Pointers;

  bool askProduct(const Polynomial::Product &P, unsigned Step);
  bool isKnown(unsigned Symbol, unsigned Step);
  bool canBeAsked(unsigned Symbol);
  bool mayTrap(const clang::Stmt *S) const;
  bool stepsBy(const clang::VarDecl *V, unsigned Step);
  bool beginsInLoop(const clang::VarDecl *V) const;
  bool isSteadyInLoop(const clang::VarDecl *V) const;
};

} // namespace kpipe

#endif // KPIPE_REMAP_ALIGNMENTS_H
