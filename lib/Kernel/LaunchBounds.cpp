// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimum of blocks, see LaunchBounds.h. Where the attribute stands is Clang's
// knowledge; where its arguments begin and end is that of raw tokens, since the
// attribute is a macro.
#include "LaunchBounds.h"
#include "Code/AstUtils.h"
#include "Launches.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace kpipe {

namespace {

/// A token that no preprocessor has looked at.
struct Word {
  unsigned Offset = 0, End = 0;
  llvm::StringRef Text;
  tok::TokenKind Kind = tok::unknown;
};

class BoundsWriter {
public:
  BoundsWriter(const FunctionDecl *Kernel, unsigned Blocks,
               std::optional<unsigned> Threads, const ASTContext &Context)
      : Kernel(writtenKernel(Kernel)), Blocks(Blocks), Threads(Threads),
        Context(Context), SM(Context.getSourceManager()) {}

  LaunchBoundsEdit run() {
    if (!Kernel->hasAttr<CUDAGlobalAttr>())
      return no(msg::bounds_of_device_function);
    if (Kernel->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
      return no(msg::bounds_of_specialization);
    // nvcc refuses a kernel with both.
    if (registerLimit(Kernel))
      return no(msg::bounds_and_maxnreg);
    const CUDALaunchBoundsAttr *Bounds = nullptr;
    for (const FunctionDecl *D : Kernel->redecls())
      for (const auto *A : D->specific_attrs<CUDALaunchBoundsAttr>()) {
        if (A->isInherited())
          continue;
        if (Bounds)
          return no(msg::bounds_on_declarations);
        Bounds = A;
      }
    SourceLocation At = Bounds ? SM.getExpansionLoc(Bounds->getLocation())
                               : Kernel->getLocation();
    if (!At.isFileID() || !readDeclaration(At))
      return no(msg::bounds_in_macro);
    for (const Word &W : Declaration) {
      if (W.Kind == tok::hash)
        return no(msg::bounds_with_directive);
      if (W.Text == "__maxnreg__" || W.Text == "maxnreg")
        return no(msg::bounds_and_maxnreg);
      if (W.Text == "__block_size__")
        return no(msg::bounds_and_block_size);
    }
    if (More)
      return Bounds ? grow(Bounds) : addMost();
    return Bounds ? change(Bounds) : addLeast();
  }

  /// More threads, in the place of a minimum of blocks; or beside it, if one
  /// has to be there.
  unsigned More = 0, MaxThreads = 0;
  bool WithLeast = false;

private:
  const FunctionDecl *Kernel;
  const unsigned Blocks;
  const std::optional<unsigned> Threads;
  const ASTContext &Context;
  const SourceManager &SM;
  LaunchBoundsEdit Made;
  /// The declaration's tokens, from behind what stands above it to its body or
  /// semicolon; At: the one that was looked for.
  llvm::SmallVector<Word, 32> Declaration;
  size_t At = 0;

  LaunchBoundsEdit no(msg::Id Why) {
    LaunchBoundsEdit Nothing;
    Nothing.Not = Why;
    return Nothing;
  }

  LaunchBoundsEdit replace(unsigned Offset, unsigned Length, std::string Text) {
    Made.Edit = TextEdit{Offset, Length, std::move(Text)};
    return std::move(Made);
  }

  /// Reads the tokens of the declaration around a place. \returns false if no
  /// token begins there.
  bool readDeclaration(SourceLocation Where) {
    auto [File, Offset] = SM.getDecomposedLoc(Where);
    Made.File = File;
    llvm::StringRef Text = SM.getBufferData(File);
    Lexer Raw(SM.getLocForStartOfFile(File), Context.getLangOpts(),
              Text.begin(), Text.begin(), Text.end());
    bool Found = false, Directive = false;
    for (Token T; !Raw.LexFromRawLexer(T) || T.isNot(tok::eof);) {
      if (T.is(tok::eof))
        break;
      // Lines above the declaration that are the preprocessor's.
      Directive = T.isAtStartOfLine() ? T.is(tok::hash) && Declaration.empty()
                                      : Directive;
      if (Directive)
        continue;
      Word W;
      W.Offset = SM.getFileOffset(T.getLocation());
      W.End = W.Offset + T.getLength();
      W.Text = Text.slice(W.Offset, W.End);
      W.Kind = T.getKind();
      if (!Found && W.Offset > Offset)
        return false;
      if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace)) {
        if (Found)
          return true;
        Declaration.clear();
        continue;
      }
      if (W.Offset == Offset) {
        Found = true;
        At = Declaration.size();
      }
      Declaration.push_back(W);
    }
    return Found;
  }

