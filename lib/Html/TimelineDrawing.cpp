// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a timeline as SVG, see TimelineDrawing.h.
#include "TimelineDrawing.h"
#include "TimelineLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe::html {

namespace {

using Kind = TimelineStep::Kind;
using What = TimelineBar::What;

/// Between bars of two rows.
constexpr double Gap = 10;

const char *className(What Is) {
  switch (Is) {
  case What::InFlight:
    return "flight";
  case What::ToRegisters:
    return "registers";
  case What::Stored:
    return "stored";
  case What::Ready:
    return "ready";
  case What::Read:
    return "read";
  case What::Compute:
    return "compute";
  }
  return "";
}

const char *meaning(What Is) {
  switch (Is) {
  case What::InFlight:
    return "cp.async in flight to shared memory";
  case What::ToRegisters:
    return "global loads, kept in registers";
  case What::Stored:
    return "stored from registers to shared memory";
  case What::Ready:
    return "waits in its buffer";
  case What::Read:
    return "read by the compute";
  case What::Compute:
    return "compute";
  }
  return "";
}

const char *describe(TimelineStep::Phase In) {
  switch (In) {
  case TimelineStep::Phase::Prologue:
    return "prologue";
  case TimelineStep::Phase::Steady:
    return "steady state";
  case TimelineStep::Phase::Epilogue:
    return "epilogue";
  }
  return "";
}

std::string describe(const TimelineStep &S, const Timeline &Run) {
  std::string Tile = "tile " + std::to_string(S.Tile);
  std::string Buffer = "buffer " + std::to_string(S.Buffer);
  switch (S.Do) {
  case Kind::Load:
    if (Run.Async && Run.Registers)
      return "load " + Tile + " to " + Buffer + " and to registers";
    return "load " + Tile + " to " + (Run.Async ? Buffer : "registers");
  case Kind::Commit:
    return "close the group of copies";
  case Kind::Store:
    return "store " + Tile + " from registers to " + Buffer;
  case Kind::Wait:
    return S.Pending ? "wait until at most " + std::to_string(S.Pending) +
                           (S.Pending == 1 ? " group is" : " groups are") +
                           " in flight"
                     : "wait for all copies";
  case Kind::Barrier:
    return "barrier";
  case Kind::Compute:
    return "compute " + Tile + " from " + Buffer;
  }
  return "";
}

class TimelinePicture {
  static constexpr double Left = 76, Right = 12, Top = 34, Bottom = 26;

public:
  TimelinePicture(llvm::raw_ostream &OS, llvm::StringRef Id,
                  const Timeline &Run)
      : OS(OS), Id(Id), Run(Run), L(layOut(Run)),
        Halves(Run.Async && Run.Registers), BarHeight(Halves ? 32 : 24),
        RowHeight(BarHeight + Gap), Width(Left + L.Length + Right),
        Floor(Top + RowHeight * double(L.Rows.size())) {}

  void write() {
    OS << "<figure class=\"timeline\">\n<figcaption>The pipeline over "
          "time</figcaption>\n<p class=\"reading\">"
       << reading() << "</p>\n";
    // Wide pipelines scroll rather than shrink to what nobody can read.
    OS << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\""
          "drawing of the pipeline over time\">\n<svg viewBox=\"0 0 "
       << n(Width) << ' ' << n(Floor + Bottom)
       << "\" style=\"min-width:" << n(Width * 0.72)
       << "px;max-width:" << n(Width * 1.25)
       << "px\" role=\"img\" aria-labelledby=\"" << Id << "-t " << Id
       << "-d\">\n<title id=\"" << Id
       << "-t\">Loads and computes of the pipeline over time</title>\n"
          "<desc id=\""
       << Id << "-d\">" << description() << "</desc>\n";
    phases();
    rows();
    // Behind the bars, whose words they would cross.
    for (double At : L.Barriers)
      OS << "<line class=\"barrier\" x1=\"" << n(Left + At) << "\" y1=\""
         << n(Top) << "\" x2=\"" << n(Left + At) << "\" y2=\"" << n(Floor)
         << "\"/>\n";
    bars();
    OS << "<text class=\"axis\" x=\"" << n(Left + L.Length) << "\" y=\""
       << n(Floor + 18)
       << "\" text-anchor=\"end\">time, not to scale \u2192"
          "</text>\n</svg></div>\n";
    legend();
    steps();
    OS << "</figure>\n";
  }

private:
  llvm::raw_ostream &OS;
  llvm::StringRef Id;
  const Timeline &Run;
  TimelineLayout L;
  /// Where both ways fill one buffer, each has half of the row.
  const bool Halves;
  const double BarHeight, RowHeight;
  const double Width, Floor;

  static std::string n(double Number) {
    std::string Text;
    llvm::raw_string_ostream(Text) << llvm::format("%.1f", Number);
    return Text;
  }

