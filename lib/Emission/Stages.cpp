// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage edits, see Stages.h.

#include "Stages.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
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
  llvm::ArrayRef<StagedView> Views;
  struct Mention {
    SourceLocation Where;
    const StagedView *View; ///< null for an array with extents
  };
  llvm::SmallVector<Mention, 16> Found;
  MentionFinder(const TileLoop &L, llvm::ArrayRef<StagedView> V)
      : Loop(L), Views(V) {}
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    SourceLocation Declared = D->getDecl()->getLocation();
    for (const StagedBuffer &B : Loop.Buffers)
      if (!B.Block && Declared == B.Var->getLocation())
        Found.push_back({D->getLocation(), nullptr});
    for (const StagedView &V : Views)
      if (Declared == V.Var->getLocation())
        Found.push_back({D->getLocation(), &V});
    return true;
  }

  void run() {
    TraverseStmt(Loop.Function->getBody());
    if (written(Loop.Function) != Loop.Function)
      TraverseStmt(written(Loop.Function)->getBody());
  }
};

template <typename EditOfView>
std::vector<Edit> mentionEdits(const TileLoop &Loop, const SourceText &Source,
                               Range Within, llvm::StringRef Index,
                               llvm::ArrayRef<StagedView> Views,
                               EditOfView Make) {
  MentionFinder M(Loop, Views);
  M.run();
  std::vector<Edit> Edits;
  for (const MentionFinder::Mention &Found : M.Found) {
    auto At = Source.offset(Found.Where);
    if (!At || !Within.contains(*At))
      continue;
    unsigned End = Source.tokenEnd(*At);
    Edits.push_back(Found.View ? Make(*Found.View, *At, End)
                               : Edit{End, 0, ("[" + Index + "]").str()});
  }
  llvm::sort(Edits);
  Edits.erase(std::unique(Edits.begin(), Edits.end()), Edits.end());
  return Edits;
}

} // namespace

std::string StagedView::at(llvm::StringRef Stage, llvm::StringRef Bytes) const {
  bool Reference = Var->getType()->isReferenceType();
  std::string Text = "kpipe::advance_bytes(" +
                     std::string(Reference ? "&" : "") + Name + ", " +
                     Stage.str() + " * " + Bytes.str() + ")";
  return Reference ? "(*" + Text + ")" : Text;
}

std::string StagedView::declaration(llvm::StringRef Stage,
                                    llvm::StringRef Bytes) const {
  const char *Kind = Var->getType()->isReferenceType() ? "auto &" : "auto *";
  std::string Text = at(Stage, Bytes);
  if (Text.front() == '(') // a whole initialiser needs no parentheses
    Text = Text.substr(1, Text.size() - 2);
  return Kind + Tile + " = " + Text + ";";
}

std::vector<StagedView> stagedViews(const TileLoop &Loop, Names &Fresh) {
  std::vector<StagedView> Views;
  auto Add = [&](const VarDecl *V) {
    std::string Name = V->getNameAsString();
    Views.push_back({V, Name, Fresh.fresh(Name + "_tile")});
  };
  for (const StagedBuffer &B : Loop.Buffers)
    if (B.Block) {
      Add(B.Var);
      llvm::for_each(B.Views, Add);
    }
  return Views;
}

std::vector<Edit> stageMentions(const TileLoop &Loop, const SourceText &Source,
                                Range Within, llvm::StringRef Index,
                                llvm::ArrayRef<StagedView> Views) {
  return mentionEdits(Loop, Source, Within, Index, Views,
                      [](const StagedView &V, unsigned, unsigned End) {
                        // What is put behind the name makes another of it.
                        return Edit{End, 0, V.Tile.substr(V.Name.size())};
                      });
}

std::vector<Edit> stageMentionsAfter(const TileLoop &Loop,
                                     const SourceText &Source, Range Within,
                                     llvm::StringRef Index,
                                     llvm::StringRef Bytes,
                                     llvm::ArrayRef<StagedView> Views) {
  return mentionEdits(Loop, Source, Within, Index, Views,
                      [&](const StagedView &V, unsigned Begin, unsigned End) {
                        return Edit{Begin, End - Begin, V.at(Index, Bytes)};
                      });
}

/// The bracketed extents of a declaration, outermost first.
static llvm::SmallVector<ArrayTypeLoc, 3> extentsOf(const VarDecl *V) {
  llvm::SmallVector<ArrayTypeLoc, 3> Extents;
  for (TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();;) {
    if (auto A = T.getAs<ArrayTypeLoc>()) {
      Extents.push_back(A);
      T = A.getElementLoc();
    } else if (auto P = T.getAs<ParenTypeLoc>()) {
      T = P.getInnerLoc();
    } else {
      return Extents;
    }
  }
}

