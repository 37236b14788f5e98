// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind a `continue` becomes the other branch of its condition. See
// PlainJumps.h; for breaks, EndingBreaks.h.
#include "PlainJumps.h"
#include "BarrierLoops.h"
#include "Code/Jumps.h"
#include "EndingBreaks.h"
#include "LoweredBody.h"
#include "NegatedText.h"
#include "SingleStage.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

using Statements = llvm::ArrayRef<const Stmt *>;

/// A condition whose branch ends the turn of the loop around it.
struct Skip {
  const IfStmt *If = nullptr;
  const ContinueStmt *Jump = nullptr;
  bool Alone = false; ///< the branch does nothing else
};

Skip skipOf(const Stmt *S) {
  Skip Of;
  Of.If = plainIf(S);
  if (!Of.If || !isScalarCondition(Of.If->getCond()))
    return {};
  const Stmt *Then = Of.If->getThen();
  const auto *Block = dyn_cast<CompoundStmt>(Then);
  Of.Alone = !Block || Block->size() == 1;
  if (Block && Block->body_empty())
    return {};
  Of.Jump = dyn_cast<ContinueStmt>(Block ? Block->body_back() : Then);
  if (!Of.Jump || Of.Jump->getBeginLoc().isMacroID())
    return {};
  if (Block && llvm::any_of(Block->body(), [&](const Stmt *One) {
        return One != Of.Jump && findJumpIn(One);
      }))
    return {};
  return Of;
}

/// The loops in the body of a tile loop.
class SkipWriter {
public:
  SkipWriter(const SourceText *Source) : Source(Source) {}

  /// \returns whether a jump goes, or may go.
  bool inner(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    bool Any = false;
    if (isLoop(S) && !isa<CXXForRangeStmt>(S) && !hasBarrier(S) &&
        fillsTile(S) && !isEntered(bodyOf(S)))
      if (const auto *Body = dyn_cast<CompoundStmt>(bodyOf(S)))
        Any |= list(Statements(Body->body_begin(), Body->size()));
    for (const Stmt *Child : S->children())
      Any |= inner(Child);
    return Any;
  }

  /// What the tile loop itself does behind its last barrier.
  bool outer(const Stmt *Loop) {
    const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
    if (!Body || isEntered(Body))
      return false;
    Statements All(Body->body_begin(), Body->size());
    size_t From = All.size();
    while (From != 0 && !hasBarrier(All[From - 1]))
      --From;
    return From != 0 && list(All.drop_front(From));
  }

  /// Edits, and nothing if one of them cannot be made.
  std::optional<std::set<Edit>> edits() {
    if (Failed)
      return std::nullopt;
    std::set<Edit> All = Edits;
    for (auto &[At, Text] : Inserted)
      if (llvm::none_of(Edits, [&, At = At](const Edit &E) {
            return E.Offset <= At && At < E.Offset + E.Length;
          }))
        All.insert({At, 0, Text});
    return All;
  }

private:
  const SourceText *Source;
  std::set<Edit> Edits;
  /// Braces and indentation, by their place.
  std::map<unsigned, std::string> Inserted;
  bool Failed = false;

  bool list(Statements Body) {
    bool Any = false;
    for (size_t I = 0; I + 1 < Body.size(); ++I) {
      const Skip Of = skipOf(Body[I]);
      if (!Of.If)
        continue;
      Any = true;
      if (Source && !Failed)
        Failed = !write(Of, Body.drop_front(I + 1));
    }
    return Any;
  }

  /// Text that moves into a branch.
  bool mayMove(Range R) const {
    llvm::StringRef Text = Source->at(R);
    return !Text.contains('#') && !Text.contains("R\"") &&
           !Text.contains("\\\n");
  }

  bool write(const Skip &Of, Statements Rest) {
    const Range If = Source->statement(Of.If);
    const Range Last = Source->statement(Rest.back());
    const Range All{If.Begin, Last.End};
    if (Last.End <= If.End || !mayMove(All) ||
        Source->expansionOffset(Of.If->getBeginLoc()) != If.Begin)
      return false;
    if (auto Text = withLoadFirst(Of, All, Rest)) {
      Edits.insert({All.Begin, All.size(), std::move(*Text)});
      return true;
    }
    if (!(Of.Alone ? negate(Of, If, Rest) : addElse(Of)))
      return false;
    const std::string Step = stepOf(Of.If);
    if (!Of.Alone || needsBraces(Rest))
      Inserted[Last.End] += " " + closeMark(Step.size()) +
                            "}";
    indent({If.End, Last.End}, Step);
    return true;
  }

