// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of `kpipe analyze`. It must not decide anything: what it prints is
// in the reports.
#include "Words.h"
#include "kpipe/Reporting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

namespace kpipe {

namespace {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; the last one is wrapped.
class Columns {
public:
  /// \p RightAligned has one letter per column: 'r' for numbers, else 'l'.
  Columns(Row Header, llvm::StringRef Alignment)
      : Rows{std::move(Header)}, Alignment(Alignment) {}

  void add(Row Cells) { Rows.push_back(std::move(Cells)); }

  void print(llvm::raw_ostream &OS, unsigned Indent) const {
    std::vector<unsigned> Widths(Rows.front().size(), 0);
    for (const Row &R : Rows)
      for (auto [Width, Cell] : llvm::zip_equal(Widths, R))
        Width = std::max<unsigned>(Width, Cell.size());
    for (const Row &R : Rows) {
      OS.indent(Indent);
      unsigned Column = Indent;
      for (size_t I = 0; I + 1 < R.size(); ++I) {
        OS << (Alignment[I] == 'r' ? llvm::right_justify(R[I], Widths[I])
                                   : llvm::left_justify(R[I], Widths[I]))
           << "  ";
        Column += Widths[I] + 2;
      }
      printWrapped(OS, R.back(), Column, Column);
    }
  }

private:
  std::vector<Row> Rows;
  llvm::StringRef Alignment;
};

/// Architectures of one loop for which the same text is printed.
struct Group {
  std::string Archs;
  std::string Text;
};

/// Prints each architecture with \p Print and joins those with equal text, in
/// the order of their first. A group that covers all has no name.
std::vector<Group> groupArchs(
    const LoopReport &Loop,
    llvm::function_ref<void(llvm::raw_ostream &, const ArchReport &)> Print) {
  std::vector<Group> Groups;
  for (const ArchReport &Arch : Loop.Archs) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Print(OS, Arch);
    auto Same =
        llvm::find_if(Groups, [&](const Group &G) { return G.Text == Text; });
    if (Same == Groups.end())
      Groups.push_back({Arch.Arch, Text});
    else
      Same->Archs += ", " + Arch.Arch;
  }
  if (Groups.size() == 1)
    Groups.front().Archs.clear();
  llvm::erase_if(Groups, [](const Group &G) { return G.Text.empty(); });
  return Groups;
}

void printGroups(llvm::raw_ostream &OS, llvm::StringRef Title,
                 llvm::ArrayRef<Group> Groups) {
  for (const Group &G : Groups) {
    OS << "  " << Title;
    if (!G.Archs.empty())
      OS << " (" << G.Archs << ")";
    OS << ":\n" << G.Text;
  }
}

void printReasons(llvm::raw_ostream &OS, const ArchReport &Arch) {
  for (const Diagnostic &Reason : Arch.Reasons) {
    OS << "    ";
    std::string Text = Reason.What.str();
    if (Reason.Rule)
      Text += " [" + printedId(*Reason.Rule) + "]";
    printWrapped(OS, Text, 4, 6);
  }
}

void printCopies(llvm::raw_ostream &OS, const ArchReport &Arch) {
  if (Arch.Copies.empty())
    return;
  Columns Table({"array", "bytes", "route", "why"}, "lrll");
  std::vector<Row> Said;
  for (const CopyReport &Copy : Arch.Copies) {
    Row Cells{Copy.Array, Copy.Bytes ? llvm::utostr(Copy.Bytes) : "?",
              describe(Copy.Way).str(), Copy.Reason.str()};
    // A tile may be stored part by part.
    if (llvm::is_contained(Said, Cells))
      continue;
    Said.push_back(Cells);
    Table.add(std::move(Cells));
  }
  Table.print(OS, 4);
}

void printConflicts(llvm::raw_ostream &OS, const ArchReport &Arch) {
  for (const ConflictReport &C : Arch.Conflicts) {
    OS << "    ";
    printWrapped(OS, C.Array + ": " + describe(C), 4, 6);
  }
}

std::string orUnknown(std::optional<uint64_t> Number) {
  return Number ? llvm::utostr(*Number) : "?";
}

Row budgetRow(const ArchReport &Arch) {
  const BudgetReport &B = *Arch.Budget;
  bool Pipelined = Arch.Verdict == LoopVerdict::Pipelined;
  std::string Cliff = B.BlocksAfter ? "-" : "?";
  if (B.CliffBytes && B.DistanceToCliff)
    Cliff = llvm::utostr(*B.CliffBytes) + " (+" +
            llvm::utostr(*B.DistanceToCliff) + ")";
  return {Arch.Arch,
          Pipelined ? describe(*Arch.Routes).str() : "-",
          Pipelined ? llvm::utostr(Arch.stages()) : "-",
          Pipelined ? llvm::utostr(Arch.RegistersStaged) : "-",
          llvm::utostr(B.SharedBefore) + " -> " + llvm::utostr(B.SharedAfter),
          orUnknown(B.BlocksBefore) + " -> " + orUnknown(B.BlocksAfter),
          B.Limit ? describe(*B.Limit).str() : "?",
          Cliff};
}

void printBudgets(llvm::raw_ostream &OS, const LoopReport &Loop) {
  Columns Table({"arch", "variant", "stages", "regs", "bytes/block",
                 "blocks/SM", "limited by", "next cliff"},
                "llrrllll");
  bool Any = false, BlockUnknown = false;
  for (const ArchReport &Arch : Loop.Archs) {
    if (!Arch.Budget)
      continue;
    Table.add(budgetRow(Arch));
    Any = true;
    BlockUnknown |= !Arch.Budget->BlocksAfter;
  }
  if (!Any)
    return;
  Table.print(OS, 2);
  if (BlockUnknown)
    OS << "  ?: threads per block or dynamic shared memory unknown; see the "
          "reasons\n";
}

/// The verdict, with architectures where it is not the same for all.
std::string verdictOf(const LoopReport &Loop) {
  std::vector<Group> Groups =
      groupArchs(Loop, [&](llvm::raw_ostream &OS, const ArchReport &Arch) {
        OS << describe(Loop, Arch.Verdict);
      });
  std::string Text;
  for (const Group &G : Groups) {
    if (!Text.empty())
      Text += "; ";
    Text += G.Text;
    if (!G.Archs.empty())
      Text += " on " + G.Archs;
  }
  return Text;
}

void printLoop(llvm::raw_ostream &OS, const LoopReport &Loop) {
  std::string Head;
  llvm::raw_string_ostream(Head)
      << Loop.Where.File << ':' << Loop.Where.Line << ':' << Loop.Where.Column
      << ": " << Loop.Function << ": " << verdictOf(Loop);
  printWrapped(OS, Head, 0, 2);
  printGroups(OS, "reasons", groupArchs(Loop, printReasons));
  if (Loop.Ratio)
    OS << "  compute/load: " << llvm::format("%.1f", *Loop.Ratio)
       << " operations per byte (" << ratioClass(*Loop.Ratio) << ')'
       << (Loop.TensorCores ? ", on tensor cores\n" : "\n");
  printGroups(OS, "copies", groupArchs(Loop, printCopies));
  printGroups(OS, "shared memory", groupArchs(Loop, printConflicts));
  printBudgets(OS, Loop);
  OS << '\n';
}

struct Count {
  std::string Arch;
  unsigned Total = 0;
  /// Loops per verdict.
  std::map<LoopVerdict, unsigned> Verdicts;
  /// That have no tile to load, and are none of the refused.
  unsigned NoTile = 0;
};

void printCounts(llvm::raw_ostream &OS, llvm::ArrayRef<LoopReport> Loops) {
  std::vector<Count> Counts;
  for (const LoopReport &Loop : Loops)
    for (const ArchReport &Arch : Loop.Archs) {
      auto C = llvm::find_if(
          Counts, [&](const Count &C) { return C.Arch == Arch.Arch; });
      if (C == Counts.end())
        C = Counts.insert(C, Count{Arch.Arch, 0, {}});
      ++C->Total;
      if (Arch.Verdict == LoopVerdict::Refused && Loop.LoadsNoTile)
        ++C->NoTile;
      else
        ++C->Verdicts[Arch.Verdict];
    }
  for (Count &C : Counts) {
    OS << C.Arch << ": " << C.Total << (C.Total == 1 ? " loop" : " loops");
    llvm::ListSeparator Comma;
    OS << ": ";
    for (const auto &[Verdict, Number] : C.Verdicts)
      OS << Comma << Number << ' ' << describe(Verdict);
    if (C.NoTile)
      OS << Comma << C.NoTile << " no tile loop" << (C.NoTile == 1 ? "" : "s");
    OS << '\n';
  }
}

} // namespace

void printTable(llvm::raw_ostream &OS, llvm::ArrayRef<LoopReport> Loops,
                llvm::StringRef IfNone) {
  if (Loops.empty()) {
    OS << IfNone << '\n';
    return;
  }
  for (const LoopReport &Loop : Loops)
    printLoop(OS, Loop);
  printCounts(OS, Loops);
}

} // namespace kpipe
