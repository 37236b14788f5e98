// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression of a loop as a text that does not hang on how it is spelled,
// with the loop's counter as it is in another turn: sums of products of what is
// not known further, by name. Two expressions of one text have one value.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_TURNTEXT_H
#define KPIPE_LIB_VALIDATION_TURNTEXT_H

#include "BufferIndex.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kpipe {

/// A number: how often each product of names, in order; the constant has none.
using Products = std::map<std::vector<std::string>, int64_t>;

class TurnText {
public:
  explicit TurnText(const clang::ASTContext &Context) : Context(Context) {}

  const clang::ASTContext &Context;
  /// The loop's counter by its number, and what stands for it.
  unsigned Counter = 0;
  std::optional<Products> CounterIs;
  /// What is written for a variable that nothing changes: what made it.
  std::map<unsigned, const Tree *> Made;
  /// The author's numbers of variables; of the author's none.
  const std::map<unsigned, unsigned> *AuthorsNumbers = nullptr;
  /// Arrays of two buffers of the author's, and who is told of a mention: the
  /// subscript that chooses one. In the other text they are one buffer.
  std::set<unsigned> Buffers;
  bool TwoBuffers = false;
  /// Of the author's: which pointers change places.
  const BufferIndex *Index = nullptr;
  llvm::function_ref<bool(const Tree &Array, const Tree &Which)> OnBuffer;

  /// Of everything that was asked so far: the variables that were named, in
  /// this text's numbers; and the first node that has no text, for its value is
  /// in memory, hangs on how often it is asked for, or is a buffer's that was
  /// not expected.
  std::set<unsigned> Named;
  const Tree *Bad = nullptr;

  std::string text(const Tree &T);
  Products number(const Tree &T);
  /// How the counter is written where nothing stands for it.
  static const std::string &counterName();

private:
  /// The pointer whose value is written as the buffer that it was made of.
  const Tree *Swapped = nullptr;
  Products pointer(const Tree &T);
  std::string rangeOf(const Tree &T) const;
  bool isPointer(const Tree &T) const;
  bool namesBuffer(const Tree &T) const;
  std::string nameOf(const Tree &T);
  std::string node(const Tree &T);
  std::string fail(const Tree &T);
  bool isNumber(const Tree &T) const;
};

Products sumOf(Products A, const Products &B, int64_t Times = 1);
std::string written(const Products &P);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TURNTEXT_H
