// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage edits, see Stages.h.

#include "Stages.h"
#include "Code/AstUtils.h"
#include "ConstantText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

bool StagedName::mentionedBy(const llvm::StringSet<> &Identifiers) const {
  return InLoop && llvm::any_of(Words, [&](const auto &W) {
           return Identifiers.contains(W.first());
         });
}

/// How the view of a stage is declared: a number has the type of the sum.
static std::string declares(const VarDecl *View) {
  const QualType T = View->getType();
  if (T->isReferenceType())
    return "auto &";
  if (T->isIntegerType())
    return T.isConstQualified() ? "const auto " : "auto ";
  return "auto *";
}

/// What a view becomes in a stage, without the parentheses that a reference
/// wants inside an expression.
static std::string advanced(const StagedName &N, llvm::StringRef Of,
                            llvm::StringRef Stage, llvm::StringRef Bytes,
                            RuntimeCalls &Calls) {
  bool Reference = N.Var->getType()->isReferenceType();
  if (N.HasSize)
    return ("*" + Calls.to(Primitive::AdvanceBytes) + "(&" + Of + ", " + Stage +
            " * sizeof(" + Of + "))")
        .str();
  return ("" + llvm::Twine(Reference ? "*" : "") +
          Calls.to(Primitive::AdvanceBytes) + "(" + (Reference ? "&" : "") +
          Of + ", " + Stage + " * " +
          (N.Bytes.empty() ? Bytes : llvm::StringRef(N.Bytes)) + ")")
      .str();
}

std::string StagedName::at(llvm::StringRef Stage, llvm::StringRef Bytes,
                           RuntimeCalls &Calls) const {
  if (!View)
    return (Stages + "[" + Stage + "]").str();
  std::string Text = advanced(*this, Name, Stage, Bytes, Calls);
  return Var->getType()->isReferenceType() ? "(" + Text + ")" : Text;
}

std::string StagedName::declaration(llvm::StringRef Stage,
                                    llvm::StringRef Bytes,
                                    RuntimeCalls &Calls) const {
  if (!View)
    return "auto &" + Name + " = " + at(Stage, Bytes, Calls) + ";";
  return declares(Var) + Name + " = " +
         advanced(*this, Stages, Stage, Bytes, Calls) + ";";
}

std::string StagedName::first() const {
  return declares(Var) + Stages + " = " + Name + ";";
}

bool StageNames::hasBlock() const {
  return llvm::any_of(
      Staged, [](const StagedName &N) {
        return N.View && N.Bytes.empty() && !N.HasSize;
      });
}

namespace {

/// Finds where a variable is mentioned: the names of macros whose expansion
/// does, and whether the loop does.
struct MentionFinder : ConstDynamicRecursiveASTVisitor {
  MentionFinder(const SourceText &Source, Range Loop, StagedName &Name)
      : Source(Source), Loop(Loop), Name(Name) {}
  const SourceText &Source;
  const Range Loop;
  StagedName &Name;
  /// In the text of a macro; in that of a macro's argument it shows itself.
  bool isOfMacro(SourceLocation L) const {
    const SourceManager &SM = Source.context().getSourceManager();
    while (L.isMacroID() && SM.isMacroArgExpansion(L))
      L = SM.getImmediateSpellingLoc(L);
    return L.isMacroID();
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getDecl()->getLocation() != Name.Var->getLocation())
      return true;
    unsigned At = Source.expansionOffset(D->getLocation());
    Name.InLoop |= Loop.contains(At);
    if (isOfMacro(D->getLocation()))
      Name.Words.insert(Source.at({At, Source.tokenEnd(At)}));
    return true;
  }
};

} // namespace

