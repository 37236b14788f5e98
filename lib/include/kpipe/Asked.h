// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked for one thing that kpipe decides otherwise.
#ifndef KPIPE_ASKED_H
#define KPIPE_ASKED_H

#include <optional>
#include <utility>

namespace kpipe {

/// An std::optional that is empty where the decision is kpipe's (`auto`), and
/// that knows whether somebody said so. Only overlay() asks: an `auto` above a
/// loop takes back a value of the command line, and silence does not.
template <typename T> class Asked {
public:
  Asked() = default;
  Asked(T Value) : Value(std::move(Value)), Said(true) {}

  /// `auto`.
  static Asked automatic() {
    Asked A;
    A.Said = true;
    return A;
  }

  /// Was anything said at all, be it `auto`?
  bool said() const { return Said; }

  bool has_value() const { return Value.has_value(); }
  explicit operator bool() const { return has_value(); }
  operator const std::optional<T> &() const { return Value; }
  const T &operator*() const { return *Value; }
  T value_or(T Default) const { return Value.value_or(std::move(Default)); }

  /// Is the same asked for? Silence and `auto` ask for the same.
  friend bool operator==(const Asked &A, const Asked &B) {
    return A.Value == B.Value;
  }
  friend bool operator!=(const Asked &A, const Asked &B) { return !(A == B); }

private:
  std::optional<T> Value;
  bool Said = false;
};

} // namespace kpipe

#endif // KPIPE_ASKED_H
