// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage edits, see Stages.h.

#include "Stages.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A function as written: the template's pattern for an instantiation.
const FunctionDecl *written(const FunctionDecl *F) {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  return Pattern ? Pattern : F;
}

/// Mentions of variables that are declared at given places, in the pattern and
/// in the instantiation alike.
struct MentionFinder : RecursiveASTVisitor<MentionFinder> {
  const TileLoop &Loop;
  llvm::SmallVector<SourceLocation, 16> Found;
  explicit MentionFinder(const TileLoop &L) : Loop(L) {}
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    for (const StagedBuffer &B : Loop.Buffers)
      if (D->getDecl()->getLocation() == B.Var->getLocation())
        Found.push_back(D->getLocation());
    return true;
  }
};

} // namespace

std::vector<Edit> stageMentions(const TileLoop &Loop, const SourceText &Source,
                                Range Within, llvm::StringRef Index) {
  MentionFinder M(Loop);
  M.TraverseStmt(Loop.Function->getBody());
  if (written(Loop.Function) != Loop.Function)
    M.TraverseStmt(written(Loop.Function)->getBody());
  std::vector<Edit> Edits;
  for (SourceLocation L : M.Found) {
    auto At = Source.offset(L);
    if (At && Within.contains(*At))
      Edits.push_back({Source.tokenEnd(*At), 0, ("[" + Index + "]").str()});
  }
  llvm::sort(Edits);
  Edits.erase(std::unique(Edits.begin(), Edits.end()), Edits.end());
  return Edits;
}

std::vector<Edit> stageDeclarations(const TileLoop &Loop,
                                    const SourceText &Source,
                                    unsigned Stages) {
  std::vector<Edit> Edits;
  const ASTContext &Ctx = Source.context();
  for (const StagedBuffer &B : Loop.Buffers) {
    auto Name = Source.offset(B.Var->getLocation());
    if (!Name)
      continue;
    Edits.push_back(
        {Source.tokenEnd(*Name), 0, "[" + std::to_string(Stages) + "]"});
    unsigned Natural =
        Ctx.getTypeAlignInChars(Ctx.getBaseElementType(B.Var->getType()))
            .getQuantity();
    unsigned Declared =
        B.Var->hasAttr<AlignedAttr>() ? B.Var->getMaxAlignment() / 8 : Natural;
    if (B.Alignment <= Declared)
      continue;
    // After `__shared__`, where people write it.
    auto Shared = Source.offset(B.Var->getAttr<CUDASharedAttr>()->getLocation());
    unsigned At = 0;
    if (const auto *A = B.Var->getAttr<CUDASharedAttr>();
        A && A->getLocation().isMacroID())
      At = Source.tokenEnd(Source.expansionOffset(A->getLocation()));
    else if (Shared)
      continue;
    Edits.push_back(
        {At, 0, " __align__(" + std::to_string(B.Alignment) + ")"});
  }
  // Several variables of one declaration want one alignment, the widest.
  llvm::sort(Edits);
  std::vector<Edit> Out;
  for (Edit &E : Edits) {
    if (!Out.empty() && Out.back().Offset == E.Offset) {
      if (E.Text.size() > Out.back().Text.size() ||
          (E.Text.size() == Out.back().Text.size() && E.Text > Out.back().Text))
        Out.back() = E;
      continue;
    }
    Out.push_back(E);
  }
  return Out;
}

} // namespace kpipe
