// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep around a loop whose buffers are used outside it as well: what
// they hold is copied to all stages in front of the loop, and the last tile to
// the first stage behind it. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_CONTENTMOVES_H
#define KPIPE_LIB_VALIDATION_CONTENTMOVES_H

#include "Matcher.h"

namespace kpipe {

/// Is the array, or the buffer that the view shows, said to keep what it holds?
bool keepsContents(const DeclaredLoop &L, const clang::Decl *Name);

class ContentMoves {
public:
  ContentMoves(Matcher &M, const DeclaredLoop &L) : M(M), L(L) {}

  /// How many of the statements in front of the loop A copy what buffers hold;
  /// none if they are not as they have to be.
  std::optional<size_t> before(const Tree &A,
                               llvm::ArrayRef<const Tree *> Os) const;
  /// How many behind it bring the last tile to where names look for it.
  std::optional<size_t> after(const Tree &A,
                              llvm::ArrayRef<const Tree *> Os) const;

private:
  Matcher &M;
  const DeclaredLoop &L;

  bool isFirst(const Tree &O, const StagedBuffer &B) const;
  bool isBytes(const Tree &O, const StagedBuffer &B) const;
  bool isSpread(const Tree &O, const StagedBuffer &B) const;
  bool isMove(const Tree &O, const StagedBuffer &B) const;
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_CONTENTMOVES_H
