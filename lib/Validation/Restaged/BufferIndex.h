// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of two buffers a subscript names, turn by turn: known only where it
// hangs on nothing but whether the turn is even. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_BUFFERINDEX_H
#define KPIPE_LIB_VALIDATION_BUFFERINDEX_H

#include "Validation/Trees/Tree.h"
#include "clang/AST/ASTContext.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kpipe {

/// In even turns and in odd ones; the first turn is 0.
using ByTurn = std::array<int, 2>;

class BufferIndex {
public:
  /// \param Loop a `for` loop that declares and steps one counter.
  BufferIndex(const Tree &Function, const Tree &Loop,
              const clang::ASTContext &Context);

  /// \param At of the loop's statements, the one that the subscript is in; -1
  /// in front of the loop.
  std::optional<ByTurn> of(const Tree &Subscript, int At);

  /// Does a statement of the loop do nothing but change to the other buffer?
  bool flips(const Tree &Statement) const;
  /// What is changed by it.
  std::vector<unsigned> flippedBy(const Tree &Statement) const;

  /// `A[0]` of `float *cur = A[0]`, where cur and another pointer to the same
  /// array's buffers change places in each turn, and T is cur's value; else
  /// null. of() tells T's buffer.
  const Tree *bufferOf(const Tree &T) const;

private:
  struct Value {
    /// Its lowest bit by turn, and whether that is all of it.
    ByTurn Bit{};
    bool Whole = false;
    /// Known of what is no Line.
    bool NotNegative = false;
    /// So much in turn 0, and more in each turn.
    std::optional<std::pair<int64_t, int64_t>> Line;
  };
  struct Flip {
    int At;
    int First; ///< in turn 0, before it
  };
  const clang::ASTContext &Context;
  const Tree &Loop;
  unsigned Counter = 0;
  std::optional<int64_t> Begin, Step;
  const Tree *StepIs = nullptr;
  std::map<unsigned, Flip> Flips;
  std::map<const Tree *, std::vector<unsigned>> FlipOf;
  /// The buffers that pointers which change places were made of.
  std::map<unsigned, const Tree *> Pointers;
  /// Variables that nothing changes, by what made them and where.
  std::map<unsigned, std::pair<const Tree *, int>> Made;

  static Value constant(int64_t N);
  static Value bits(ByTurn B) { return {B, true, true, std::nullopt}; }
  std::optional<int64_t> known(const Tree &T) const;
  std::optional<Value> value(const Tree &T, int At, unsigned Depth);
  std::optional<Value> binary(const Tree &T, int At, unsigned Depth);
  void findFlips(const Tree &Function);
  void findSwap(const std::map<unsigned, const Tree *> &Inits,
                const std::map<unsigned, unsigned> &Times);
  void tryFlip(unsigned Local, const Tree &Made, const Tree &Statement, int At);
};

/// The statements of a loop's body.
TreeList turnOf(const Tree &Loop);
/// The variables that something in T may change; a mention that is not a load
/// or an array's counts.
void findChanged(const Tree &T, std::map<unsigned, unsigned> &Times);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_BUFFERINDEX_H
