// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain of pairs with the most likeness, by dynamic programming over each
// changed stretch, see Alignment.h.
#include "Alignment.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace kpipe::html {

namespace {

/// Pairs of lines that are compared in one stretch; beyond, lines are paired
/// in their order.
constexpr size_t MostComparisons = 1 << 18;

/// Words and signs of a line, sorted.
using Words = std::vector<llvm::hash_code>;

/// The word or sign that a line begins with; no character is cut.
llvm::StringRef wordOf(llvm::StringRef Line) {
  llvm::StringRef Word = Line.take_while(
      [](char C) { return llvm::isAlnum(C) || C == '_' || (C & 0x80); });
  return Word.empty() ? Line.take_front() : Word;
}

Words wordsOf(llvm::StringRef Line) {
  Words Found;
  while (!(Line = Line.ltrim()).empty()) {
    llvm::StringRef Word = wordOf(Line);
    Found.push_back(llvm::hash_value(Word));
    Line = Line.drop_front(Word.size());
  }
  llvm::sort(Found);
  return Found;
}

/// Words that both lines have, of all their words: 0 to 1.
double likeness(const Words &A, const Words &B) {
  if (A.empty() || B.empty())
    return 0;
  size_t Common = 0;
  for (auto X = A.begin(), Y = B.begin(); X != A.end() && Y != B.end();)
    if (*X == *Y)
      ++Common, ++X, ++Y;
    else
      size_t(*X) < size_t(*Y) ? ++X : ++Y;
  return 2.0 * Common / (A.size() + B.size());
}

class Stretch {
public:
  Stretch(llvm::ArrayRef<llvm::StringRef> Old,
          llvm::ArrayRef<llvm::StringRef> New, const LineChange &C,
          std::vector<AlignedRow> &Rows)
      : Change(C), Rows(Rows), Height(C.OldEnd - C.OldBegin),
        Width(C.NewEnd - C.NewBegin) {
    if (size_t(Height) * Width > MostComparisons)
      return;
    for (unsigned I = C.OldBegin; I < C.OldEnd; ++I)
      OldWords.push_back(wordsOf(Old[I]));
    for (unsigned I = C.NewBegin; I < C.NewEnd; ++I)
      NewWords.push_back(wordsOf(New[I]));
  }

  void run() {
    unsigned O = 0, N = 0;
    for (auto [PairOld, PairNew] : pairs()) {
      between(O, PairOld, N, PairNew);
      push(PairOld, PairNew, /*IsPair=*/true);
      O = PairOld + 1;
      N = PairNew + 1;
    }
    between(O, Height, N, Width);
  }

private:
  /// Lines that are less alike are no forms of each other.
  static constexpr double Least = 0.6;

  const LineChange &Change;
  std::vector<AlignedRow> &Rows;
  unsigned Height, Width;
  std::vector<Words> OldWords, NewWords;

  double gain(unsigned O, unsigned N) const {
    double L = likeness(OldWords[O], NewWords[N]);
    // Squared: one good pair is worth more than two poor ones.
    return L < Least ? 0 : L * L;
  }

  std::vector<std::pair<unsigned, unsigned>> pairs() const {
    std::vector<std::pair<unsigned, unsigned>> Chosen;
    if (OldWords.empty() || NewWords.empty())
      return Chosen;
    // Best[O][N]: most likeness of the lines from O and from N on.
    std::vector<std::vector<double>> Best(Height + 1,
                                          std::vector<double>(Width + 1, 0));
    for (unsigned O = Height; O-- > 0;)
      for (unsigned N = Width; N-- > 0;) {
        double G = gain(O, N);
        Best[O][N] = std::max({Best[O + 1][N], Best[O][N + 1],
                               G > 0 ? G + Best[O + 1][N + 1] : 0});
      }
    for (unsigned O = 0, N = 0; O < Height && N < Width;)
      if (Best[O][N] == Best[O + 1][N])
        ++O;
      else if (Best[O][N] == Best[O][N + 1])
        ++N;
      else
        Chosen.push_back({O++, N++});
    return Chosen;
  }

  void push(unsigned O, unsigned N, bool IsPair) {
    AlignedRow Row;
    if (O != AlignedRow::None)
      Row.Old = Change.OldBegin + O;
    if (N != AlignedRow::None)
      Row.New = Change.NewBegin + N;
    Row.IsPair = IsPair;
    Rows.push_back(Row);
  }

  /// Lines without a partner share rows to save room, in their order.
  void between(unsigned OB, unsigned OE, unsigned NB, unsigned NE) {
    while (OB < OE || NB < NE) {
      unsigned O = OB < OE ? OB++ : AlignedRow::None;
      unsigned N = NB < NE ? NB++ : AlignedRow::None;
      push(O, N, /*IsPair=*/false);
    }
  }
};

} // namespace

std::vector<AlignedRow> align(llvm::ArrayRef<llvm::StringRef> Old,
                              llvm::ArrayRef<llvm::StringRef> New) {
  std::vector<AlignedRow> Rows;
  unsigned O = 0, N = 0;
  auto Same = [&](unsigned End) {
    while (O < End)
      Rows.push_back({O++, N++, /*IsPair=*/true, /*IsSame=*/true});
  };
  for (const LineChange &C : diffLines(Old, New)) {
    Same(C.OldBegin);
    Stretch(Old, New, C, Rows).run();
    O = C.OldEnd;
    N = C.NewEnd;
  }
  Same(Old.size());
  return Rows;
}

/// Words and signs of a line as they stand in it.
static std::vector<llvm::StringRef> tokensOf(llvm::StringRef Line) {
  std::vector<llvm::StringRef> Found;
  while (!(Line = Line.ltrim()).empty()) {
    Found.push_back(wordOf(Line));
    Line = Line.drop_front(Found.back().size());
  }
  return Found;
}

/// The tokens [Begin, End) as a part of their line.
static void append(LineParts &Parts, llvm::StringRef Line,
                   llvm::ArrayRef<llvm::StringRef> Tokens, unsigned Begin,
                   unsigned End) {
  if (Begin < End)
    Parts.push_back({Tokens[Begin].begin() - Line.begin(),
                     Tokens[End - 1].end() - Line.begin()});
}

ChangedParts changedParts(llvm::StringRef Old, llvm::StringRef New) {
  ChangedParts Parts;
  // Nobody reads the words of a longer line, and comparing them would take
  // time by the square.
  constexpr size_t LongestCompared = 2000;
  if (std::max(Old.size(), New.size()) > LongestCompared)
    return Parts;
  std::vector<llvm::StringRef> A = tokensOf(Old), B = tokensOf(New);
  for (const LineChange &C : diffLines(A, B)) {
    append(Parts.Old, Old, A, C.OldBegin, C.OldEnd);
    append(Parts.New, New, B, C.NewBegin, C.NewEnd);
  }
  return Parts;
}

} // namespace kpipe::html
