// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of regions, see Regions.h.

#include "Regions.h"
#include "ArgumentLists.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "DroppedVariables.h"
#include "ElseBraces.h"
#include "HelperNames.h"
#include "Unroll.h"
#include "kpipe/Refusal.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Regions::Regions(const TileLoop &Loop, const PipelinePlan &Plan,
                 const SourceText &Source, const Staging &Registers,
                 llvm::ArrayRef<Edit> Mentions, std::string Unit,
                 llvm::ArrayRef<HelperUse> Helpers, RuntimeCalls &Calls)
    : Loop(Loop), Plan(Plan), Source(Source), Mentions(Mentions), Unit(Unit),
      Helpers(Helpers),
      Needs(Loop, Plan, Source, Helpers),
      CopyStatements(Loop, Plan, Source, Registers, Mentions, std::move(Unit),
                     Calls, Failure) {
  const SourceManager &SM = Source.context().getSourceManager();
  if (SM.isInFileID(SM.getExpansionLoc(Loop.Loop->getBeginLoc()),
                    Source.file()))
    cut();
}

llvm::Error Regions::failure() const {
  RuleId About = Failure.is(msg::several_copies_in_statement)
                     ? RuleId::RegisterShape
                 : Failure.is(msg::conditions_between_statements)
                     ? RuleId::Preprocessor
                     : RuleId::MacroText;
  return llvm::make_error<Refusal>(About, Failure);
}

void Regions::cut() {
  const auto *Block = cast<CompoundStmt>(bodyOf(Loop.Loop));
  unsigned At =
      Source.tokenEnd(Source.expansionOffset(Block->getLBracLoc()));
  At = Source.trailingComment(At);
  for (const BodyItem &I : Loop.Body) {
    Range Code = Source.statement(I.S);
    Code.End = Source.trailingComment(Code.End);
    if (Code.Begin < At) {
      // `;;` and macros that hold several statements at once.
      if (isa<NullStmt>(I.S))
        continue;
      Failure = {msg::several_statements_in_macro};
      Code.Begin = At;
    }
    // `a = b SEMI`: the text in front of the macro is no statement.
    if (isa<Expr>(I.S) && !I.S->getEndLoc().isMacroID() &&
        !Source.at(Source.statement(I.S)).ends_with(";"))
      Failure = {msg::statement_ends_in_macro};
    Pieces.push_back({&I, {At, Code.Begin}, Code});
    At = Code.End;
  }
  for (const Piece &P : Pieces)
    for (llvm::StringRef Line : llvm::split(Source.at(P.Gap), '\n')) {
      llvm::StringRef L = Line.ltrim();
      if (L.consume_front("#") &&
          (L.ltrim().starts_with("if") || L.ltrim().starts_with("el") ||
           L.ltrim().starts_with("endif") || L.ltrim().starts_with("define") ||
           L.ltrim().starts_with("undef")))
        Failure = {msg::conditions_between_statements};
    }
}

bool Regions::hasRegisterCopy(const Stmt *S) const {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Regions &R;
    bool Found = false;
    explicit Finder(const Regions &R) : R(R) {}
    bool VisitExpr(const Expr *E) override {
      for (unsigned I = 0; I != R.Loop.Copies.size(); ++I)
        Found |= R.Loop.Copies[I].Store == E &&
                 R.Loop.Copies[I].HelperCall == R.Within &&
                 R.Plan.Copies[I].Way == Route::Registers;
      return true;
    }
  } F(*this);
  F.TraverseStmt(S);
  return F.Found;
}

void Regions::keepCompound(const CompoundStmt *C, Half Which,
                           std::vector<Edit> &Edits, bool &Any) {
  unsigned At = Source.tokenEnd(Source.expansionOffset(C->getLBracLoc()));
  for (const Stmt *Child : C->body()) {
    Range Code = Source.statement(Child);
    Code.End = Source.trailingComment(Code.End);
    if (Code.Begin < At)
      continue;
    std::vector<Edit> Inner;
    bool Kept = keep(Child, Which, Inner);
    Range Gap{At, Code.Begin};
    if (!Kept) {
      Edits.push_back({At, Code.End - At, ""});
    } else {
      Any |= !HalfNeeds::declaresNoVariable(Child);
      bool Commented = !Source.at(Gap).trim().empty() &&
                       !markedDepth(Source.at(Gap).rtrim(" \t"));
      if (Which == Half::Store && Commented)
        Edits.push_back({Gap.Begin, Gap.size(),
                         "\n" + Source.indentation(Code.Begin).str()});
      Edits.insert(Edits.end(), Inner.begin(), Inner.end());
    }
    At = Code.End;
  }
}

