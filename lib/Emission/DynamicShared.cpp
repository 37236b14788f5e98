// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of dynamic shared memory, see DynamicShared.h. What is done here was
// found possible by Movable.cpp and Relaunch.cpp of the analysis.

#include "DynamicShared.h"
#include "Code/MacroPlaces.h"
#include "ElementTypes.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Mover {
public:
  Mover(const TileLoop &Loop, const PipelinePlan &Plan,
        const SourceText &Source, llvm::ArrayRef<StagedName> Staged,
        Names &Fresh, RuntimeCalls &Calls)
      : Loop(Loop), Plan(Plan), Source(Source), Staged(Staged), Calls(Calls) {
    std::string Kernel = Loop.Function->getNameAsString();
    Array = Fresh.fresh(Kernel + "_shared");
    Bytes = Fresh.fresh(Kernel + "_shared_bytes");
  }

  std::vector<Edit> run() {
    declare();
    count();
    for (const CUDAKernelCallExpr *C : Plan.Launches)
      launch(*C);
    llvm::sort(Edits);
    return std::move(Edits);
  }

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  llvm::ArrayRef<StagedName> Staged;
  RuntimeCalls &Calls;
  std::string Array, Bytes;
  std::vector<Edit> Edits;

  /// `[3][BM][BK]`, the extents as the author spells them.
  std::string extents(const VarDecl *V, const Stmt *Outside = nullptr) const {
    unsigned Pad = 0;
    for (unsigned I = 0; I != Plan.Pads.size(); ++I)
      if (Loop.Buffers[I].Var == V)
        Pad = Plan.Pads[I];
    return "[" + std::to_string(Plan.Buffers) + "]" +
           extentsText(V, Source, Pad, Outside);
  }

  /// The declarations that hold staged arrays, each with its arrays, in order.
  llvm::MapVector<const DeclStmt *, std::vector<const VarDecl *>>
  declarations() const {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const TileLoop &Loop;
      llvm::MapVector<const DeclStmt *, std::vector<const VarDecl *>> Found;
      explicit Finder(const TileLoop &L) : Loop(L) {}
      bool VisitDeclStmt(const DeclStmt *S) override {
        for (const Decl *D : S->decls())
          for (const StagedBuffer &B : Loop.Buffers)
            if (B.Var == D)
              Found[S].push_back(B.Var);
        return true;
      }
    } F(Loop);
    F.TraverseStmt(Loop.Function->getBody());
    return std::move(F.Found);
  }

  /// The statement from its first word: for Clang it begins at an `alignas` and
  /// leaves out the `__shared__` in front of that.
  Range declaration(const DeclStmt *Statement,
                    llvm::ArrayRef<const VarDecl *> Variables) const {
    Range R = Source.statement(Statement);
    for (const VarDecl *V : Variables)
      if (const auto *Shared = V->getAttr<CUDASharedAttr>())
        R.Begin = std::min(R.Begin,
                           Source.expansionOffset(Shared->getLocation()));
    return R;
  }

  void declare() {
    unsigned Alignment = 16;
    for (const StagedBuffer &B : Loop.Buffers)
      Alignment = std::max(Alignment, B.Alignment);
    std::string Lines = "extern __shared__ __align__(" +
                        std::to_string(Alignment) + ") unsigned char " + Array +
                        "[];";
    std::string Before;
    for (const auto &[Statement, Variables] : declarations()) {
      const Range R = declaration(Statement, Variables);
      std::string Indent = Source.indentation(R.Begin).str();
      for (const VarDecl *V : Variables) {
        const std::string &Name =
            llvm::find_if(Staged, [V = V](const StagedName &N) {
              return N.Var == V;
            })->Stages;
        if (!Lines.empty())
          Lines += "\n" + Indent;
        Lines += "auto &" + Name + " = *reinterpret_cast<" +
                 declaredType(V, Source) + " (*)" + extents(V) + ">(" + Array +
                 Before + ");";
        Before += " + sizeof(" + Name + ")";
        for (const StagedBuffer &B : Loop.Buffers)
          if (B.Var == V && (B.KeepsContents || !B.Views.empty()))
            Lines += "\n" + Indent + firstStage(V, Staged);
      }
      Edits.push_back({R.Begin, R.size(), Lines});
      Lines.clear();
    }
  }

  /// `constexpr unsigned k_shared_bytes = …;`, a template where the kernel is.
  void count() {
    std::string Sum;
    for (const auto &[Statement, Variables] : declarations())
      for (const VarDecl *V : Variables)
        Sum += (Sum.empty() ? "" : " + ") +
               ("sizeof(" + declaredType(V, Source) +
                extents(V, Loop.Function->getBody()) + ")");
    const FunctionDecl *F = Loop.Function;
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
      F = Pattern;
    SourceLocation Begin = F->getOuterLocStart();
    std::string Head;
    if (const FunctionTemplateDecl *T = F->getDescribedFunctionTemplate()) {
      const TemplateParameterList *P = T->getTemplateParameters();
      Begin = P->getTemplateLoc();
      auto From = Source.offset(Begin), To = Source.offset(P->getRAngleLoc());
      if (From && To)
        Head = Source.at({*From, Source.tokenEnd(*To)}).str() + "\n";
    }
    unsigned At =
        aboveComments(Source.lineStart(Source.expansionOffset(Begin)));
    Edits.push_back({At, 0,
                     "// " +
                         Message(msg::comment_dynamic_bytes,
                                 F->getNameAsString())
                             .str() +
                         "\n" + Head +
                         "constexpr unsigned " + Bytes + " =\n    " + Sum +
                         ";\n\n"});
  }

  /// Where the comment lines begin that stand directly above a line.
  unsigned aboveComments(unsigned Line) const {
    while (Line != 0) {
      unsigned Above = Source.lineStart(Line - 1);
      if (!Source.at({Above, Line}).ltrim().starts_with("//"))
        break;
      Line = Above;
    }
    return Line;
  }

  /// `k<64><<<g, b>>>` becomes
  /// `k<64><<<g, b, kpipe::opt_in_shared(k<64>, k_shared_bytes<64>)>>>`.
  void launch(const CUDAKernelCallExpr &C) {
    const auto *Callee =
        cast<DeclRefExpr>(C.getCallee()->IgnoreParenImpCasts());
    Range Name = *Source.expression(Callee);
    auto Own = Source.offset(Callee->getLocation());
    std::string Kernel = Source.at(Name).str();
    std::string Count = Source.at({Name.Begin, *Own}).str() + Bytes +
                        Source.at({Source.tokenEnd(*Own), Name.End}).str();
    std::string Text = Calls.to(Primitive::OptInShared) + "(" + Kernel + ", " +
                       Count + ")";
    const CallExpr *Config = C.getConfig();
    const Expr *Given = Config->getArg(2);
    if (isa<CXXDefaultArgExpr>(Given)) {
      Range Block = *Source.expression(Config->getArg(1));
      Edits.push_back({Block.End, 0, ", " + Text});
    } else {
      Range Zero = *Source.expression(Given);
      Edits.push_back({Zero.Begin, Zero.size(), Text});
    }
  }
};

} // namespace

