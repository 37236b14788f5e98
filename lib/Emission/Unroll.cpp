// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pragmas above loops, see Unroll.h.

#include "Unroll.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Does the author say how F is to be unrolled, in whatever words: `_Pragma` in
/// a macro, `#pragma nounroll`?
static bool hasUnrollHint(const ForStmt *F, const SourceText &Source) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const ForStmt *Of = nullptr;
    bool Found = false;
    Finder() { ShouldVisitTemplateInstantiations = true; }
    bool VisitAttributedStmt(const AttributedStmt *A) override {
      Found |= A->getSubStmt() == Of &&
               llvm::any_of(A->getAttrs(), [](const Attr *One) {
                 const auto *Hint = dyn_cast<LoopHintAttr>(One);
                 return Hint && (Hint->getOption() == LoopHintAttr::Unroll ||
                                 Hint->getOption() == LoopHintAttr::UnrollCount);
               });
      return !Found;
    }
  } In;
  In.Of = F;
  const SourceManager &SM = Source.context().getSourceManager();
  const SourceLocation At = SM.getExpansionLoc(F->getForLoc());
  for (const Decl *D : Source.context().getTranslationUnitDecl()->decls()) {
    const SourceLocation Begin = SM.getExpansionLoc(D->getBeginLoc()),
                         End = SM.getExpansionLoc(D->getEndLoc());
    if (SM.isInFileID(Begin, SM.getFileID(At)) &&
        !SM.isBeforeInTranslationUnit(At, Begin) &&
        !SM.isBeforeInTranslationUnit(End, At))
      In.TraverseDecl(D);
  }
  return In.Found;
}

std::optional<Edit> unrollFully(const ForStmt *F, const SourceText &Source) {
  unsigned Begin = Source.expansionOffset(F->getForLoc());
  unsigned Start = Source.lineStart(Begin);
  llvm::StringRef Before = Source.at({0, Start}).rtrim();
  size_t NewLine = Before.rfind('\n');
  llvm::StringRef Above =
      NewLine == llvm::StringRef::npos ? Before : Before.substr(NewLine + 1);
  if (Above.ltrim().starts_with("#pragma unroll") || hasUnrollHint(F, Source))
    return std::nullopt;
  // A line that begins by a mark, in the middle of another one.
  if (auto More = markedDepth(Source.at({Start, Begin}).rtrim(" \t")))
    return Edit{Begin, 0, "#pragma unroll" + lineMark(*More)};
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
