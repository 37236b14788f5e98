// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts are compared with the author's line by line. What changed becomes
// regions, which grow until each holds whole blocks and whole conditions in
// every text: nobody wants to read half a loop.
#include "ArchGuards.h"
#include "LineDepths.h"
#include "LineDirectives.h"
#include "kpipe/LineDiff.h"
#include "kpipe/LineEndings.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <optional>

namespace kpipe {
namespace {

using Lines = std::vector<llvm::StringRef>;

/// A text, as what became of the author's lines.
struct Version {
  std::vector<unsigned> Archs;
  std::string Text;
  Lines Of;
  std::vector<LineChange> Changes;
  LineDepths Deep;
  std::vector<bool> Free;

  Version(llvm::StringRef New, const Lines &Old)
      : Text(New.str()), Of(splitLines(Text)), Changes(diffLines(Old, Of)),
        Deep(depthsOf(Text)), Free(directivePlaces(Text)) {}

  /// The lines that [Begin, End) of the author's became; no change crosses
  /// either end.
  LineRange of(unsigned Begin, unsigned End) const {
    long First = Begin, Last = End;
    for (const LineChange &C : Changes) {
      long More = long(C.NewEnd - C.NewBegin) - long(C.OldEnd - C.OldBegin);
      if (C.OldEnd <= Begin && !(C.OldBegin == Begin))
        First += More;
      if (C.OldEnd <= End)
        Last += More;
    }
    return {unsigned(First), unsigned(Last)};
  }
  std::string text(LineRange R) const {
    std::string All;
    for (unsigned L = R.Begin; L != R.End; ++L)
      All += Of[L];
    return All;
  }
};

/// One architecture after the other, newest first, with its text's number.
using ByArch = std::vector<std::pair<unsigned, unsigned>>;

/// Conditions that tell the architectures of one text, once those of the texts
/// before were asked for.
std::string conditionFor(unsigned Text, const ByArch &Archs,
                         const std::vector<bool> &Asked) {
  std::vector<std::string> Alternatives;
  for (size_t I = 0; I != Archs.size(); ++I) {
    if (Archs[I].second != Text || (I && Archs[I - 1].second == Text))
      continue;
    size_t End = I;
    while (End + 1 != Archs.size() && Archs[End + 1].second == Text)
      ++End;
    bool Above = true;
    for (size_t J = 0; J != I; ++J)
      Above &= Asked[Archs[J].second];
    std::string One = "__CUDA_ARCH__ >= " + std::to_string(Archs[End].first);
    if (!Above)
      One += " && __CUDA_ARCH__ < " + std::to_string(Archs[I - 1].first);
    Alternatives.push_back(std::move(One));
  }
  if (Alternatives.size() > 1)
    for (std::string &One : Alternatives)
      if (llvm::StringRef(One).contains("&&"))
        One = "(" + One + ")";
  return llvm::join(Alternatives, " || ");
}

class Guards {
public:
  Guards(llvm::StringRef Text, llvm::ArrayRef<ArchText> Texts,
         const GuardedLines &Known)
      : Known(Known), Old(splitLines(Text)), Author(Text, Old) {
    for (const ArchText &T : Texts) {
      auto Same = llvm::find_if(
          Versions, [&](const Version &V) { return V.Text == T.Text; });
      if (Same == Versions.end())
        Same = Versions.insert(Same, Version(T.Text, Old));
      Same->Archs.push_back(T.Number);
    }
    // Texts of another place, now that none moves any more.
    for (Version &V : Versions)
      V.Of = splitLines(V.Text);
    Newline = endsLinesWithCrlf(Text) ? "\r\n" : "\n";
  }