std::vector<StagedName> stagedNames(const TileLoop &Loop,
                                    const SourceText &Source, Names &Fresh) {
  std::vector<StagedName> Staged;
  auto Add = [&](const VarDecl *V, bool View, std::string Bytes = {}) {
    StagedName N;
    N.Var = V;
    N.Name = V->getNameAsString();
    N.Stages = Fresh.fresh(N.Name + "_stages");
    N.View = View;
    N.Bytes = std::move(Bytes);
    N.Words.insert(N.Name);
    MentionFinder Finder(Source, Source.statement(Loop.Loop), N);
    Finder.TraverseStmt(Loop.Function->getBody());
    // Only the pattern has the branches that an instantiation discards.
    if (const FunctionDecl *P = Loop.Function->getTemplateInstantiationPattern())
      Finder.TraverseStmt(P->getBody());
    Staged.push_back(std::move(N));
  };
  for (const StagedBuffer &B : Loop.Buffers) {
    if (!B.Given.empty()) {
      Add(B.Var, true, std::to_string(B.Bytes));
      Staged.back().HasSize = B.Var->getType()->isReferenceType();
      for (const VarDecl *V : B.Views)
        Add(V, true, std::to_string(B.Bytes));
      for (const VarDecl *V : arraysOf(B))
        Add(V, false);
      continue;
    }
    if (!B.GivenOut)
      Add(B.Var, B.Block);
    std::string Bytes =
        B.Block ? std::string() : "sizeof(" + Staged.back().Stages + "[0])";
    for (const VarDecl *V : B.Views)
      Add(V, true, Bytes);
  }
  return Staged;
}

/// An edit for each of the mentions that stands in the file.
static std::vector<Edit> atMentions(llvm::ArrayRef<const DeclRefExpr *> Mentions,
                                    const SourceText &Source,
                                    llvm::StringRef Stage,
                                    llvm::StringRef Bytes,
                                    llvm::ArrayRef<StagedName> Staged,
                                    RuntimeCalls &Calls) {
  std::vector<Edit> Edits;
  for (const DeclRefExpr *D : Mentions)
    for (const StagedName &N : Staged)
      if (D->getDecl()->getLocation() == N.Var->getLocation())
        if (auto At = Source.offset(D->getLocation()))
          Edits.push_back(
              {*At, Source.tokenEnd(*At) - *At, N.at(Stage, Bytes, Calls)});
  llvm::sort(Edits);
  Edits.erase(std::unique(Edits.begin(), Edits.end()), Edits.end());
  return Edits;
}

std::vector<Edit> copiedMentions(const TileLoop &Loop, const SourceText &Source,
                                 llvm::StringRef Stage,
                                 llvm::ArrayRef<StagedName> Staged,
                                 RuntimeCalls &Calls) {
  llvm::SmallVector<const DeclRefExpr *, 8> All;
  for (const StagedBuffer &B : Loop.Buffers)
    llvm::append_range(All, B.CopiedMentions);
  return atMentions(All, Source, Stage, {}, Staged, Calls);
}

llvm::SmallVector<const VarDecl *, 2> arraysOf(const StagedBuffer &B) {
  if (B.Given.empty())
    return {B.Var};
  llvm::SmallVector<const VarDecl *, 2> Arrays;
  for (const GivenArray &G : B.Given)
    if (!llvm::is_contained(Arrays, G.Array))
      Arrays.push_back(G.Array);
  return Arrays;
}

std::string firstStage(const VarDecl *Array,
                       llvm::ArrayRef<StagedName> Staged) {
  const StagedName &N = *llvm::find_if(
      Staged, [&](const StagedName &X) { return X.Var == Array; });
  return "auto &" + N.Name + " = " + N.Stages + "[0];";
}

