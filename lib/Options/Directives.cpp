// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of directive comments, see Directives.h.

#include "Directives.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Lines that may stand between a directive and what it is for.
bool standsBetween(llvm::StringRef Line) {
  for (llvm::StringRef Start :
       {"#pragma", "template", "__global__", "__device__", "__host__",
        "__launch_bounds__", "__forceinline__", "__noinline__", "static",
        "inline", "extern", "[["})
    if (Line.starts_with(Start) && !Line.ends_with(";") && !Line.contains("{"))
      return true;
  return false;
}

/// What a line says that is one comment, of either kind, and nothing else.
std::optional<llvm::StringRef> onlyComment(llvm::StringRef Line) {
  Line = Line.trim();
  if (Line.consume_front("//"))
    return Line.ltrim("/! \t");
  if (!Line.consume_front("/*") || !Line.consume_back("*/") ||
      Line.contains("*/"))
    return std::nullopt;
  return Line.ltrim("*! \t").rtrim("* \t");
}

} // namespace

llvm::SmallVector<llvm::StringRef, 2> directiveLines(SourceLocation Where,
                                                     const SourceManager &SM) {
  llvm::SmallVector<llvm::StringRef, 2> Found;
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Where));
  bool Invalid = false;
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid)
    return Found;
  size_t LineStart = Text.rfind('\n', Offset);
  while (LineStart != llvm::StringRef::npos && LineStart != 0) {
    size_t Start = Text.rfind('\n', LineStart);
    Start = Start == llvm::StringRef::npos ? 0 : Start + 1;
    llvm::StringRef Line = Text.slice(Start, LineStart).trim();
    LineStart = Start == 0 ? 0 : Start - 1;
    if (standsBetween(Line))
      continue;
    std::optional<llvm::StringRef> Comment = onlyComment(Line);
    if (!Comment)
      break;
    // `kpipe::commit()` is code.
    if (Comment->consume_front("kpipe:") && !Comment->starts_with(":"))
      Found.push_back(*Comment);
  }
  return Found;
}

Directives directivesAbove(SourceLocation Where, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Directives D;
  FileID File = SM.getFileID(SM.getExpansionLoc(Where));
  for (llvm::StringRef Line : directiveLines(Where, SM)) {
    llvm::StringRef Text = SM.getBufferData(File);
    // What follows a dash is for people.
    Line = Line.split(" - ").first;
    bool Marker = Line.trim().starts_with("pipelined");
    for (const PlacedWord &Word : placedWords(Line)) {
      if (Marker && Word.Text != "pipelined")
        break;
      SourceLocation At =
          SM.getComposedLoc(File, Line.data() - Text.data() + Word.At);
      if (!D.add(Word.Text))
        D.NotUnderstood.push_back({At, whyNoDirective(Word.Text)});
    }
  }
  return D;
}

SourceLocation beginOf(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  if (const FunctionTemplateDecl *T = F->getDescribedFunctionTemplate())
    return T->getBeginLoc();
  return F->getOuterLocStart();
}

Directives directivesOf(const FunctionDecl *F, const ASTContext &Context) {
  return directivesAbove(beginOf(F), Context);
}

bool saysDirectives(llvm::StringRef Words) {
  const std::vector<PlacedWord> All = placedWords(Words.split(" - ").first);
  DirectiveWords D;
  return !All.empty() &&
         llvm::all_of(All, [&](const PlacedWord &W) { return D.add(W.Text); });
}

Directives merge(const Directives &Kernel, const Directives &Loop) {
  Directives D{overlay(Kernel, Loop), Loop.NotUnderstood};
  D.NotUnderstood.insert(D.NotUnderstood.end(), Kernel.NotUnderstood.begin(),
                         Kernel.NotUnderstood.end());
  return D;
}

} // namespace kpipe
