// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step function of occupancySteps() as SVG, see BudgetDrawing.h. Shapes
// carry their numbers as data, which tests compare with where they stand.
#include "BudgetDrawing.h"
#include "Steps.h"
#include "Text.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace kpipe::html {

namespace {

/// Of the drawing, in its own units: pixels at full size.
constexpr double Width = 560, Height = 288;
constexpr double Left = 46, Right = 18, Top = 46, Bottom = 66;
constexpr double Floor = Height - Bottom;

std::string kilobytes(uint64_t Bytes) {
  return Bytes % 1024 == 0 ? std::to_string(Bytes / 1024) + " KB"
                           : grouped(Bytes);
}

std::string blocks(unsigned Count) {
  return std::to_string(Count) + (Count == 1 ? " block" : " blocks");
}

std::string bytes(uint64_t Count) {
  return grouped(Count) + (Count == 1 ? " byte" : " bytes");
}

class BudgetPicture {
public:
  BudgetPicture(llvm::raw_ostream &OS, llvm::StringRef Id,
                const ArchLimits &Arch, const BudgetReport &B)
      : OS(OS), Id(Id), Arch(Arch), B(B),
        Steps(occupancySteps(Arch, B.LaunchAfter)) {
    MostBlocks = 1;
    if (!Steps.empty())
      MostBlocks = Steps.front().Blocks;
    chooseRange();
  }

  void write() {
    OS << "<figure class=\"budget\">\n<figcaption>Shared memory on <b>"
       << text(Arch.Name) << "</b></figcaption>\n<p class=\"reading\">"
       << reading() << "</p>\n";
    OS << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\""
          "drawing of the budget on "
       << text(Arch.Name) << "\">\n<svg viewBox=\"0 0 " << Width << ' '
       << Height << "\" role=\"img\" aria-labelledby=\"" << Id << "-t " << Id
       << "-d\">\n<title id=\"" << Id
       << "-t\">Blocks per SM against shared memory per block on "
       << text(Arch.Name) << "</title>\n<desc id=\"" << Id << "-d\">"
       << description() << "</desc>\n";
    axes();
    curve();
    points();
    OS << "</svg></div>\n";
    numbers();
    OS << "</figure>\n";
  }

private:
  llvm::raw_ostream &OS;
  llvm::StringRef Id;
  const ArchLimits &Arch;
  const BudgetReport &B;
  std::vector<OccupancyStep> Steps;
  unsigned MostBlocks;
  uint64_t Range = 0; ///< bytes at the right end of the axis

  bool known() const { return B.BlocksBefore && B.BlocksAfter; }

  /// Enough to see the next two cliffs, at most what a launch may have.
  void chooseRange() {
    uint64_t Used = std::max(B.SharedBefore, B.SharedAfter);
    Range = Used * 4;
    unsigned Beyond = 0;
    for (const OccupancyStep &S : Steps)
      if (S.Last >= Used && Beyond++ < 2)
        Range = std::max<uint64_t>(Range, S.Last + S.Last / 8);
    Range = std::max<uint64_t>(Range, 4096);
    if (Range * 4 > uint64_t(Arch.SharedPerBlockOptIn) * 3)
      Range = uint64_t(Arch.SharedPerBlockOptIn) * 33 / 32;
  }

  double x(uint64_t Bytes) const {
    return Left + (Width - Left - Right) * double(Bytes) / double(Range);
  }
  double y(double Blocks) const {
    return Floor - (Floor - Top) * Blocks / MostBlocks;
  }
  static std::string n(double Number) {
    std::string Text;
    llvm::raw_string_ostream(Text) << llvm::format("%.1f", Number);
    return Text;
  }

  void line(llvm::StringRef Class, double X1, double Y1, double X2, double Y2) {
    OS << "<line class=\"" << Class << "\" x1=\"" << n(X1) << "\" y1=\""
       << n(Y1) << "\" x2=\"" << n(X2) << "\" y2=\"" << n(Y2) << "\"/>\n";
  }
  void label(llvm::StringRef Class, double X, double Y, llvm::StringRef Anchor,
             llvm::StringRef Text) {
    OS << "<text class=\"" << Class << "\" x=\"" << n(X) << "\" y=\"" << n(Y)
       << "\" text-anchor=\"" << Anchor << "\">" << Text << "</text>\n";
  }

