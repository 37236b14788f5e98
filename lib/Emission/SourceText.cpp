// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of a source file, see SourceText.h.

#include "SourceText.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

SourceText::SourceText(const ASTContext &Context, FileID File)
    : Context(Context), SM(Context.getSourceManager()), File(File),
      Text(SM.getBufferData(File)) {}

std::optional<unsigned> SourceText::offset(SourceLocation Loc) const {
  if (Loc.isMacroID()) {
    if (!SM.isMacroArgExpansion(Loc))
      return std::nullopt;
    Loc = SM.getSpellingLoc(Loc);
  }
  auto [F, Offset] = SM.getDecomposedLoc(Loc);
  if (F != File)
    return std::nullopt;
  return Offset;
}

unsigned SourceText::expansionOffset(SourceLocation Loc) const {
  return SM.getDecomposedLoc(SM.getExpansionLoc(Loc)).second;
}

unsigned SourceText::tokenEnd(unsigned Offset) const {
  SourceLocation Loc = SM.getComposedLoc(File, Offset);
  return Offset +
         Lexer::MeasureTokenLength(Loc, SM, Context.getLangOpts());
}

unsigned SourceText::skipSpaceAndComments(unsigned Offset) const {
  for (;;) {
    while (Offset < Text.size() && llvm::isSpace(Text[Offset]))
      ++Offset;
    llvm::StringRef Rest = Text.substr(Offset);
    if (Rest.starts_with("//"))
      Offset = lineEnd(Offset);
    else if (Rest.starts_with("/*")) {
      size_t End = Rest.find("*/");
      Offset = End == llvm::StringRef::npos ? Text.size() : Offset + End + 2;
    } else
      return Offset;
  }
}

/// Does a statement end with an expression, after which a semicolon stands? The
/// expression may end with a brace, as a block does.
static bool endsAsExpression(const Stmt *S) {
  while (true) {
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      S = A->getSubStmt();
    else if (const auto *L = dyn_cast<LabelStmt>(S))
      S = L->getSubStmt();
    else if (const auto *I = dyn_cast<IfStmt>(S))
      S = I->getElse() ? I->getElse() : I->getThen();
    else if (const auto *F = dyn_cast<ForStmt>(S))
      S = F->getBody();
    else if (const auto *W = dyn_cast<WhileStmt>(S))
      S = W->getBody();
    else
      return isa<Expr, ReturnStmt>(S);
  }
}

Range SourceText::statement(const Stmt *S) const {
  CharSourceRange Expanded = SM.getExpansionRange(S->getSourceRange());
  Range R;
  R.Begin = SM.getDecomposedLoc(Expanded.getBegin()).second;
  R.End = SM.getDecomposedLoc(Expanded.getEnd()).second;
  if (Expanded.isTokenRange())
    R.End = tokenEnd(R.End);
  // An attribute written as a pragma: the statement begins with the pragma.
  llvm::StringRef Line = Text.slice(lineStart(R.Begin), R.Begin).ltrim();
  if (Line.starts_with("#"))
    R.Begin = lineStart(R.Begin) +
              (Text.slice(lineStart(R.Begin), R.Begin).size() - Line.size());
  unsigned Next = skipSpaceAndComments(R.End);
  bool Closed = R.End > R.Begin &&
                (Text[R.End - 1] == ';' ||
                 (Text[R.End - 1] == '}' && !endsAsExpression(S)));
  if (!Closed && Next < Text.size() && Text[Next] == ';')
    R.End = Next + 1;
  return R;
}

std::optional<Range> SourceText::expression(const Expr *E) const {
  CharSourceRange C = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), SM,
      Context.getLangOpts());
  if (C.isInvalid())
    return std::nullopt;
  auto [F, Begin] = SM.getDecomposedLoc(C.getBegin());
  auto [G, End] = SM.getDecomposedLoc(C.getEnd());
  if (F != File || G != File || End < Begin)
    return std::nullopt;
  return Range{Begin, End};
}

std::string SourceText::text(const Expr *E) const {
  auto R = expression(E);
  return R ? at(*R).str() : std::string();
}

bool SourceText::isStatement(Range R) const {
  unsigned Next = skipSpaceAndComments(R.End);
  if (Next >= Text.size() || Text[Next] != ';')
    return false;
  llvm::StringRef Before = Text.take_front(R.Begin).rtrim();
  return !Before.ends_with(",") && !Before.ends_with("(");
}

unsigned SourceText::lineStart(unsigned Offset) const {
  size_t At = Text.rfind('\n', Offset);
  // rfind looks at Offset itself as well, which may be the line's own end.
  if (At == Offset)
    At = Offset == 0 ? llvm::StringRef::npos : Text.rfind('\n', Offset - 1);
  return At == llvm::StringRef::npos ? 0 : At + 1;
}

unsigned SourceText::lineEnd(unsigned Offset) const {
  size_t At = Text.find('\n', Offset);
  return At == llvm::StringRef::npos ? Text.size() : At;
}

