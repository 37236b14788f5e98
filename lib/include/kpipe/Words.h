// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words for the parts of a form, the same in options, directives, profiles
// and reports. Stages are numbers, and `auto` for several parts means that
// nothing is asked; that is their readers' business.
#ifndef KPIPE_WORDS_H
#define KPIPE_WORDS_H

#include "kpipe/LoopChoice.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

template <typename T> struct WordFor {
  llvm::StringLiteral Word;
  T Meaning;
};

/// All of them, and what to say where none of them is given.
template <typename T> struct Words;

template <> struct Words<Variant> {
  static constexpr WordFor<Variant> All[] = {{"auto", Variant::Auto},
                                             {"ldg", Variant::Ldg},
                                             {"cp-async", Variant::CpAsync}};
  static constexpr llvm::StringLiteral Want = "want auto, ldg or cp-async";
};
template <> struct Words<LastTiles> {
  static constexpr WordFor<LastTiles> All[] = {
      {"peeled", LastTiles::Peeled}, {"guarded", LastTiles::Guarded}};
  static constexpr llvm::StringLiteral Want = "want peeled or guarded";
};
template <> struct Words<Unrolling> {
  static constexpr WordFor<Unrolling> All[] = {
      {"keep", Unrolling::Keep},
      {"stages", Unrolling::Stages},
      {"never", Unrolling::Never},
      {"compute", Unrolling::Compute}};
  static constexpr llvm::StringLiteral Want =
      "want keep, stages, never or compute";
};
template <> struct Words<Padding> {
  static constexpr WordFor<Padding> All[] = {{"auto", Padding::Auto},
                                             {"always", Padding::Always},
                                             {"never", Padding::Never}};
  static constexpr llvm::StringLiteral Want = "want auto, always or never";
};

/// Gives Out the meaning of a word; false, and Out as it was, if there is none.
/// \param Out a T, or what a T can be assigned to.
template <typename T, typename To>
bool readWord(llvm::StringRef Word, To &Out) {
  for (const WordFor<T> &W : Words<T>::All)
    if (W.Word == Word) {
      Out = W.Meaning;
      return true;
    }
  return false;
}

template <typename T> llvm::StringRef wordFor(T Meaning) {
  for (const WordFor<T> &W : Words<T>::All)
    if (W.Meaning == Meaning)
      return W.Word;
  return {};
}

} // namespace kpipe

#endif // KPIPE_WORDS_H
