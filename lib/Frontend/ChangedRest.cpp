// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pure text work: compares an old and a new text up to an offset. It must not
// know Clang.
#include "ChangedRest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace kpipe {

/// "#line" so that errors in the rest name the place in the new text.
static std::string lineDirective(llvm::StringRef TextBefore,
                                 llvm::StringRef FileName) {
  std::string Directive =
      "#line " + std::to_string(TextBefore.count('\n') + 1) + " \"";
  for (char C : FileName) {
    if (C == '"' || C == '\\')
      Directive += '\\';
    Directive += C;
  }
  return Directive + "\"\n";
}

std::optional<std::string> changedRest(llvm::StringRef Old,
                                       llvm::StringRef New, unsigned Offset,
                                       llvm::StringRef FileName) {
  llvm::StringRef Above = Old.take_front(Offset);
  if (New.starts_with(Above))
    return lineDirective(Above, FileName) + New.substr(Offset).str();

  // The first difference, moved to the beginning of its line: what was
  // inserted may begin as the line that it pushed down begins.
  size_t Same = 0;
  while (Same < Above.size() && Same < New.size() && Above[Same] == New[Same])
    ++Same;
  size_t LineStart = Above.take_front(Same).rfind('\n');
  LineStart = LineStart == llvm::StringRef::npos ? 0 : LineStart + 1;
  llvm::StringRef PushedDown = Above.substr(LineStart);
  size_t Found = New.find(("\n" + PushedDown).str(), LineStart);
  if (Found == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef Inserted = New.slice(LineStart, Found + 1);
  llvm::StringRef Rest = New.substr(Found + 1 + PushedDown.size());
  return lineDirective(New.take_front(LineStart), FileName) + Inserted.str() +
         lineDirective(New.drop_back(Rest.size()), FileName) + Rest.str();
}

} // namespace kpipe