  /// `__launch_bounds__(N + 32)`.
  LaunchBoundsEdit grow(const CUDALaunchBoundsAttr *Bounds) {
    llvm::StringRef Name = Declaration[At].Text;
    if (Name != "__launch_bounds__" && Name != "launch_bounds")
      return no(msg::bounds_in_macro);
    auto Ends = separators();
    if (Ends.size() != 2 + (Bounds->getMinBlocks() != nullptr) +
                           (Bounds->getMaxBlocks() != nullptr) ||
        Ends[1] == Ends[0] + 1)
      return no(msg::bounds_in_macro);
    const Expr *Most = Bounds->getMaxThreads();
    if (Most->isValueDependent() || Most->isTypeDependent())
      return no(msg::producer_bounds_depend);
    auto Known = constantValue(Most, Context);
    if (!Known || *Known <= 0)
      return no(msg::producer_bounds_depend);
    if (const Expr *Least = Bounds->getMinBlocks(); Least && WithLeast) {
      if (Least->isValueDependent() || Least->isTypeDependent())
        return no(msg::bounds_depend_on_arguments);
      auto Number = constantValue(Least, Context);
      if (!Number || *Number < 1)
        return no(msg::producer_no_minimum);
    }
    MaxThreads = *Known + More;
    const Word &First = Declaration[Ends[0] + 1],
               &Last = Declaration[Ends[1] - 1];
    const unsigned Length = Last.End - First.Offset;
    bool Invalid = false;
    std::string Text = SM.getBufferData(Made.File, &Invalid)
                           .substr(First.Offset, Length)
                           .str();
    if (&First != &Last)
      Text = "(" + Text + ")";
    return replace(First.Offset, Length,
                   Text + " + " + std::to_string(More) +
                       (WithLeast && !Bounds->getMinBlocks() ? ", 1" : ""));
  }

  /// `__launch_bounds__(288) `
  LaunchBoundsEdit addMost() {
    MaxThreads = *Threads + More;
    return add(std::to_string(MaxThreads) + (WithLeast ? ", 1" : ""));
  }

  /// `__launch_bounds__(256, 2) `
  LaunchBoundsEdit addLeast() {
    if (!Threads)
      return no(msg::bounds_block_unknown);
    return add(std::to_string(*Threads) + ", " + std::to_string(Blocks));
  }

  /// In front of the name.
  LaunchBoundsEdit add(const std::string &Arguments) {
    // `void (k)(…)` and what else may stand there.
    if (At == 0 || Declaration[At - 1].Text != "void" ||
        Declaration[At].Text != Kernel->getName())
      return no(msg::bounds_in_macro);
    if (hasMacroOfUser())
      return no(msg::bounds_in_macro);
    return replace(Declaration[At].Offset, 0,
                   "__launch_bounds__(" + Arguments + ") ");
  }

