// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By places: what a unit has read in a function's lines, see HeaderReaders.h.
#include "HeaderReaders.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace kpipe {

/// Two files may reach a header by two names.
static std::string realName(const std::string &Path) {
  llvm::SmallString<256> Name;
  return llvm::sys::fs::real_path(Path, Name) ? Path : Name.str().str();
}

std::string HeaderReaders::add(const std::string &File, const std::string &Main,
                               const UnitOutcome &Of) {
  Reader New{File, {}, Of.HeaderFunctions};
  for (HeaderFunction &F : New.Functions)
    F.File = realName(F.File);
  for (const LoopOutcome &Loop : Of.Loops)
    if (Loop.Verdict == LoopVerdict::Pipelined && Loop.Where.File != Main)
      New.Pipelined.insert({realName(Loop.Where.File), Loop.Where.Line});
  std::string Wrong;
  for (const Reader &Other : Readers) {
    if (Wrong.empty())
      Wrong = compare(Other, New);
    if (Wrong.empty())
      Wrong = compare(New, Other);
  }
  Readers.push_back(std::move(New));
  return Wrong;
}

std::string HeaderReaders::compare(const Reader &Edits, const Reader &Reads) {
  for (const Line &Loop : Edits.Pipelined)
    for (const HeaderFunction &F : Reads.Functions) {
      if (F.File != Loop.first || Loop.second < F.FirstLine ||
          Loop.second > F.LastLine ||
          (F.LoopLines.count(Loop.second) &&
           (!F.IsCompiled || Reads.Pipelined.count(Loop))))
        continue;
      return "the loop in '" + Loop.first + ":" + std::to_string(Loop.second) +
             "' is pipelined for '" + Edits.File + "', and '" + Reads.File +
             "' reads other code there; put '// kpipe: off' above it, or leave "
             "the header out of --header-filter";
    }
  return "";
}

} // namespace kpipe