  llvm::Expected<GuardedText> make() {
    if (Versions.size() == 1)
      return GuardedText{Versions.front().Text, Versions.front().Text};
    connectFunctions();
    findRegions();
    for (bool Grown = true; Grown;) {
      Grown = false;
      findGuarded();
      for (LineRange &R : Regions)
        if (isGuarded(R)) {
          llvm::Expected<bool> More = grow(R);
          if (!More)
            return More.takeError();
          Grown |= *More;
        }
      join();
    }
    findGuarded();
    GuardedText Out;
    auto addToBoth = [&](const std::string &Text) {
      Out.Text += Text;
      Out.Otherwise += Text;
    };
    unsigned At = 0;
    for (LineRange R : Regions) {
      addToBoth(Author.text({At, R.Begin}));
      At = R.End;
      if (!isGuarded(R)) {
        addToBoth(*same(R));
        continue;
      }
      if (llvm::Error Bad = add(R, Out.Text))
        return std::move(Bad);
      Out.Otherwise += Author.text(R);
    }
    addToBoth(Author.text({At, unsigned(Old.size())}));
    return std::move(Out);
  }

private:
  const GuardedLines &Known;
  const Lines Old;
  const Version Author;
  std::vector<Version> Versions;
  std::vector<LineRange> Regions;
  /// Of each function on the device: which others it is one with, and whether
  /// any of these has a text for each architecture.
  std::vector<unsigned> Group;
  std::vector<bool> Guarded;
  std::string Newline;

  static llvm::Error refuse(const llvm::Twine &Why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), Why);
  }

  std::optional<unsigned> functionAt(LineRange R) const {
    for (unsigned F = 0; F != Known.Device.size(); ++F) {
      LineRange Of = Known.Device[F].Lines;
      if (R.Begin >= Of.Begin && R.End <= Of.End && R.End > Of.Begin &&
          R.Begin < Of.End)
        return F;
    }
    return std::nullopt;
  }

  /// A loop's changes may lie in several functions: in one that holds an array
  /// and in one that is given it.
  void connectFunctions() {
    for (unsigned F = 0; F != Known.Device.size(); ++F)
      Group.push_back(F);
    for (unsigned F = 0; F != Group.size(); ++F) {
      const std::string Text = Author.text(Known.Device[F].Lines);
      for (unsigned G = 0; G != Group.size(); ++G) {
        if (!mentions(Text, Known.Device[G].Name) || Group[F] == Group[G])
          continue;
        unsigned Was = Group[G];
        for (unsigned &Of : Group)
          if (Of == Was)
            Of = Group[F];
      }
    }
  }

  static bool mentions(llvm::StringRef Text, llvm::StringRef Name) {
    auto isPart = [](char C) { return clang::isAsciiIdentifierContinue(C); };
    if (Name.empty())
      return true; // an operator: nobody knows how it is called
    for (size_t At = Text.find(Name); At != llvm::StringRef::npos;
         At = Text.find(Name, At + 1)) {
      size_t End = At + Name.size();
      if ((At == 0 || !isPart(Text[At - 1])) &&
          (End == Text.size() || !isPart(Text[End])))
        return true;
    }
    return false;
  }

  void findGuarded() {
    Guarded.assign(Group.size(), false);
    for (LineRange R : Regions)
      if (std::optional<unsigned> F = functionAt(R); F && !same(R))
        Guarded[Group[*F]] = true;
  }

  bool isGuarded(LineRange R) const {
    std::optional<unsigned> F = functionAt(R);
    return !same(R) || (F && Guarded[Group[*F]]);
  }

  void findRegions() {
    for (const Version &V : Versions)
      for (const LineChange &C : V.Changes)
        Regions.push_back({C.OldBegin, C.OldEnd});
    join();
  }

  /// Those that meet are one.
  void join() {
    llvm::sort(Regions, [](LineRange A, LineRange B) {
      return std::tie(A.Begin, A.End) < std::tie(B.Begin, B.End);
    });
    std::vector<LineRange> Joined;
    for (LineRange R : Regions)
      if (!Joined.empty() && R.Begin <= Joined.back().End)
        Joined.back().End = std::max(Joined.back().End, R.End);
      else
        Joined.push_back(R);
    Regions = std::move(Joined);
  }

  /// What stands there for all. Where only some include a header, all may.
  std::optional<std::string> same(LineRange R) const {
    std::string Text, Includes;
    bool Differ = false;
    for (const Version &V : Versions) {
      std::string Mine = V.text(V.of(R.Begin, R.End));
      Differ |= &V != &Versions.front() && Mine != Text;
      if (!Mine.empty() && !Includes.empty() && Mine != Includes)
        return std::nullopt;
      if (Includes.empty())
        Includes = Mine;
      Text = std::move(Mine);
    }
    if (!Differ)
      return Text;
    auto isInclude = [](llvm::StringRef Line) {
      return Line.trim().empty() || Line.starts_with("#include");
    };
    if (R.Begin == R.End && llvm::all_of(splitLines(Includes), isInclude))
      return Includes;
    return std::nullopt;
  }