  void axes() {
    unsigned Step = 1;
    while (MostBlocks / Step > 8)
      Step *= 2;
    for (unsigned I = 0; I <= MostBlocks; I += Step) {
      line("grid", Left, y(I), Width - Right, y(I));
      OS << "<text class=\"tick ty\" data-blocks=\"" << I << "\" x=\""
         << n(Left - 8) << "\" y=\"" << n(y(I) + 4) << "\" text-anchor=\"end\">"
         << I << "</text>\n";
    }
    uint64_t Bytes = 512;
    while (Range / Bytes > 9)
      Bytes *= 2;
    for (uint64_t At = 0; At <= Range; At += Bytes) {
      line("grid", x(At), Floor, x(At), Floor + 5);
      OS << "<text class=\"tick tx\" data-bytes=\"" << At << "\" x=\""
         << n(x(At)) << "\" y=\"" << n(Floor + 18)
         << "\" text-anchor=\"middle\">"
         << (At % 1024 ? n(At / 1024.0) : std::to_string(At / 1024))
         << "</text>\n";
    }
    label("axis", Left - 30, Top - 26, "start", "blocks per SM");
    label("axis", Width - Right, Height - 8, "end",
          "shared memory per block, KB (1024 bytes)");
  }

  /// The function, filled below, and what lies at its steps' ends.
  void curve() {
    std::string Path;
    for (size_t I = 0; I < Steps.size() && Steps[I].First <= Range; ++I) {
      uint64_t Last = std::min(Steps[I].Last, Range);
      Path += (I ? "V" + n(y(Steps[I].Blocks))
                 : "M" + n(x(0)) + " " + n(y(Steps[I].Blocks)));
      Path += "H" + n(x(Last));
    }
    bool Ends = !Steps.empty() && Steps.back().Last < Range;
    if (Ends)
      Path += "V" + n(y(0));
    OS << "<path class=\"area\" d=\"" << Path << 'V' << n(Floor) << 'H'
       << n(x(0)) << "Z\"/>\n<path class=\"curve\" d=\"" << Path << "\"/>\n";
    cliffs();
    uint64_t Static = ArchLimits::StaticSharedPerBlock;
    if (Static < Range && B.LaunchAfter.DynamicShared == 0) {
      line("limit", x(Static), Top - 4, x(Static), Floor);
      // To the right of its line: points at the top are labelled to the left.
      label("tick", x(Static) + 4, Top - 9, "start", "static limit");
    }
  }

  /// Where a byte more costs a block. Labels that would touch are left out;
  /// the next cliff after the rewrite never is.
  void cliffs() {
    double Next = B.CliffBytes ? x(*B.CliffBytes) : -1000;
    double LastLabel = -1000;
    for (const OccupancyStep &S : Steps) {
      if (S.Last > Range)
        break;
      bool IsNext = B.CliffBytes == S.Last;
      OS << "<line class=\"cliff" << (IsNext ? " next" : "")
         << "\" data-bytes=\"" << S.Last << "\" x1=\"" << n(x(S.Last))
         << "\" y1=\"" << n(y(S.Blocks)) << "\" x2=\"" << n(x(S.Last))
         << "\" y2=\"" << n(Floor) << "\"/>\n";
      constexpr double Room = 62;
      double At = std::clamp(x(S.Last), Left + 20, Width - Right - 22);
      if (!IsNext && (At - LastLabel < Room || std::abs(At - Next) < Room))
        continue;
      LastLabel = At;
      label(IsNext ? "cliff-label next" : "cliff-label", At, Floor + 36,
            "middle", grouped(S.Last));
    }
  }

  void point(llvm::StringRef Class, uint64_t Bytes, unsigned Blocks) {
    OS << "<circle class=\"point " << Class << "\" data-bytes=\"" << Bytes
       << "\" data-blocks=\"" << Blocks << "\" cx=\"" << n(x(Bytes))
       << "\" cy=\"" << n(y(Blocks)) << "\" r=\"5.5\"/>\n";
  }

  /// A label of about \p Length characters above a point, kept inside.
  void pointLabel(llvm::StringRef Class, double X, double Y,
                  llvm::StringRef Text, unsigned Length) {
    double Half = Length * 3.4;
    label(Class, std::clamp(X, Left + 4 + Half, Width - Right - Half), Y,
          "middle", Text);
  }

