// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DirectiveComments.h.
#include "DirectiveComments.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace kpipe {

namespace {

llvm::StringRef spaceOf(llvm::StringRef Line) {
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; });
}

bool isComment(llvm::StringRef Line) { return Line.ltrim().starts_with("//"); }
bool isDirective(llvm::StringRef Line) { return Line.ltrim().starts_with("#"); }

/// Calls Visit with each run of whole-line comments above directives, and with
/// the line of code below these.
void eachRun(
    llvm::ArrayRef<llvm::StringRef> Lines,
    llvm::function_ref<void(size_t From, size_t To, size_t Code)> Visit) {
  for (size_t I = 0; I < Lines.size(); ++I) {
    if (!isComment(Lines[I]))
      continue;
    const size_t From = I;
    while (I < Lines.size() && isComment(Lines[I]))
      ++I;
    size_t Code = I;
    while (Code < Lines.size() && isDirective(Lines[Code]))
      ++Code;
    if (Code != I && Code < Lines.size() && !Lines[Code].trim().empty())
      Visit(From, I, Code);
    I = Code - 1;
  }
}

} // namespace

std::string withDirectiveComments(llvm::StringRef Before,
                                  llvm::StringRef Formatted) {
  llvm::StringSet<> Below; // comments that stood as the code did
  const auto Old = splitLines(Before);
  eachRun(Old, [&](size_t From, size_t To, size_t Code) {
    for (size_t I = From; I != To; ++I)
      if (spaceOf(Old[I]) == spaceOf(Old[Code]))
        Below.insert(Old[I].trim());
  });
  std::vector<llvm::StringRef> Lines = splitLines(Formatted);
  std::vector<std::string> Kept(Lines.begin(), Lines.end());
  eachRun(Lines, [&](size_t From, size_t To, size_t Code) {
    for (size_t I = From; I != To; ++I)
      if (Below.contains(Lines[I].trim()))
        Kept[I] = (spaceOf(Lines[Code]) + Lines[I].ltrim(" \t")).str();
  });
  return llvm::join(Kept, "");
}

} // namespace kpipe