/// Adds Count to what stands in a range of the text.
static void addTo(const Expr *E, Range R, unsigned Count,
                  std::vector<Edit> &Edits) {
  const Expr *Plain = E->IgnoreImplicit();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(Plain))
    Plain = S->getReplacement()->IgnoreImplicit();
  // What may bind less than `+` gets parentheses.
  bool Binds = isa<IntegerLiteral, DeclRefExpr, MemberExpr, ParenExpr,
                   UnaryOperator, CallExpr, CastExpr>(Plain);
  if (const auto *B = dyn_cast<BinaryOperator>(Plain))
    Binds = B->isAdditiveOp() || B->isMultiplicativeOp();
  if (!Binds)
    Edits.push_back({R.Begin, 0, "("});
  Edits.push_back(
      {R.End, 0, (Binds ? " + " : ") + ") + std::to_string(Count)});
}

std::string extentsText(const VarDecl *V, const SourceText &Source,
                        unsigned Pad) {
  std::string Text;
  llvm::SmallVector<ArrayTypeLoc, 3> Extents = extentsOf(V);
  for (ArrayTypeLoc A : Extents) {
    auto Begin = Source.offset(A.getLBracketLoc());
    auto End = Source.offset(A.getRBracketLoc());
    if (!Begin || !End)
      continue;
    std::vector<Edit> Edits;
    if (Pad && A == Extents.back())
      addTo(A.getSizeExpr(), {*Begin + 1, *End}, Pad, Edits);
    Text += Source.edited({*Begin, Source.tokenEnd(*End)}, Edits);
  }
  return Text;
}

std::vector<Edit> padStrides(const PipelinePlan &Plan,
                             const SourceText &Source, Range Within) {
  std::vector<Edit> Edits;
  for (auto [E, Count] : Plan.Strides)
    if (auto R = Source.expression(E); R && Within.contains(R->Begin))
      addTo(E, *R, Count, Edits);
  return Edits;
}

/// Behind what makes a variable shared, where people write an alignment: the
/// macro `__shared__`, one of the author's, or an attribute written out.
static unsigned behindShared(const VarDecl *V, const SourceText &Source) {
  const SourceManager &SM = Source.context().getSourceManager();
  SourceLocation Shared = V->getLocation();
  if (const auto *A = V->getAttr<CUDASharedAttr>())
    Shared = A->getLocation();
  if (Shared.isMacroID())
    return Source.tokenEnd(
        SM.getDecomposedLoc(SM.getExpansionRange(Shared).getEnd()).second);
  // The word stands within the two parentheses of `__attribute__((shared))`.
  unsigned At = Source.tokenEnd(Source.expansionOffset(Shared));
  for (int Depth = 2; Depth != 0;) {
    At = Source.skipSpaceAndComments(At);
    if (At == Source.all().size())
      break;
    Depth += Source.all()[At] == '(' ? 1 : Source.all()[At] == ')' ? -1 : 0;
    At = Source.tokenEnd(At);
  }
  return At;
}

std::vector<Edit> stageDeclarations(const TileLoop &Loop,
                                    const PipelinePlan &Plan,
                                    const SourceText &Source) {
  std::vector<Edit> Edits;
  const ASTContext &Ctx = Source.context();
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I) {
    const StagedBuffer &B = Loop.Buffers[I];
    auto Name = Source.offset(B.Var->getLocation());
    if (!Name || B.Block)
      continue;
    if (I < Plan.Pads.size() && Plan.Pads[I]) {
      ArrayTypeLoc Last = extentsOf(B.Var).back();
      auto Begin = Source.offset(Last.getLBracketLoc());
      auto End = Source.offset(Last.getRBracketLoc());
      if (Begin && End)
        addTo(Last.getSizeExpr(), {*Begin + 1, *End}, Plan.Pads[I], Edits);
    }
    if (Plan.Stages == 1)
      continue;
    Edits.push_back(
        {Source.tokenEnd(*Name), 0, "[" + std::to_string(Plan.Stages) + "]"});
    unsigned Natural =
        Ctx.getTypeAlignInChars(Ctx.getBaseElementType(B.Var->getType()))
            .getQuantity();
    unsigned Declared =
        B.Var->hasAttr<AlignedAttr>() ? B.Var->getMaxAlignment() / 8 : Natural;
    if (B.Alignment <= Declared)
      continue;
    Edits.push_back({behindShared(B.Var, Source), 0,
                     " __align__(" + std::to_string(B.Alignment) + ")"});
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