  void phases() {
    for (auto In : {TimelineStep::Phase::Prologue, TimelineStep::Phase::Steady,
                    TimelineStep::Phase::Epilogue}) {
      TimelineLayout::Span At = L.Phases[size_t(In)];
      if (At.End <= At.Begin)
        continue;
      OS << "<rect class=\"phase"
         << (In == TimelineStep::Phase::Steady ? " steady" : "") << "\" x=\""
         << n(Left + At.Begin) << "\" y=\"8\" width=\"" << n(At.End - At.Begin)
         << "\" height=\"" << n(Floor - 8)
         << "\"/>\n<text class=\"phase-label\" x=\""
         << n(Left + (At.Begin + At.End) / 2)
         << "\" y=\"24\" text-anchor=\"middle\">" << describe(In)
         << "</text>\n";
    }
  }

  double top(unsigned Row) const { return Top + RowHeight * Row + Gap / 2; }

  void rows() {
    for (unsigned Row = 0; Row < L.Rows.size(); ++Row) {
      OS << "<text class=\"row\" x=\"" << n(Left - 10) << "\" y=\""
         << n(top(Row) + BarHeight / 2 + 4) << "\" text-anchor=\"end\">"
         << L.Rows[Row] << "</text>\n";
      if (Row)
        OS << "<line class=\"grid\" x1=\"" << n(Left) << "\" y1=\""
           << n(Top + RowHeight * Row) << "\" x2=\"" << n(Left + L.Length)
           << "\" y2=\"" << n(Top + RowHeight * Row) << "\"/>\n";
    }
  }

  void bars() {
    for (const TimelineBar &B : L.Bars) {
      bool Half = Halves && (B.Is == What::InFlight || B.Is == What::Stored);
      double Y =
          top(B.Row) + (Half && B.Is == What::Stored ? BarHeight / 2 : 0);
      double H = Half ? BarHeight / 2 : BarHeight;
      double W = B.End - B.Begin;
      OS << "<rect class=\"bar " << className(B.Is) << "\" data-tile=\""
         << B.Tile << "\" data-row=\"" << L.Rows[B.Row] << "\" x=\""
         << n(Left + B.Begin) << "\" y=\"" << n(Y) << "\" width=\"" << n(W)
         << "\" height=\"" << n(H) << "\" rx=\"3\"/>\n";
      if (B.Is == What::Ready || W < 16)
        continue;
      OS << "<text class=\"bar-label" << (Half ? " half" : "") << "\" x=\""
         << n(Left + B.Begin + W / 2) << "\" y=\""
         << n(Y + H / 2 + (Half ? 3 : 4)) << "\" text-anchor=\"middle\">"
         << (W >= 44 ? "tile " : "") << B.Tile << "</text>\n";
    }
  }

  bool has(What Is) const {
    return llvm::any_of(L.Bars,
                        [&](const TimelineBar &B) { return B.Is == Is; });
  }

  void legend() {
    OS << "<ul class=\"legend\">\n";
    for (What Is : {What::InFlight, What::ToRegisters, What::Stored,
                    What::Ready, What::Read, What::Compute})
      if (has(Is))
        OS << "<li><span class=\"swatch " << className(Is) << "\"></span>"
           << meaning(Is) << "</li>\n";
    if (!L.Barriers.empty())
      OS << "<li><span class=\"swatch barrier\"></span>barrier of the "
            "block</li>\n";
    OS << "</ul>\n";
  }

  /// The loads of the tiles that are still on their way while tile 0 is
  /// computed, as far as one can tell from the steps.
  unsigned ahead() const {
    unsigned Loaded = 0;
    for (const TimelineStep &S : Run.Steps) {
      if (S.Do == Kind::Load)
        ++Loaded;
      if (S.Do == Kind::Compute)
        break;
    }
    return Loaded > 0 ? Loaded - 1 : 0;
  }

  std::string reading() const {
    unsigned Ahead = ahead();
    std::string S = "While a tile is computed, ";
    if (Ahead <= 1)
      S += "the next one is loaded";
    else
      S += "the next <b>" + std::to_string(Ahead) + "</b> are on their way";
    if (Run.Buffers == 1)
      return S + " to registers; one buffer holds the tile that is read.";
    return S + "; <b>" + std::to_string(Run.Buffers) +
           "</b> buffers take turns. Drawn for " + std::to_string(Run.Tiles) +
           " tiles.";
  }

  std::string description() const {
    return std::to_string(Run.Buffers) +
           (Run.Buffers == 1 ? " buffer, " : " buffers, ") +
           std::to_string(Run.Tiles) +
           " tiles: prologue, steady state and epilogue. The list of steps "
           "below the drawing says the same.";
  }

  void steps() {
    OS << "<details class=\"numbers\"><summary>The steps</summary>\n<table>"
          "<thead><tr><th scope=\"col\">phase</th><th scope=\"col\">step</th>"
          "</tr></thead>\n<tbody>\n";
    for (const TimelineStep &S : Run.Steps)
      OS << "<tr><td>" << describe(S.In) << "</td><td>" << describe(S, Run)
         << "</td></tr>\n";
    OS << "</tbody></table></details>\n";
  }
};

} // namespace

void writeTimeline(llvm::raw_ostream &OS, llvm::StringRef Id,
                   const Timeline &Run) {
  TimelinePicture(OS, Id, Run).write();
}

} // namespace kpipe::html