  void points() {
    if (!known()) {
      for (uint64_t Bytes : {B.SharedBefore, B.SharedAfter})
        line(Bytes == B.SharedBefore ? "where before" : "where after", x(Bytes),
             Top, x(Bytes), Floor);
      if (x(B.SharedAfter) - x(B.SharedBefore) > 54) {
        pointLabel("point-label", x(B.SharedBefore), Top - 9, "before", 7);
        pointLabel("point-label", x(B.SharedAfter), Top - 9, "after", 6);
      } else {
        pointLabel("point-label", x(B.SharedAfter), Top - 9, "before and after",
                   17);
      }
      return;
    }
    double XB = x(B.SharedBefore), XA = x(B.SharedAfter);
    double YB = y(*B.BlocksBefore), YA = y(*B.BlocksAfter);
    bool Moved = B.SharedBefore != B.SharedAfter;
    if (Moved)
      line("move", XB, YB, XA, YA);
    if (B.CliffBytes && *B.CliffBytes <= Range && *B.DistanceToCliff)
      line("room", XA, YA, x(*B.CliffBytes), YA);
    if (Moved)
      point("before", B.SharedBefore, *B.BlocksBefore);
    point("after", B.SharedAfter, *B.BlocksAfter);
    if (!Moved) {
      pointLabel("point-label", XA, YA - 12, "before and after", 17);
    } else if (std::abs(XA - XB) > 54 || std::abs(YA - YB) > 22) {
      pointLabel("point-label", XB, YB - 12, "before", 7);
      pointLabel("point-label", XA, YA - 12, "after", 6);
    } else {
      // Too near for two centred labels: one to each side.
      label("point-label", std::max(XB + 3, Left + 42), YB - 12, "end",
            "before");
      label("point-label", std::max(XA - 3, Left + 46), YA - 12, "start",
            "after");
    }
  }

  /// What the drawing says, in one sentence for everyone.
  std::string reading() const {
    std::string S = "<b>" + bytes(B.SharedBefore) +
                    "</b> per block before, <b>" + bytes(B.SharedAfter) +
                    "</b> after";
    if (!known())
      return S + ". How many threads a block has is not known, so the curve is "
                 "what shared memory alone allows.";
    S += ": <b>" + blocks(*B.BlocksBefore) + "</b> per SM before, <b>" +
         std::to_string(*B.BlocksAfter) + "</b> after";
    if (B.Limit)
      S += ", limited by " + describe(*B.Limit).str();
    S += ".";
    if (B.CliffBytes)
      S += " The next cliff is at <b>" + bytes(*B.CliffBytes) + "</b>, " +
           bytes(*B.DistanceToCliff) + " away.";
    return S;
  }

  std::string description() const {
    std::string S = "A falling staircase.";
    for (const OccupancyStep &Step : Steps)
      if (Step.First <= Range)
        S += " Up to " + bytes(Step.Last) + ": " + blocks(Step.Blocks) + ".";
    S += " Before: " + bytes(B.SharedBefore);
    if (known())
      S += ", " + blocks(*B.BlocksBefore);
    S += ". After: " + bytes(B.SharedAfter);
    if (known())
      S += ", " + blocks(*B.BlocksAfter);
    return S + ".";
  }

  void numbers() {
    OS << "<details class=\"numbers\"><summary>The numbers</summary>\n<table>"
          "<thead><tr><th scope=\"col\">shared bytes per block</th>"
          "<th scope=\"col\">blocks per SM</th><th scope=\"col\">here</th>"
          "</tr></thead>\n<tbody>\n";
    for (const OccupancyStep &S : Steps) {
      auto In = [&](uint64_t Bytes) {
        return Bytes >= S.First && Bytes <= S.Last;
      };
      std::string Here;
      if (In(B.SharedBefore))
        Here = "before (" + grouped(B.SharedBefore) + ")";
      if (In(B.SharedAfter))
        Here += (Here.empty() ? "" : ", ") +
                ("after (" + grouped(B.SharedAfter)) + ")";
      OS << "<tr><td>" << grouped(S.First) << " to " << grouped(S.Last)
         << "</td><td>" << S.Blocks << "</td><td>" << Here << "</td></tr>\n";
    }
    OS << "</tbody></table>\n<p>Computed for ";
    const LaunchShape &L = B.LaunchAfter;
    if (L.ThreadsPerBlock)
      OS << L.ThreadsPerBlock << " threads per block and "
         << (L.Registers
                 ? "about " + std::to_string(*L.Registers) +
                       " registers per thread"
                 : "registers that limit nothing");
    else
      OS << "shared memory alone";
    OS << ". A block may have " << kilobytes(Arch.SharedPerBlockOptIn)
       << " at most, " << kilobytes(ArchLimits::StaticSharedPerBlock)
       << " of it static.</p></details>\n";
  }
};

} // namespace

void writeBudget(llvm::raw_ostream &OS, llvm::StringRef Id,
                 const ArchLimits &Arch, const BudgetReport &Budget) {
  BudgetPicture(OS, Id, Arch, Budget).write();
}

} // namespace kpipe::html