llvm::StringRef SourceText::indentation(const Stmt *S) const {
  while (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt();
  return indentation(expansionOffset(S->getBeginLoc()));
}

llvm::StringRef SourceText::indentation(unsigned Offset) const {
  unsigned Start = lineStart(Offset);
  return Text.substr(Start).take_while(
      [](char C) { return C == ' ' || C == '\t'; });
}

unsigned SourceText::trailingComment(unsigned Offset) const {
  llvm::StringRef Rest = Text.slice(Offset, lineEnd(Offset));
  llvm::StringRef Trimmed = Rest.ltrim(" \t");
  unsigned At = Offset + (Rest.size() - Trimmed.size());
  if (Trimmed.starts_with("//")) {
    unsigned End = lineEnd(Offset);
    // Lines below that only go on with an aligned comment belong to it.
    for (;;) {
      unsigned Start = std::min<unsigned>(End + 1, Text.size());
      llvm::StringRef Below = Text.slice(Start, lineEnd(Start));
      llvm::StringRef Comment = Below.ltrim(" \t");
      if (!Comment.starts_with("//") ||
          Below.size() - Comment.size() != At - lineStart(Offset))
        return End;
      End = lineEnd(Start);
    }
  }
  if (Trimmed.starts_with("/*")) {
    size_t End = Trimmed.find("*/");
    if (End != llvm::StringRef::npos &&
        Trimmed.drop_front(End + 2).trim().empty())
      return At + End + 2;
  }
  return Offset;
}

std::string SourceText::edited(Range R, llvm::ArrayRef<Edit> Edits) const {
  std::vector<Edit> Inside;
  for (const Edit &E : Edits)
    if (E.Offset >= R.Begin && E.Offset + E.Length <= R.End)
      Inside.push_back(E);
  std::stable_sort(Inside.begin(), Inside.end(),
                   [](const Edit &A, const Edit &B) {
                     return A.Offset < B.Offset;
                   });
  std::string Out;
  unsigned At = R.Begin;
  for (const Edit &E : Inside) {
    if (E.Offset < At)
      continue; // inside a larger replacement
    Out += Text.slice(At, E.Offset);
    Out += E.Text;
    At = E.Offset + E.Length;
  }
  Out += Text.slice(At, R.End);
  return Out;
}

/// How wide white space is, with a tab stop every eight columns.
static unsigned columns(llvm::StringRef Space) {
  unsigned Column = 0;
  for (char C : Space)
    Column = C == '\t' ? Column / 8 * 8 + 8 : Column + 1;
  return Column;
}

std::string reindent(llvm::StringRef Text, llvm::StringRef From,
                     llvm::StringRef To) {
  std::string Out;
  bool First = true;
  for (llvm::StringRef Line : llvm::split(Text, '\n')) {
    if (!First)
      Out += '\n';
    First = false;
    if (Line.trim().empty())
      continue;
    if (Line.starts_with("#")) {
      Out += Line.rtrim();
      continue;
    }
    // Tabs here and blanks there: what counts is where the text stands.
    unsigned Deeper = 0;
    if (!Line.consume_front(From)) {
      llvm::StringRef Text = Line.ltrim(" \t");
      unsigned Column = columns(Line.drop_back(Text.size()));
      Deeper = Column - std::min(Column, columns(From));
      Line = Text;
    }
    Out += To;
    Out.append(Deeper, ' ');
    Out += Line.rtrim();
  }
  return Out;
}

llvm::StringSet<> wordsOf(llvm::StringRef Text) {
  llvm::StringSet<> Words;
  for (size_t I = 0; I < Text.size();) {
    auto InWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
    if (!InWord(Text[I])) {
      ++I;
      continue;
    }
    llvm::StringRef Word = Text.substr(I).take_while(InWord);
    Words.insert(Word);
    I += Word.size();
  }
  return Words;
}

/// \param Members those behind `.`, `->` or `::` as well.
static llvm::StringSet<>
identifiersOf(llvm::StringRef Code, const LangOptions &Language, bool Members) {
  llvm::StringSet<> Found;
  std::string Text = Code.str(); // the lexer wants a final null
  Lexer Lex(SourceLocation(), Language, Text.data(), Text.data(),
            Text.data() + Text.size());
  Token T;
  bool Member = false; // of what stands in front
  while (!Lex.LexFromRawLexer(T) || T.isNot(tok::eof)) {
    if (T.is(tok::raw_identifier) && !Member)
      Found.insert(T.getRawIdentifier());
    Member = !Members && T.isOneOf(tok::period, tok::arrow, tok::coloncolon);
  }
  return Found;
}

llvm::StringSet<> identifiersOf(llvm::StringRef Code,
                                const LangOptions &Language) {
  return identifiersOf(Code, Language, /*Members=*/false);
}

llvm::StringSet<> takenWords(const SourceText &Source) {
  const ASTContext &Context = Source.context();
  const SourceManager &SM = Context.getSourceManager();
  // A name that only comments have is free.
  llvm::StringSet<> Words = identifiersOf(Source.all(), Context.getLangOpts(),
                                          /*Members=*/true);
  const unsigned Count = SM.local_sloc_entry_size();
  for (unsigned I = 0; I != Count; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isExpansion() || Entry.getExpansion().isMacroArgExpansion() ||
        !SM.isInFileID(
            SM.getExpansionLoc(Entry.getExpansion().getExpansionLocStart()),
            Source.file()))
      continue;
    bool Invalid = false;
    const char *Spelled =
        SM.getCharacterData(Entry.getExpansion().getSpellingLoc(), &Invalid);
    unsigned End = I + 1 == Count ? SM.getNextLocalOffset()
                                  : SM.getLocalSLocEntry(I + 1).getOffset();
    if (!Invalid)
      for (const auto &Word : wordsOf(
               llvm::StringRef(Spelled, End - Entry.getOffset() - 1)))
        Words.insert(Word.first());
  }
  return Words;
}

} // namespace kpipe
