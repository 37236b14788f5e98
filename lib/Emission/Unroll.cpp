// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pragmas above loops, see Unroll.h.

#include "Unroll.h"

using namespace clang;

namespace kpipe {

std::optional<Edit> unrollFully(const ForStmt *F, const SourceText &Source) {
  unsigned Begin = Source.expansionOffset(F->getForLoc());
  unsigned Start = Source.lineStart(Begin);
  llvm::StringRef Before = Source.at({0, Start}).rtrim();
  size_t NewLine = Before.rfind('\n');
  llvm::StringRef Above =
      NewLine == llvm::StringRef::npos ? Before : Before.substr(NewLine + 1);
  if (Above.ltrim().starts_with("#pragma unroll"))
    return std::nullopt;
  bool First = Source.at({Start, Begin}).trim().empty();
  return Edit{Begin, 0,
              (First ? "#pragma unroll\n" : "\n#pragma unroll\n") +
                  Source.indentation(Begin).str()};
}

std::vector<Edit> unrollCompute(const TileLoop &Loop, const PipelinePlan &Plan,
                                const SourceText &Source) {
  std::vector<Edit> Edits;
  const SourceManager &SM = Source.context().getSourceManager();
  if (Plan.Unroll != Unrolling::Compute)
    return Edits;
  for (const ForStmt *F : Loop.Unrollable) {
    // A function in another file stays as it is.
    if (!SM.isInFileID(SM.getExpansionLoc(F->getBeginLoc()), Source.file()))
      continue;
    if (auto E = unrollFully(F, Source))
      Edits.push_back(std::move(*E));
  }
  return Edits;
}

} // namespace kpipe
