// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces around branches and bodies, see ElseBraces.h.

#include "ElseBraces.h"

using namespace clang;

namespace kpipe {

bool endsWithElse(const Stmt *S) {
  for (;;) {
    if (const auto *I = dyn_cast<IfStmt>(S))
      return I->getElse();
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      S = A->getSubStmt();
    else if (const auto *F = dyn_cast<ForStmt>(S))
      S = F->getBody();
    else if (const auto *W = dyn_cast<WhileStmt>(S))
      S = W->getBody();
    else if (const auto *R = dyn_cast<CXXForRangeStmt>(S))
      S = R->getBody();
    else
      return false;
  }
}

/// Opens a brace behind At, where a branch's condition or `else` ends. A branch
/// on the same line gets one of its own.
static void open(unsigned At, unsigned Branch, const SourceText &Source,
                 const std::string &Indent, llvm::StringRef Unit,
                 std::vector<Edit> &Edits) {
  llvm::StringRef Gap = Source.at({At, Branch});
  if (Gap.contains('\n') || !Gap.trim().empty()) {
    Edits.insert(Edits.begin(), {At, 0, " {"});
    return;
  }
  std::string Line = "\n" + Indent + Unit.str();
  for (Edit &E : Edits) {
    if (E.Offset == Branch && llvm::StringRef(E.Text).starts_with("\n#"))
      Line.clear(); // a pragma that begins a line itself
    for (size_t Next = 0;
         (Next = E.Text.find('\n', Next)) != std::string::npos;)
      if (++Next == E.Text.size() || E.Text[Next] != '#')
        E.Text.insert(Next, Unit);
  }
  Edits.insert(Edits.begin(), {At, Branch - At, " {" + Line});
}

bool braceBranches(const IfStmt &If, const SourceText &Source,
                   llvm::StringRef Unit, std::vector<Edit> &Then,
                   std::vector<Edit> &Else) {
  auto Paren = Source.offset(If.getRParenLoc());
  auto Word = Source.offset(If.getElseLoc());
  if (!Paren || !Word)
    return false;
  Range First = Source.statement(If.getThen());
  const std::string Indent = Source.indentation(*Paren).str();
  const std::string Close = "\n" + Indent + "}";
  open(*Paren + 1, First.Begin, Source, Indent, Unit, Then);
  if (Source.at({First.End, *Word}).trim().empty())
    Then.push_back({First.End, *Word - First.End, Close + " "});
  else
    Then.push_back({Source.trailingComment(First.End), 0, Close});
  if (isa<CompoundStmt, IfStmt>(If.getElse()))
    return true;
  Range Second = Source.statement(If.getElse());
  open(Source.tokenEnd(*Word), Second.Begin, Source, Indent, Unit, Else);
  Else.push_back({Second.End, 0, Close});
  return true;
}

void guardBody(const Stmt &Body, const std::string &Guard,
               const SourceText &Source, llvm::StringRef Unit,
               std::vector<Edit> &Edits) {
  Range Whole = Source.statement(&Body);
  if (isa<CompoundStmt>(Body)) {
    Edits.push_back({Whole.Begin, 0, Guard + " "});
    return;
  }
  std::string Indent = Source.indentation(Whole.Begin).str();
  const bool Braced = endsWithElse(&Body);
  Edits.push_back(
      {Whole.Begin, 0, Guard + (Braced ? " {\n" : "\n") + Indent + Unit.str()});
  if (Braced)
    Edits.push_back({Whole.End, 0, "\n" + Indent + "}"});
}

} // namespace kpipe
