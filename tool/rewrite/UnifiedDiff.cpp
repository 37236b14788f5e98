// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts line changes into hunks and prints them, see UnifiedDiff.h.
#include "UnifiedDiff.h"
#include "kpipe/LineDiff.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace kpipe {

static void printLine(llvm::raw_ostream &OS, char Mark, llvm::StringRef Line) {
  OS << Mark << Line;
  if (!Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

/// "3,7", "3" for a single line, and the line before for none, as diff has it.
static void printRange(llvm::raw_ostream &OS, unsigned Begin, unsigned End) {
  OS << (End == Begin ? Begin : Begin + 1);
  if (End - Begin != 1)
    OS << "," << End - Begin;
}

std::string unifiedDiff(llvm::StringRef Path, llvm::StringRef Old,
                        llvm::StringRef New) {
  constexpr unsigned Context = 3;
  std::vector<llvm::StringRef> OldLines = splitLines(Old);
  std::vector<llvm::StringRef> NewLines = splitLines(New);
  std::vector<LineChange> Changes = diffLines(OldLines, NewLines);
  if (Changes.empty())
    return "";
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  // As git has it: a tab tells patch where a name with blanks ends.
  const char *End = Path.contains(' ') ? "\t\n" : "\n";
  OS << "--- a/" << Path << End << "+++ b/" << Path << End;
  for (size_t I = 0; I < Changes.size();) {
    size_t Last = I;
    while (Last + 1 < Changes.size() &&
           Changes[Last + 1].OldBegin - Changes[Last].OldEnd <= 2 * Context)
      ++Last;
    unsigned Before = std::min(Changes[I].OldBegin, Context);
    unsigned After = std::min<unsigned>(OldLines.size() - Changes[Last].OldEnd,
                                        Context);
    OS << "@@ -";
    printRange(OS, Changes[I].OldBegin - Before, Changes[Last].OldEnd + After);
    OS << " +";
    printRange(OS, Changes[I].NewBegin - Before, Changes[Last].NewEnd + After);
    OS << " @@\n";
    unsigned Line = Changes[I].OldBegin - Before;
    for (; I <= Last; ++I) {
      for (; Line < Changes[I].OldBegin; ++Line)
        printLine(OS, ' ', OldLines[Line]);
      for (; Line < Changes[I].OldEnd; ++Line)
        printLine(OS, '-', OldLines[Line]);
      for (unsigned N = Changes[I].NewBegin; N < Changes[I].NewEnd; ++N)
        printLine(OS, '+', NewLines[N]);
    }
    for (unsigned End = Line + After; Line < End; ++Line)
      printLine(OS, ' ', OldLines[Line]);
  }
  return Text;
}

} // namespace kpipe