  /// Is a macro in front of the name, behind `template <…>`, that is none of
  /// CUDA's? It may hold what cannot stand beside the bounds, such as
  /// `__maxnreg__`.
  bool hasMacroOfUser() const {
    size_t I = 0;
    if (Declaration[0].Text == "template") {
      int Depth = 0;
      do {
        if (++I == At)
          return true; // a comparison in it
        tok::TokenKind K = Declaration[I].Kind;
        Depth += K == tok::less ? 1 : K == tok::greater ? -1 : 0;
        Depth -= K == tok::greatergreater ? 2 : 0;
      } while (Depth > 0);
    }
    for (; I != At; ++I) {
      const Word &W = Declaration[I];
      bool Cudas = llvm::is_contained({"__global__", "__host__", "__device__",
                                       "__forceinline__", "__noinline__",
                                       "__cluster_dims__"},
                                      W.Text);
      if (W.Kind == tok::raw_identifier && !Cudas &&
          Context.Idents.get(W.Text).hadMacroDefinition())
        return true;
    }
    return false;
  }

  /// The first token of each argument of the attribute and the one behind the
  /// last: commas and the parenthesis. Empty if it has no arguments there.
  llvm::SmallVector<size_t, 4> separators() const {
    llvm::SmallVector<size_t, 4> Found;
    size_t I = At + 1;
    if (I >= Declaration.size() || Declaration[I].Kind != tok::l_paren)
      return {};
    Found.push_back(I);
    for (unsigned Depth = 1; ++I < Declaration.size();) {
      tok::TokenKind K = Declaration[I].Kind;
      if (K == tok::l_paren)
        ++Depth;
      else if (K == tok::comma && Depth == 1)
        Found.push_back(I);
      else if (K == tok::r_paren && --Depth == 0) {
        Found.push_back(I);
        return Found;
      }
    }
    return {};
  }

  LaunchBoundsEdit change(const CUDALaunchBoundsAttr *Bounds) {
    llvm::StringRef Name = Declaration[At].Text;
    if (Name != "__launch_bounds__" && Name != "launch_bounds")
      return no(msg::bounds_in_macro);
    const Expr *Least = Bounds->getMinBlocks();
    const size_t Arguments =
        1 + (Least != nullptr) + (Bounds->getMaxBlocks() != nullptr);
    auto Ends = separators();
    // A comma between angle brackets looks like one between arguments.
    if (Ends.size() != Arguments + 1)
      return no(msg::bounds_in_macro);
    const std::string Number = std::to_string(Blocks);
    if (!Least)
      return replace(Declaration[Ends[1]].Offset, 0, ", " + Number);
    if (Least->isValueDependent() || Least->isTypeDependent())
      return no(msg::bounds_depend_on_arguments);
    auto Known = constantValue(Least, Context);
    if (!Known)
      return no(msg::bounds_depend_on_arguments);
    if (*Known >= int64_t(Blocks))
      return std::move(Made);
    if (Ends[2] == Ends[1] + 1)
      return no(msg::bounds_in_macro);
    unsigned Begin = Declaration[Ends[1] + 1].Offset,
             End = Declaration[Ends[2] - 1].End;
    return replace(Begin, End - Begin, Number);
  }
};

} // namespace

const AnnotateAttr *registerLimit(const FunctionDecl *Kernel) {
  for (const FunctionDecl *D : Kernel->redecls())
    for (const auto *A : D->specific_attrs<AnnotateAttr>())
      if (A->getAnnotation() == "kpipe maxnreg" && A->args_size() == 1)
        return A;
  return nullptr;
}

GrownBounds growBounds(const FunctionDecl *Kernel, unsigned Threads,
                       unsigned More, bool Blocks, const ASTContext &Context) {
  BoundsWriter Writer(Kernel, 0, Threads, Context);
  Writer.More = More;
  Writer.WithLeast = Blocks;
  LaunchBoundsEdit Made = Writer.run();
  return {std::move(Made.Not), std::move(Made.Edit), Writer.MaxThreads};
}

LaunchBoundsEdit askForBlocks(const FunctionDecl *Kernel, unsigned Blocks,
                              std::optional<unsigned> Threads,
                              const ASTContext &Context) {
  return BoundsWriter(Kernel, Blocks, Threads, Context).run();
}

} // namespace kpipe