std::vector<Edit> moveToDynamicShared(const TileLoop &Loop,
                                      const PipelinePlan &Plan,
                                      const SourceText &Source,
                                      llvm::ArrayRef<StagedName> Staged,
                                      Names &Fresh, RuntimeCalls &Calls) {
  return Mover(Loop, Plan, Source, Staged, Fresh, Calls).run();
}

std::string stagesArgument(const PipelinePlan &Plan) {
  std::string Text = std::to_string(Plan.Buffers);
  return Plan.StageAlignment == 128
             ? Text
             : Text + ", " + std::to_string(Plan.StageAlignment);
}

/// An expression, or what it is in the text of the macro that brings it.
static std::optional<Range> rangeOf(const Expr *E, bool InMacroText,
                                    const SourceText &Source) {
  if (!InMacroText)
    return Source.expression(E);
  auto Place = placeInMacro(E, Source.context().getSourceManager());
  auto Begin = Place ? Source.offset(Place->getBegin()) : std::nullopt,
       End = Place ? Source.offset(Place->getEnd()) : std::nullopt;
  return Begin && End ? std::optional(Range{*Begin, Source.tokenEnd(*End)})
                      : std::nullopt;
}

llvm::Expected<std::vector<Edit>> growLaunches(const PipelinePlan &Plan,
                                               const SourceText &Source,
                                               RuntimeCalls &Calls) {
  std::vector<Edit> Edits;
  for (const LaunchBytes &L : Plan.Grown) {
    auto Count = rangeOf(L.Count, L.InMacroText, Source);
    auto Kernel = L.Kernel ? rangeOf(L.Kernel, L.InMacroText, Source) : Range();
    if (!Count && !L.Kernel)
      continue; // launches opt in whatever the host sets
    if (!Count || !Kernel)
      return cannotMove(msg::launch_bytes_in_macro);
    std::string Text = Calls.to(Primitive::StagedBytes) + "<" +
                       stagesArgument(Plan) + ">(" +
                       Source.at(*Count).str() + ")";
    // Of two arguments a macro would make three.
    if (!L.InMacroText && L.Count->getBeginLoc().isMacroID() &&
        Plan.StageAlignment != 128)
      return cannotMove(msg::launch_bytes_in_macro);
    if (L.Kernel && Plan.After.OptsIn)
      Text = Calls.to(Primitive::OptInShared) + "(" +
             Source.at(*Kernel).str() + ", " + Text + ")";
    Edits.push_back({Count->Begin, Count->size(), Text});
  }
  // What a macro is given may be used twice, and is one text.
  llvm::sort(Edits);
  Edits.erase(std::unique(Edits.begin(), Edits.end(),
                          [](const Edit &A, const Edit &B) {
                            return A.Offset == B.Offset;
                          }),
              Edits.end());
  return Edits;
}

} // namespace kpipe
