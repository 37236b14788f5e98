// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of a loop's form in JSON, the same in profiles and reports: numbers
// are numbers, permissions are booleans, all else are words.
#ifndef KPIPE_FORMJSON_H
#define KPIPE_FORMJSON_H

#include "kpipe/Words.h"
#include "llvm/Support/JSON.h"

namespace kpipe {

/// "allowOccupancyDrop" of "allow-occupancy-drop"; lives as long as the program,
/// since a path of llvm::json keeps no text.
llvm::StringRef jsonKey(const FormField &Field);

template <typename T> llvm::json::Value jsonFor(T Value) {
  if constexpr (std::is_same_v<T, unsigned>)
    return Value;
  else if constexpr (std::is_same_v<T, Flag>)
    return Value == Flag::Given;
  else if constexpr (std::is_same_v<T, BlocksPerSM>)
    return unsigned(Value);
  else
    return wordFor(Value);
}

/// Reads a field; false, with what is wrong reported, if it is no value of it.
template <typename T>
bool fromJson(const llvm::json::Value &V, Asked<T> &Out, llvm::json::Path P) {
  constexpr bool IsNumber =
      std::is_same_v<T, unsigned> || std::is_same_v<T, BlocksPerSM>;
  std::conditional_t<
      IsNumber, int64_t,
      std::conditional_t<std::is_same_v<T, Flag>, bool, std::string>>
      Read{};
  if (!llvm::json::fromJSON(V, Read, P))
    return false;
  if constexpr (std::is_same_v<T, Flag>) {
    Out = Read ? Asked<T>(Flag::Given) : Asked<T>();
  } else if constexpr (IsNumber) {
    if (Read < 1 || Read > Spelling<T>::Most)
      return P.report(Spelling<T>::WantNumber), false;
    Out = T(Read);
  } else {
    std::optional<Asked<T>> Value = Spelling<T>::parse(Read);
    if (!Value)
      return P.report(Spelling<T>::Want), false;
    Out = *Value;
  }
  return true;
}

} // namespace kpipe

#endif // KPIPE_FORMJSON_H
