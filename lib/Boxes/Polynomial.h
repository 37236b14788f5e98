// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as sums of products of symbols, with a factor each: `row * K + k0 +
// 5`. What a symbol stands for is not known here.
#ifndef KPIPE_BOXES_POLYNOMIAL_H
#define KPIPE_BOXES_POLYNOMIAL_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kpipe {

struct Polynomial {
  /// Symbols in order, one as often as it is a factor; none: a number.
  using Product = std::vector<unsigned>;
  /// None of the factors is 0.
  std::map<Product, int64_t> Terms;

  static Polynomial number(int64_t N);
  static Polynomial symbol(unsigned S);

  /// Its value where it has no symbols.
  std::optional<int64_t> asNumber() const;
  bool operator==(const Polynomial &O) const { return Terms == O.Terms; }
  bool operator!=(const Polynomial &O) const { return Terms != O.Terms; }
};

/// A + B * By. Nothing where it grows beyond what sources have.
std::optional<Polynomial> add(const Polynomial &A, const Polynomial &B,
                              int64_t By = 1);
std::optional<Polynomial> multiply(const Polynomial &A, const Polynomial &B);

/// A - B, if that is a number.
std::optional<int64_t> distance(const Polynomial &A, const Polynomial &B);

} // namespace kpipe

#endif // KPIPE_BOXES_POLYNOMIAL_H
