// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Myers' O(ND) comparison between anchors: lines that occur once in each text
// and in the same order are taken as unchanged first, so that a long file with
// many changes stays cheap and hunks follow the code's own marks.
#include "kpipe/LineDiff.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace kpipe {

std::vector<llvm::StringRef> splitLines(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Lines;
  while (!Text.empty()) {
    size_t End = Text.find('\n');
    End = End == llvm::StringRef::npos ? Text.size() : End + 1;
    Lines.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Lines;
}

namespace {

class LineDiff {
public:
  LineDiff(llvm::ArrayRef<llvm::StringRef> Old,
           llvm::ArrayRef<llvm::StringRef> New)
      : Old(Old), New(New), KeptOld(Old.size(), false),
        KeptNew(New.size(), false) {}

  std::vector<LineChange> run() {
    compare(0, Old.size(), 0, New.size(), /*MayAnchor=*/true);
    std::vector<LineChange> Changes;
    for (unsigned O = 0, N = 0; O < Old.size() || N < New.size();) {
      LineChange C{O, O, N, N};
      while (C.OldEnd < Old.size() && !KeptOld[C.OldEnd])
        ++C.OldEnd;
      while (C.NewEnd < New.size() && !KeptNew[C.NewEnd])
        ++C.NewEnd;
      if (C.OldEnd > C.OldBegin || C.NewEnd > C.NewBegin)
        Changes.push_back(C);
      O = C.OldEnd;
      N = C.NewEnd;
      while (O < Old.size() && N < New.size() && KeptOld[O] && KeptNew[N])
        ++O, ++N;
    }
    return Changes;
  }

private:
  void keep(unsigned O, unsigned N) { KeptOld[O] = KeptNew[N] = true; }

  void compare(unsigned OB, unsigned OE, unsigned NB, unsigned NE,
               bool MayAnchor) {
    while (OB < OE && NB < NE && Old[OB] == New[NB])
      keep(OB++, NB++);
    while (OB < OE && NB < NE && Old[OE - 1] == New[NE - 1])
      keep(--OE, --NE);
    if (OB == OE || NB == NE)
      return;
    if (MayAnchor) {
      std::vector<std::pair<unsigned, unsigned>> Anchors =
          anchors(OB, OE, NB, NE);
      for (auto [O, N] : Anchors) {
        compare(OB, O, NB, N, /*MayAnchor=*/false);
        keep(O, N);
        OB = O + 1;
        NB = N + 1;
      }
    }
    myers(OB, OE, NB, NE);
  }

  /// Lines that are unique in both ranges, as the longest chain that rises in
  /// both.
  std::vector<std::pair<unsigned, unsigned>>
  anchors(unsigned OB, unsigned OE, unsigned NB, unsigned NE) {
    struct Seen {
      unsigned InOld = 0, InNew = 0, AtOld = 0, AtNew = 0;
    };
    llvm::DenseMap<llvm::StringRef, Seen> Lines;
    for (unsigned O = OB; O < OE; ++O)
      ++Lines[Old[O]].InOld, Lines[Old[O]].AtOld = O;
    for (unsigned N = NB; N < NE; ++N)
      ++Lines[New[N]].InNew, Lines[New[N]].AtNew = N;
    std::vector<std::pair<unsigned, unsigned>> Unique;
    for (unsigned O = OB; O < OE; ++O) {
      const Seen &S = Lines[Old[O]];
      if (S.InOld == 1 && S.InNew == 1)
        Unique.push_back({O, S.AtNew});
    }
    // Longest increasing chain by the new line: for each length the pair that
    // ends it lowest, and each pair's predecessor.
    std::vector<int> Ends, Before(Unique.size(), -1);
    for (int I = 0; I < int(Unique.size()); ++I) {
      auto At = llvm::partition_point(
          Ends, [&](int E) { return Unique[E].second < Unique[I].second; });
      if (At != Ends.begin())
        Before[I] = *std::prev(At);
      if (At == Ends.end())
        Ends.push_back(I);
      else
        *At = I;
    }
    std::vector<std::pair<unsigned, unsigned>> Chain;
    for (int I = Ends.empty() ? -1 : Ends.back(); I >= 0; I = Before[I])
      Chain.push_back(Unique[I]);
    std::reverse(Chain.begin(), Chain.end());
    return Chain;
  }

  void myers(int OB, int OE, int NB, int NE) {
    while (OB < OE && NB < NE && Old[OB] == New[NB])
      keep(OB++, NB++);
    while (OB < OE && NB < NE && Old[OE - 1] == New[NE - 1])
      keep(--OE, --NE);
    int Rows = OE - OB, Cols = NE - NB;
    if (Rows == 0 || Cols == 0)
      return;
    // Furthest[D][K]: how far down diagonal K one comes with D changes.
    std::vector<std::vector<int>> Trace;
    std::vector<int> Furthest(2 * (Rows + Cols) + 3, 0);
    int Zero = Rows + Cols + 1;
    for (int D = 0; D <= Rows + Cols; ++D) {
      // Only diagonals -D..D can be reached.
      Trace.emplace_back(Furthest.begin() + Zero - D - 1,
                         Furthest.begin() + Zero + D + 2);
      for (int K = -D; K <= D; K += 2) {
        int X = K == -D || (K != D && Furthest[Zero + K - 1] <
                                          Furthest[Zero + K + 1])
                    ? Furthest[Zero + K + 1]
                    : Furthest[Zero + K - 1] + 1;
        int Y = X - K;
        while (X < Rows && Y < Cols && Old[OB + X] == New[NB + Y])
          ++X, ++Y;
        Furthest[Zero + K] = X;
        if (X >= Rows && Y >= Cols)
          return walkBack(Trace, OB, NB, Rows, Cols);
      }
    }
  }

  void walkBack(llvm::ArrayRef<std::vector<int>> Trace, int OB, int NB, int X,
                int Y) {
    for (int D = Trace.size() - 1; D >= 0; --D) {
      auto At = [&](int K) { return Trace[D][K + D + 1]; };
      int K = X - Y;
      bool Down = K == -D || (K != D && At(K - 1) < At(K + 1));
      int FromX = D == 0 ? 0 : Down ? At(K + 1) : At(K - 1) + 1;
      int FromY = D == 0 ? 0 : FromX - K;
      while (X > FromX && Y > FromY)
        --X, --Y, keep(OB + X, NB + Y);
      if (D == 0)
        return;
      Down ? --Y : --X;
    }
  }

  llvm::ArrayRef<llvm::StringRef> Old, New;
  std::vector<bool> KeptOld, KeptNew;
};

} // namespace

std::vector<LineChange> diffLines(llvm::ArrayRef<llvm::StringRef> Old,
                                  llvm::ArrayRef<llvm::StringRef> New) {
  return LineDiff(Old, New).run();
}

} // namespace kpipe