/// True if the statement has something to do in this half; Edits then turn it
/// into what it does there.
bool Regions::keep(const Stmt *S, Half Which, std::vector<Edit> &Edits) {
  EndsOpen = false;
  if (!S)
    return false;
  if (Loop.Bulk) {
    // Issued as it is written; by the producer, whoever the author chose.
    if (Plan.Producer && S == Loop.Bulk->Issue)
      dropCondition(*cast<IfStmt>(S), Edits);
    return true;
  }
  for (unsigned I = 0; I != Loop.Copies.size(); ++I)
    if (Loop.Copies[I].IfElse == S && Loop.Copies[I].HelperCall == Within)
      return CopyStatements.keep(I, Which, Edits);
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return keep(A->getSubStmt(), Which, Edits);
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    bool Any = false;
    keepCompound(C, Which, Edits, Any);
    EndsOpen = false;
    return Any;
  }
  if (const auto *F = Needs.takenApart(S, Within)) {
    std::vector<Edit> Inner;
    if (!keep(F->getBody(), Which, Inner))
      return false;
    if (hasRegisterCopy(F))
      EndsOpen |= CopyStatements.count(*F, Edits);
    Edits.insert(Edits.end(), Inner.begin(), Inner.end());
    return true;
  }
  if (const auto *I = dyn_cast<IfStmt>(S))
    return keepBranches(*I, Which, Edits);
  return keepLeaf(S, Which, Edits);
}

void Regions::dropCondition(const IfStmt &I, std::vector<Edit> &Edits) {
  auto From = Source.offset(I.getIfLoc());
  const Range Then = Source.statement(I.getThen());
  if (!From || I.getThen()->getBeginLoc().isMacroID() || *From > Then.Begin)
    Failure = {msg::branches_in_macro};
  else
    Edits.push_back({*From, Then.Begin - *From, ""});
}

bool Regions::keepBranches(const IfStmt &I, Half Which,
                           std::vector<Edit> &Edits) {
  std::vector<Edit> Then, Else;
  bool KeepThen = keep(I.getThen(), Which, Then), ThenEndsOpen = EndsOpen;
  bool KeepElse = keep(I.getElse(), Which, Else);
  if (!KeepThen && !KeepElse)
    return false;
  if (KeepThen) {
    if (KeepElse && ThenEndsOpen && !braceBranches(I, Source, Unit, Then, Else))
      Failure = {msg::branches_in_macro};
    Edits.insert(Edits.end(), Then.begin(), Then.end());
  } else {
    Range R = Source.statement(I.getThen());
    Edits.push_back(
        {R.Begin, R.size(), "{\n" + Source.indentation(R.Begin).str() + "}"});
  }
  if (KeepElse) {
    Edits.insert(Edits.end(), Else.begin(), Else.end());
    return true;
  }
  EndsOpen = true;
  if (I.getElse()) {
    unsigned From = Source.statement(I.getThen()).End;
    Edits.push_back({From, Source.statement(I.getElse()).End - From, ""});
  }
  return true;
}

/// Are the copies the operands of commas, with nothing else between them?
bool Regions::areJoined(const Stmt *S, const CopiesIn &Found) const {
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false;
  E = E->IgnoreParens();
  if (const auto *F = dyn_cast<FullExpr>(E))
    E = F->getSubExpr()->IgnoreParens();
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Comma)
    return areJoined(B->getLHS(), Found) && areJoined(B->getRHS(), Found);
  return llvm::any_of(Found.Copies, [&](unsigned I) {
    return Loop.Copies[I].Store == E && !Loop.Copies[I].FillStore;
  });
}

bool Regions::keepLeaf(const Stmt *S, Half Which, std::vector<Edit> &Edits) {
  CopiesIn Found = Needs.copiesIn(S, Within);
  if (Found.Call)
    return keepHelper(Found.Call, Which, Edits);
  if (Found.Copies.empty()) {
    if (!Needs.keepsLeaf(S, Which))
      return false;
    if (const auto *D = dyn_cast<DeclStmt>(S); D && Needs.keepsFewer(*D, Which))
      dropVariables(
          *D, [&](const VarDecl *V) { return Needs.doesWithout(V, Which); },
          Source, Edits);
    return true;
  }
  if (Found.Copies.size() > 1 && Plan.hasRoute(Route::Registers) &&
      !areJoined(S, Found))
    Failure = {msg::several_copies_in_statement};
  bool Any = false;
  for (unsigned I : Found.Copies)
    Any |= CopyStatements.keep(I, Which, Edits);
  return Any;
}

/// A call of a helper becomes a call of its clone for this half.
bool Regions::keepHelper(const CallExpr *Call, Half Which,
                         std::vector<Edit> &Edits) {
  for (const HelperUse &U : Helpers) {
    if (U.Call != Call)
      continue;
    if (U.name(Which).empty())
      return false;
    auto Renamed = renamedCall(Call, U.Qualifier + U.name(Which), Source);
    auto Arguments = argumentList(Call, Source);
    if (!Renamed || !Arguments) {
      Failure = {msg::helper_call_in_macro};
      return true;
    }
    Edits.push_back(std::move(*Renamed));
    llvm::append_range(Edits, editList(*Arguments, U.unused(Which),
                                       tileParameter(Call->getDirectCallee()),
                                       U.TileVar));
    return true;
  }
  return true;
}

