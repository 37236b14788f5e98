// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words for the values of a loop's form, the same in options, directives,
// profiles and reports: one list for each type of LoopForm.def, from which its
// parser and printer follow.
#ifndef KPIPE_WORDS_H
#define KPIPE_WORDS_H

#include "kpipe/LoopForm.h"
#include <algorithm>
#include <string>
#include <vector>

namespace kpipe {

template <typename T> struct WordFor {
  llvm::StringLiteral Word;
  T Meaning;
  /// What tune's table says of it; may be empty.
  llvm::StringLiteral InTuneTable = "";
};

/// The words of a type: All of them, and
///   Auto  the word for what kpipe decides; empty if there is none,
///   Bare  what a name without a value stands for; empty if it needs one,
///   Want  what to say where another word is given.
template <typename T> struct Words;

template <> struct Words<Variant> {
  static constexpr llvm::StringLiteral Auto = "auto", Bare = "";
  static constexpr WordFor<Variant> All[] = {{"ldg", Variant::Ldg},
                                             {"cp-async", Variant::CpAsync}};
  static constexpr llvm::StringLiteral Want = "want auto, ldg or cp-async";
};
template <> struct Words<ScheduleKind> {
  static constexpr llvm::StringLiteral Auto = "auto", Bare = "";
  static constexpr WordFor<ScheduleKind> All[] = {
      {"peeled", ScheduleKind::Peeled},
      {"guarded", ScheduleKind::Guarded, "guarded"},
      {"specialized", ScheduleKind::Specialized, "specialized"}};
  static constexpr llvm::StringLiteral Want =
      "want auto, peeled, guarded or specialized";
};
template <> struct Words<ProducerKind> {
  static constexpr llvm::StringLiteral Auto = "auto", Bare = "";
  static constexpr WordFor<ProducerKind> All[] = {
      {"warp", ProducerKind::Warp},
      {"warpgroup", ProducerKind::Group, "warpgroup"}};
  static constexpr llvm::StringLiteral Want = "want auto, warp or warpgroup";
};
template <> struct Words<Unrolling> {
  static constexpr llvm::StringLiteral Auto = "keep", Bare = "";
  static constexpr WordFor<Unrolling> All[] = {
      {"stages", Unrolling::Stages, "unrolled"},
      {"never", Unrolling::Never, "not unrolled"},
      {"compute", Unrolling::Compute, "compute unrolled"}};
  static constexpr llvm::StringLiteral Want =
      "want keep, stages, never or compute";
};
template <> struct Words<Padding> {
  static constexpr llvm::StringLiteral Auto = "", Bare = "auto";
  static constexpr WordFor<Padding> All[] = {{"auto", Padding::IfFree},
                                             {"always", Padding::Always},
                                             {"never", Padding::Never}};
  static constexpr llvm::StringLiteral Want = "want auto, always or never";
};
template <> struct Words<CopyMapping> {
  static constexpr llvm::StringLiteral Auto = "auto", Bare = "";
  static constexpr WordFor<CopyMapping> All[] = {
      {"author", CopyMapping::Author},
      {"remap", CopyMapping::Remap, "remapped"},
      {"tma", CopyMapping::Tma, "TMA"},
      {"bulk", CopyMapping::Bulk, "bulk"}};
  static constexpr llvm::StringLiteral Want =
      "want auto, author, remap, tma or bulk";
};
template <> struct Words<Flag> {
  static constexpr llvm::StringLiteral Auto = "false", Bare = "true";
  static constexpr WordFor<Flag> All[] = {{"true", Flag::Given}};
  static constexpr llvm::StringLiteral Want = "want true or false";
};

/// Parser and printer of a type.
template <typename T> struct Spelling : Words<T> {
  static std::string print(T Value) { return entry(Value).Word.str(); }

  static llvm::StringRef inTuneTable(T Value) {
    return entry(Value).InTuneTable;
  }

  /// What a word asks for; nothing if it is none of them.
  static std::optional<Asked<T>> parse(llvm::StringRef Word) {
    if (!Words<T>::Auto.empty() && Word == Words<T>::Auto)
      return Asked<T>::automatic();
    for (const WordFor<T> &W : Words<T>::All)
      if (W.Word == Word)
        return Asked<T>(W.Meaning);
    return std::nullopt;
  }

  static std::vector<std::string> words() {
    std::vector<std::string> Found;
    if (!Words<T>::Auto.empty())
      Found.push_back(Words<T>::Auto.str());
    for (const WordFor<T> &W : Words<T>::All)
      Found.push_back(W.Word.str());
    return Found;
  }

  static std::vector<T> values() {
    std::vector<T> Found;
    for (const WordFor<T> &W : Words<T>::All)
      Found.push_back(W.Meaning);
    return Found;
  }

private:
  static const WordFor<T> &entry(T Value) {
    const WordFor<T> *Found = Words<T>::All;
    while (Found->Meaning != Value)
      ++Found;
    return *Found;
  }
};

/// A number with a type of its own. Few are worth a try.
template <> struct Spelling<BlocksPerSM> {
  static constexpr llvm::StringLiteral Auto = "auto", Bare = "";
  static constexpr unsigned Most = 32;
  static constexpr llvm::StringLiteral Want =
      "want auto or a number from 1 to 32";
  static constexpr llvm::StringLiteral WantNumber =
      "want a number from 1 to 32";

  static std::string print(BlocksPerSM Value) {
    return std::to_string(unsigned(Value));
  }
  static llvm::StringRef inTuneTable(BlocksPerSM Value) {
    static const std::vector<std::string> Texts = [] {
      std::vector<std::string> All;
      for (unsigned Number = 0; Number <= Most; ++Number)
        All.push_back("at least " + std::to_string(Number) + " blocks");
      return All;
    }();
    return Texts[std::min(unsigned(Value), Most)];
  }
  static std::optional<Asked<BlocksPerSM>> parse(llvm::StringRef Word) {
    unsigned Number = 0;
    if (Word == Auto)
      return Asked<BlocksPerSM>::automatic();
    if (Word.getAsInteger(10, Number) || Number < 1 || Number > Most)
      return std::nullopt;
    return Asked<BlocksPerSM>(BlocksPerSM(Number));
  }
  static std::vector<std::string> words() {
    return {Auto.str(), "1.." + std::to_string(Most)};
  }
  static std::vector<BlocksPerSM> values() {
    return {BlocksPerSM(2), BlocksPerSM(3), BlocksPerSM(4)};
  }
};

/// Stages.
template <> struct Spelling<unsigned> {
  static constexpr llvm::StringLiteral Auto = "auto", Bare = "";
  static constexpr unsigned Most = 8;
  static constexpr llvm::StringLiteral Want =
      "want auto or a number from 1 to 8";
  static constexpr llvm::StringLiteral WantNumber = "want a number from 1 to 8";

  static std::string print(unsigned Value) { return std::to_string(Value); }
  static llvm::StringRef inTuneTable(unsigned) { return ""; }
  static std::optional<Asked<unsigned>> parse(llvm::StringRef Word) {
    unsigned Number = 0;
    if (Word == Auto)
      return Asked<unsigned>::automatic();
    if (Word.getAsInteger(10, Number) || Number < 1 || Number > Most)
      return std::nullopt;
    return Asked<unsigned>(Number);
  }
  static std::vector<std::string> words() {
    return {Auto.str(), "1.." + std::to_string(Most)};
  }
  static std::vector<unsigned> values() { return {1, 2, 3, 4, 5, 6, 7, 8}; }
};

/// The spelling of a member of LoopForm.
template <typename Member> struct SpellingOfMember;
template <typename T> struct SpellingOfMember<Asked<T> LoopForm::*> {
  using Type = Spelling<T>;
};
template <typename Member>
using SpellingOf = typename SpellingOfMember<Member>::Type;

template <typename T> std::string wordFor(T Value) {
  return Spelling<T>::print(Value);
}

/// The word for what is asked, be it the one for nothing.
template <typename T> std::string wordFor(const Asked<T> &Value) {
  return Value ? Spelling<T>::print(*Value) : Spelling<T>::Auto.str();
}

} // namespace kpipe

#endif // KPIPE_WORDS_H
