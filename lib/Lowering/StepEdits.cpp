// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StepEdits.h. Text that may hold a comment or a directive stays where it
// is.
#include "StepEdits.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace kpipe {

void StepEdits::drop(Range R) {
  const bool Comment = Source->trailingComment(R.End) != R.End;
  unsigned End = R.End;
  while (Comment && llvm::isSpace(Source->all()[End]))
    ++End;
  replace({R.Begin, End}, Comment ? "" : GoneMark.str());
}

std::optional<std::string> StepEdits::movable(Range R) const {
  const llvm::StringRef Text = Source->at(R);
  if (Text.contains('#') || Text.contains('\n') || Text.contains("//") ||
      Text.contains("/*"))
    return std::nullopt;
  return Text.str();
}

bool StepEdits::braces(Range One, const Stmt *Around, const std::string &Text,
                       const std::string &Behind) {
  const std::string Step = "  ";
  const unsigned Line = Source->lineStart(One.Begin);
  const bool OwnLine = Source->skipSpaceAndComments(Line) == One.Begin;
  if (Source->at(One).contains('\n') || Source->at(One).contains('#') ||
      isa<IfStmt>(Around))
    return fail();
  const std::string Inside = Text.empty() ? Source->at(One).str() : Text;
  const int Deeper = OwnLine ? 0 : int(Step.size());
  std::string All = Inside + Behind;
  for (size_t At = 0; Deeper && (At = All.find(lineMark(0), At)) != All.npos;)
    All.replace(At, lineMark(0).size(), lineMark(Deeper));
  if (!OwnLine) {
    replace(One, "{" + lineMark(Deeper) + All + lineMark(0) + "}");
    return true;
  }
  // The brace opens where the line above ends.
  unsigned End = Line;
  while (End && llvm::isSpace(Source->all()[End - 1]))
    --End;
  auto Right = Source->offset(
      isa<ForStmt>(Around)     ? cast<ForStmt>(Around)->getRParenLoc()
      : isa<WhileStmt>(Around) ? cast<WhileStmt>(Around)->getRParenLoc()
                               : SourceLocation());
  const size_t Own = Source->indentation(One.Begin).size(),
               Of = Source->indentation(Around).size();
  if (!Right || *Right + 1 != End || Own < Of)
    return fail();
  Edits.insert({End, 0, " {"});
  replace(One, All + lineMark(int(Of) - int(Own)) + "}");
  return true;
}

std::string DeclaredTexts::without(size_t Of) const {
  std::string Text = Type;
  bool Any = false;
  for (size_t I = 0; I != Each.size(); ++I)
    if (I != Of) {
      Text += (Any ? ", " : "") + Each[I];
      Any = true;
    }
  return Text;
}

std::optional<DeclaredTexts> declaredTexts(const DeclStmt *D,
                                           const StepEdits &In) {
  DeclaredTexts Texts;
  auto Begin = In.Source->offset(D->getBeginLoc());
  for (const Decl *One : D->decls()) {
    const auto *V = cast<VarDecl>(One);
    auto Name = In.Source->offset(V->getLocation());
    auto Value = In.Source->expression(V->getInit());
    if (!Begin || !Name || !Value || *Name < *Begin || Value->End < *Name)
      return std::nullopt;
    if (Texts.Each.empty()) {
      auto Type = In.movable({*Begin, *Name});
      if (!Type)
        return std::nullopt;
      Texts.Type = *Type;
    }
    auto Text = In.movable({*Name, Value->End});
    if (!Text)
      return std::nullopt;
    Texts.Each.push_back(*Text);
  }
  return Texts;
}

} // namespace kpipe