  /// By as many lines as it takes to hold a loop; else by one.
  llvm::Expected<bool> grow(LineRange &R) {
    const LineRange Before = R;
    for (LineRange Loop : Known.Whole)
      if (R.Begin < Loop.End && Loop.Begin < R.End)
        R = {std::min(R.Begin, Loop.Begin), std::max(R.End, Loop.End)};
    if (R.Begin != Before.Begin || R.End != Before.End)
      return true;
    for (const Version *V : all()) {
      LineRange Mine = V->of(R.Begin, R.End);
      switch (V->Deep.part(Mine.Begin, Mine.End)) {
      case LineDepths::Whole:
        continue;
      case LineDepths::LacksBegin:
        if (R.Begin == 0)
          return refuse("its brackets do not match");
        --R.Begin;
        return true;
      case LineDepths::LacksEnd:
        if (R.End == Old.size())
          return refuse("its brackets do not match");
        ++R.End;
        return true;
      }
    }
    return false;
  }

  std::vector<const Version *> all() const {
    std::vector<const Version *> All{&Author};
    for (const Version &V : Versions)
      All.push_back(&V);
    return All;
  }

  /// Why __CUDA_ARCH__ cannot tell there.
  llvm::Error check(LineRange R) const {
    const std::string Line = "line " + std::to_string(R.Begin + 1);
    auto isIn = [&](LineRange Of) {
      return R.Begin >= Of.Begin && R.End <= Of.End;
    };
    for (LineRange Host : Known.Host)
      if (R.Begin < Host.End && Host.Begin < std::max(R.End, R.Begin + 1) &&
          !(R.Begin == R.End && R.Begin == Host.Begin))
        return refuse(Line + " would differ, which is host code: there "
                             "__CUDA_ARCH__ is not known");
    if (R.Begin != R.End &&
        llvm::none_of(Known.Device, [&](const FunctionLines &F) {
          return isIn(F.Lines);
        }))
      return refuse(Line + " would differ, which is in no function that runs "
                           "on the GPU alone");
    for (const Version *V : all()) {
      LineRange Mine = V->of(R.Begin, R.End);
      for (unsigned L : {Mine.Begin, Mine.End})
        if (L < V->Free.size() && !V->Free[L])
          return refuse(Line + " would differ, and no #if may stand there");
    }
    return llvm::Error::success();
  }

  llvm::Error add(LineRange R, std::string &Out) const {
    if (llvm::Error Bad = check(R))
      return Bad;
    // Equal pieces of different texts are one.
    const std::string Else = Author.text(R);
    std::vector<std::string> Pieces{Else};
    ByArch Archs;
    for (const Version &V : Versions) {
      std::string Piece = V.text(V.of(R.Begin, R.End));
      unsigned Number = llvm::find(Pieces, Piece) - Pieces.begin();
      if (Number == Pieces.size())
        Pieces.push_back(std::move(Piece));
      for (unsigned Arch : V.Archs)
        Archs.push_back({Arch, Number});
    }
    llvm::sort(Archs, std::greater<>());
    std::vector<bool> Asked(Pieces.size());
    const char *Word = "#if ";
    auto piece = [&](const std::string &Text) {
      Out += Text;
      if (!Text.empty() && Text.back() != '\n')
        Out += Newline;
    };
    for (auto [_, Number] : Archs) {
      if (Number == 0 || Asked[Number])
        continue;
      Out += Word + conditionFor(Number, Archs, Asked) + Newline;
      piece(Pieces[Number]);
      Asked[Number] = true;
      Word = "#elif ";
    }
    if (!Else.empty())
      Out += "#else" + Newline;
    piece(Else);
    Out += "#endif" + Newline;
    return llvm::Error::success();
  }
};

} // namespace

llvm::Expected<GuardedText> guardedText(llvm::StringRef Old,
                                        llvm::ArrayRef<ArchText> Texts,
                                        const GuardedLines &Known) {
  return Guards(Old, Texts, Known).make();
}

} // namespace kpipe