  static bool assigns(const Stmt *S) {
    if (const auto *Whole = dyn_cast<ExprWithCleanups>(S))
      S = Whole->getSubExpr();
    const auto *B = dyn_cast<BinaryOperator>(S);
    const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
    return (B && B->isAssignmentOp()) || (C && C->isAssignmentOp());
  }

  /// One store on each way: `if (!c) load; else zero;` is a copy with a fill.
  std::optional<std::string> withLoadFirst(const Skip &Of, Range All,
                                           Statements Rest) const {
    const auto *Block = dyn_cast<CompoundStmt>(Of.If->getThen());
    auto Negated = negated(Of.If->getCond(), *Source);
    if (!Negated || !Block || Block->size() != 2 || Rest.size() != 1 ||
        !assigns(Block->body_front()) || !assigns(Rest.front()))
      return std::nullopt;
    llvm::StringRef Whole = Source->at(All);
    const llvm::StringRef Fill =
        Source->at(Source->statement(Block->body_front()));
    const llvm::StringRef Load = Source->at(Source->statement(Rest.front()));
    if (Whole.contains("//") || Whole.contains("/*") || Fill.contains('\n') ||
        Load.contains('\n'))
      return std::nullopt;
    const std::string If = "if (" + Negated->Text + ")";
    const std::string Line = "\n" + Source->indentation(Of.If).str();
    const size_t Breaks = Whole.count('\n');
    if (Breaks < 3)
      return (If + " " + Load + (Breaks ? Line : " ") + "else " + Fill).str();
    const std::string Inner = Line + stepOf(Of.If);
    return (If + Inner + Load + Line + "else" + Inner + Fill).str();
  }

  static bool needsBraces(Statements Rest) {
    return Rest.size() != 1 || !isa<Expr, ForStmt>(Rest.front());
  }

  /// `if (c) continue;` becomes `if (!c) {`.
  bool negate(const Skip &Of, Range If, Statements Rest) {
    auto Negated = negated(Of.If->getCond(), *Source);
    if (!Negated)
      return false;
    Edits.insert({If.Begin, If.size(),
                  "if (" + Negated->Text + ")" +
                      (needsBraces(Rest) ? " {" : "")});
    return true;
  }

  bool addElse(const Skip &Of) {
    const auto *Block = cast<CompoundStmt>(Of.If->getThen());
    const Range Jump = Source->statement(Of.Jump);
    auto End = Source->offset(Block->getRBracLoc());
    if (!End || Jump.End > *End)
      return false;
    Edits.insert({Jump.Begin, Jump.size(), GoneMark.str()});
    Inserted[*End + 1] += " else {";
    return true;
  }

  /// By what the body of a branch is indented.
  std::string stepOf(const IfStmt *I) const {
    llvm::StringRef Own = Source->indentation(I);
    const Stmt *Then = I->getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Then))
      Then = Block->body_front();
    llvm::StringRef Inner = Source->indentation(Then);
    return Inner.consume_front(Own) && !Inner.empty() ? Inner.str() : "  ";
  }

  void indent(Range R, llvm::StringRef Step) {
    for (unsigned At = Source->lineEnd(R.Begin) + 1; At < R.End;
         At = Source->lineEnd(At) + 1)
      if (Source->lineEnd(At) > At)
        Inserted[At].insert(0, Step);
  }
};

} // namespace

bool mayLoseJumps(const FunctionDecl *Body) {
  bool Any = false;
  BarrierLoops([&](const Stmt *Loop) {
    Any = Any || hasEndingBreak(Loop, Body) ||
          SkipWriter(nullptr).inner(bodyOf(Loop)) ||
          SkipWriter(nullptr).outer(Loop);
  }).TraverseStmt(Body->getBody());
  return Any;
}

std::vector<OpenedLoop>
loopsWithoutJumps(const FunctionDecl *Body, const SourceText &Source,
                  llvm::function_ref<bool(const Stmt *)> MayTouch) {
  std::vector<OpenedLoop> All;
  BarrierLoops([&](const Stmt *Loop) {
    if (!MayTouch(Loop))
      return;
    OpenedLoop One{Loop, {}};
    if (auto Edits = breakAsCondition(Loop, Body, Source))
      One.Edits = std::move(*Edits);
    SkipWriter Skips(&Source);
    const bool Inner = Skips.inner(bodyOf(Loop));
    if (Skips.outer(Loop) || Inner)
      if (auto Edits = Skips.edits())
        One.Edits.insert(Edits->begin(), Edits->end());
    if (!One.Edits.empty())
      All.push_back(std::move(One));
  }).TraverseStmt(Body->getBody());
  return All;
}

} // namespace kpipe