std::vector<Edit> viewsAfter(const TileLoop &Loop, const SourceText &Source,
                             llvm::StringRef Stage, llvm::StringRef Bytes,
                             llvm::ArrayRef<StagedName> Staged,
                             RuntimeCalls &Calls, bool InBlock) {
  llvm::SmallVector<const DeclRefExpr *, 8> All;
  for (const StagedBuffer &B : Loop.Buffers)
    if (B.Block ? !InBlock : !B.Views.empty() || !B.Given.empty())
      llvm::append_range(All, B.MentionsAfter);
  return atMentions(All, Source, Stage, Bytes, Staged, Calls);
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
                        unsigned Pad, const Stmt *Outside) {
  std::string Text;
  llvm::SmallVector<ArrayTypeLoc, 3> Extents = extentsOf(V);
  for (ArrayTypeLoc A : Extents) {
    auto Begin = Source.offset(A.getLBracketLoc());
    auto End = Source.offset(A.getRBracketLoc());
    if (!Begin || !End)
      continue;
    const bool Padded = Pad && A == Extents.back();
    auto Elsewhere =
        Outside ? constantText(A.getSizeExpr(), Outside, std::nullopt, Source)
                : std::nullopt;
    if (Elsewhere && Elsewhere->Replaced) {
      Text += Padded
                  ? "[(" + Elsewhere->Text + ") + " + std::to_string(Pad) + "]"
                  : "[" + Elsewhere->Text + "]";
      continue;
    }
    std::vector<Edit> Edits;
    if (Padded)
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

/// The statement that declares V.
static const DeclStmt *declarationOf(const VarDecl *V) {
  const auto *Within = dyn_cast<FunctionDecl>(V->getDeclContext());
  return Within ? declarationOf(V, Within->getBody()) : nullptr;
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
                                    const SourceText &Source,
                                    llvm::ArrayRef<StagedName> Staged) {
  std::vector<Edit> Edits;
  std::map<unsigned, std::string> Behind; ///< what follows a declaration
  const ASTContext &Ctx = Source.context();
  auto grow = [&](const StagedBuffer &B, const VarDecl *Array, unsigned Pad) {
    auto Name = Source.offset(Array->getLocation());
    if (!Name)
      return;
    if (Pad) {
      ArrayTypeLoc Last = extentsOf(Array).back();
      auto Begin = Source.offset(Last.getLBracketLoc());
      auto End = Source.offset(Last.getRBracketLoc());
      if (Begin && End)
        addTo(Last.getSizeExpr(), {*Begin + 1, *End}, Pad, Edits);
    }
    if (Plan.Buffers == 1)
      return;
    const StagedName &As = *llvm::find_if(
        Staged, [&](const StagedName &N) { return N.Var == Array; });
    Edits.push_back({*Name, Source.tokenEnd(*Name) - *Name,
                     As.Stages + "[" + std::to_string(Plan.Buffers) + "]"});
    if (const DeclStmt *D = declarationOf(Array);
        D && (B.KeepsContents || !(B.Views.empty() && B.Given.empty()))) {
      const std::string Line = "\n" + Source.indentation(D).str();
      std::string &Text = Behind[Source.statement(D).End];
      Text += Line + firstStage(Array, Staged);
      if (!B.Given.empty() && B.Var->getType()->isPointerType())
        Text += Line + "static_assert(sizeof(" + As.Name +
                ") == " + std::to_string(B.Bytes) + ", \"" +
                Message(msg::stages_have_bytes,
                        Loop.Function->getNameAsString())
                    .str() +
                "\");";
    }
    unsigned Natural =
        Ctx.getTypeAlignInChars(Ctx.getBaseElementType(Array->getType()))
            .getQuantity();
    unsigned Declared =
        Array->hasAttr<AlignedAttr>() ? Array->getMaxAlignment() / 8 : Natural;
    if (B.Alignment > Declared) {
      // An attribute of the one kind may not stand before one of the other.
      const unsigned At = behindShared(Array, Source);
      const bool Std = Source.all()
                           .substr(Source.skipSpaceAndComments(At))
                           .starts_with("alignas");
      Edits.push_back({At, 0,
                       (Std ? " alignas(" : " __align__(") +
                           std::to_string(B.Alignment) + ")"});
    }
  };
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
    if (!Loop.Buffers[I].Block)
      for (const VarDecl *Array : arraysOf(Loop.Buffers[I]))
        grow(Loop.Buffers[I], Array, I < Plan.Pads.size() ? Plan.Pads[I] : 0);
  for (const auto &[At, Text] : Behind)
    Edits.push_back({At, 0, Text});
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