llvm::Expected<std::string> Regions::helperBody(const FunctionDecl *Helper,
                                                const CallExpr *Call,
                                                Half Which) {
  Within = Call;
  std::vector<Edit> Edits;
  keep(Helper->getBody(), Which, Edits);
  Within = nullptr;
  if (!Failure.empty())
    return failure();
  return Source.edited(Source.statement(Helper->getBody()), Edits);
}

bool Regions::blankLine(Range Gap) const {
  llvm::StringRef T = Source.at(Gap);
  size_t First = T.find('\n');
  while (First != llvm::StringRef::npos) {
    size_t Next = T.find('\n', First + 1);
    if (Next == llvm::StringRef::npos)
      return false;
    if (T.slice(First, Next).trim().empty())
      return true;
    First = Next;
  }
  return false;
}

std::string Regions::comments(Range Gap, llvm::StringRef From,
                              llvm::StringRef Indent) const {
  llvm::StringRef Text = Source.at(Gap);
  // Whole lines only: the gap begins at the end of a line.
  llvm::StringRef Trimmed = Text.trim();
  if (Trimmed.empty())
    return {};
  size_t Start = Text.find_first_not_of("\r\n");
  while (Start != llvm::StringRef::npos) {
    size_t End = Text.find('\n', Start);
    if (!Text.slice(Start, End).trim().empty())
      break;
    Start = End == llvm::StringRef::npos ? End : End + 1;
  }
  return reindent(Text.substr(Start).rtrim(), From, Indent) + "\n";
}

/// A statement's text with edits, in its new place. A pragma that begins it is
/// the author's, which may stand in the first column, or as far right as its
/// loop.
std::string Regions::moved(const Piece &P, llvm::ArrayRef<Edit> Edits,
                           llvm::StringRef From, llvm::StringRef To) const {
  std::string Text = Source.edited(P.Code, Edits);
  if (llvm::StringRef(Text).starts_with("#"))
    Text.insert(0, Source.indentation(P.Code.Begin).str());
  return reindent(Text, From, To);
}

llvm::Expected<std::string> Regions::load(Half Which, llvm::StringRef Indent) {
  std::string Out;
  for (const Piece &P : Pieces) {
    if (!P.Item->InLoad)
      continue;
    std::vector<Edit> Edits;
    if (!keep(P.Item->S, Which, Edits))
      continue;
    std::string From = Source.indentation(P.Item->S).str();
    if (Which == Half::Ahead) {
      if (!Out.empty() && blankLine(P.Gap))
        Out += "\n";
      Out += comments(P.Gap, From, Indent);
    }
    // At one place a mention comes first: its edit belongs to what is before.
    // In what is replaced it goes with the text; as mentions stand in closures
    // and argument lists, none of them begins or ends what is. An argument that
    // is left out takes its mentions with it.
    std::vector<Edit> Named;
    llvm::copy_if(Mentions, std::back_inserter(Named), [&](const Edit &M) {
      return llvm::none_of(Edits, [&](const Edit &E) {
        return E.Text.empty() && E.Offset <= M.Offset &&
               M.Offset < E.Offset + E.Length;
      });
    });
    Edits.insert(Edits.begin(), Named.begin(), Named.end());
    Out += moved(P, Edits, From, Indent) + "\n";
  }
  if (!Failure.empty())
    return failure();
  return Out;
}

llvm::Expected<std::string> Regions::compute(llvm::StringRef Indent) {
  std::string Out;
  bool Behind = false;
  for (const Piece &P : Pieces) {
    if (P.Item->S == Loop.LoadBarrier)
      Behind = true;
    if (!P.Item->InCompute)
      continue;
    std::string From = Source.indentation(P.Item->S).str();
    if (!Out.empty() && blankLine(P.Gap))
      Out += "\n";
    if (Behind || !P.Item->InLoad)
      Out += comments(P.Gap, From, Indent);
    std::vector<Edit> Edits = unrollCompute(Loop, Plan, Source);
    Edits.insert(Edits.begin(), Mentions.begin(), Mentions.end());
    Out += moved(P, Edits, From, Indent) + "\n";
  }
  if (!Failure.empty())
    return failure();
  return Out;
}

std::string Regions::hoisted(llvm::StringRef Indent,
                             llvm::ArrayRef<Edit> Edits) {
  std::string Out;
  for (const Piece &P : Pieces) {
    if (!P.Item->SharedDecl)
      continue;
    std::string From = Source.indentation(P.Item->S).str();
    Out += comments(P.Gap, From, Indent);
    Out += moved(P, Edits, From, Indent) + "\n";
  }
  return Out;
}

} // namespace kpipe
