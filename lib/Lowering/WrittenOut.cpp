// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WrittenOut.h"
#include "BarrierLoops.h"
#include "CalleeText.h"
#include "Code/AstUtils.h"
#include "DiscardedBranches.h"
#include "LoweredBody.h"
#include "MacroText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is a variable in shared memory named?
bool namesShared(const Stmt *S) {
  return anyNode(S, [](const Stmt *One) {
    const auto *D = dyn_cast<DeclRefExpr>(One);
    return D && D->getDecl()->hasAttr<CUDASharedAttr>();
  });
}

/// Does a member function store to what it is called on?
bool storesToThis(const Stmt *S) {
  return anyNode(S, [](const Stmt *One) {
    const auto *E = dyn_cast<Expr>(One);
    const Expr *To = E ? assignedTo(E) : nullptr;
    return To &&
           anyNode(To, [](const Stmt *In) { return isa<CXXThisExpr>(In); });
  });
}

/// The shared variable that a member function is called on, or a part of it.
bool isCalledOnShared(const CXXMemberCallExpr *C) {
  const Expr *On = C->getImplicitObjectArgument();
  while (On) {
    On = On->IgnoreParenImpCasts();
    const auto *M = dyn_cast<MemberExpr>(On);
    if (!M)
      break;
    if (M->isArrow())
      return false;
    On = M->getBase();
  }
  const auto *D = dyn_cast_or_null<DeclRefExpr>(On);
  return D && D->getDecl()->hasAttr<CUDASharedAttr>();
}

const CallExpr *callIn(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  return E ? dyn_cast<CallExpr>(E->IgnoreImplicit()) : nullptr;
}

/// A call of what kpipe cannot clone, and that fills a tile.
bool fillsUnseen(const Stmt *S) {
  const CallExpr *C = callIn(S);
  if (!C || !C->getType()->isVoidType())
    return false;
  if (const LambdaExpr *L = closureOf(C))
    return fillsTile(L->getBody()) && !hasBarrier(L->getBody());
  const auto *M = dyn_cast<CXXMemberCallExpr>(C);
  const FunctionDecl *Defined = nullptr;
  return M && M->getMethodDecl() && M->getMethodDecl()->hasBody(Defined) &&
         isCalledOnShared(M) && storesToThis(Defined->getBody()) &&
         !hasBarrier(Defined->getBody());
}

/// `a = b = 0`: what is stored is a constant.
bool isChain(const Stmt *S) {
  const auto *Outer = dyn_cast_or_null<BinaryOperator>(S);
  if (!Outer || Outer->getOpcode() != BO_Assign)
    return false;
  const auto *Load = dyn_cast<ImplicitCastExpr>(Outer->getRHS());
  const auto *Inner =
      Load && Load->getCastKind() == CK_LValueToRValue
          ? dyn_cast<BinaryOperator>(Load->getSubExpr()->IgnoreParens())
          : nullptr;
  // A bit-field gives back what fits into it.
  if (!Inner || Inner->getOpcode() != BO_Assign || !fillsTile(Inner) ||
      Inner->getLHS()->refersToBitField() ||
      Outer->getOperatorLoc().isMacroID() ||
      Inner->getOperatorLoc().isMacroID())
    return false;
  const Expr *Value = Inner->getRHS();
  return isChain(Inner) || !anyNode(Value, [](const Stmt *One) {
           return isa<DeclRefExpr, CallExpr, CXXConstructExpr, CXXThisExpr>(
               One);
         });
}

/// The statements of a tile loop's body.
class OutWriter {
public:
  OutWriter(const FunctionDecl *Body, const Stmt *Loop,
            const SourceText *Source)
      : Body(Body), Loop(Loop), Source(Source),
        SM(Body->getASTContext().getSourceManager()) {}

  /// \returns whether anything is written out, or may be.
  bool run() {
    const Stmt *Of = bodyOf(Loop);
    if (inMacro(Of))
      return macro(Of);
    bool Any = statements(Of, /*Closures=*/false);
    if (Any && Calls)
      statements(Of, /*Closures=*/true);
    Any |= plainIfs();
    if (Any && Source)
      dropClosures();
    return Any && !Failed;
  }

  std::set<Edit> Edits;

private:
  const FunctionDecl *Body;
  const Stmt *Loop;
  const SourceText *Source;
  const SourceManager &SM;
  std::set<std::string> Made; ///< names
  std::set<const Stmt *> Done;
  unsigned Calls = 0; ///< of closures
  bool Failed = false;

  /// Walks what is a statement. \param Closures writes those out as well that
  /// only read the tile: a closure that is named has its address.
  bool statements(const Stmt *S, bool Closures, const Stmt *Around = nullptr) {
    if (!S || Done.count(S))
      return false;
    if (isLoop(S) && hasBarrier(S))
      return false; // a tile loop by itself
    if (inMacro(S))
      return macro(S);
    if (isChain(S))
      return chain(cast<BinaryOperator>(S),
                   isa_and_nonnull<CompoundStmt>(Around));
    if (fillsUnseen(S) || (Closures && readsInClosure(S)))
      return call(S, isa_and_nonnull<CompoundStmt>(Around));
    if (isa<Expr, DeclStmt>(S))
      return false;
    bool Any = false;
    for (const Stmt *Child : S->children())
      Any |= statements(Child, Closures, S);
    return Any;
  }

  static bool readsInClosure(const Stmt *S) {
    const CallExpr *C = callIn(S);
    const LambdaExpr *L = C ? closureOf(C) : nullptr;
    return L && C->getType()->isVoidType() && namesShared(L->getBody()) &&
           !hasBarrier(L->getBody());
  }

  /// Does S come of a macro as a whole, with a store that is written there?
  bool inMacro(const Stmt *S) const {
    if (!S->getBeginLoc().isMacroID())
      return false;
    const SourceRange Of = S->getSourceRange();
    const SourceLocation Call = SM.getExpansionLoc(Of.getBegin());
    return SM.getExpansionLoc(Of.getEnd()) == Call && fillsTile(S) &&
           anyNode(S, [&](const Stmt *One) {
             const auto *E = dyn_cast<Expr>(One);
             SourceLocation At;
             return E && assignedTo(E, &At) && At.isMacroID() &&
                    !SM.isMacroArgExpansion(At) &&
                    SM.getExpansionLoc(At) == Call && fillsTile(One);
           });
  }

  bool macro(const Stmt *S) {
    if (!Source)
      return true;
    const CharSourceRange At = SM.getExpansionRange(S->getBeginLoc());
    auto Begin = Source->offset(At.getBegin()),
         End = Source->offset(At.getEnd());
    if (!Begin || !End || *End < *Begin)
      return fail();
    Range Call{*Begin, Source->tokenEnd(*End)};
    auto Text = macroText(Call, *Source);
    if (!Text || Source->at(Call).contains('#'))
      return fail();
    // A block needs none of the `;` behind the call.
    const unsigned Next = Source->skipSpaceAndComments(Call.End);
    if (!Text->empty() && Text->front().Text == "{" &&
        Text->back().Text == "}" && Source->at({Next, Next + 1}) == ";")
      Call.End = Next + 1;
    Edits.insert({Call.Begin, Call.size(), laidOut(*Text)});
    return true;
  }

  /// `if constexpr` that decides what is stored as an `if`, which has one text
  /// for all instances: an instance has only the branch that it takes.
  bool plainIfs() {
    const FunctionTemplateDecl *Of =
        written(Body)->getDescribedFunctionTemplate();
    if (!Of || std::distance(Of->spec_begin(), Of->spec_end()) < 2)
      return false;
    const SourceRange Whole = Loop->getSourceRange();
    bool Any = false;
    anyNode(written(Body)->getBody(), [&](const Stmt *S) {
      const auto *I = dyn_cast<IfStmt>(S);
      if (I && Whole.fullyContains(I->getSourceRange()))
        Any |= plainIf(I);
      return false;
    });
    return Any;
  }

  bool plainIf(const IfStmt *I) {
    if (!I->isConstexpr() || I->getInit() || I->getConditionVariable() ||
        I->getIfLoc().isMacroID() || !fillsTile(I) || hasBarrier(I) ||
        mayNotCompile(I, Body))
      return false;
    if (!Source)
      return true;
    auto Begin = Source->offset(I->getIfLoc());
    if (!Begin)
      return fail();
    const unsigned Word =
        Source->skipSpaceAndComments(Source->tokenEnd(*Begin));
    const Range Gone{Word, Source->tokenEnd(Word)};
    if (Source->at(Gone) != "constexpr")
      return fail();
    const bool Apart = llvm::isSpace(Source->all()[Gone.End]);
    Edits.insert({Gone.Begin, Gone.size() + Apart, ""});
    return true;
  }

  bool chain(const BinaryOperator *Outer, bool InBlock) {
    if (!Source)
      return true;
    std::vector<const Expr *> Places;
    const BinaryOperator *Last = Outer;
    for (const Expr *Up = Outer;;) {
      const auto *B = dyn_cast<BinaryOperator>(Up->IgnoreParenImpCasts());
      if (!B || B->getOpcode() != BO_Assign)
        break;
      Last = B;
      Places.push_back(B->getLHS());
      Up = B->getRHS();
    }
    const std::string Value = Source->text(Last->getRHS());
    std::string Text;
    for (const Expr *Place : llvm::reverse(Places)) {
      const std::string One = Source->text(Place);
      if (One.empty() || Value.empty())
        return fail();
      Text += (Text.empty() ? "" : " ") + One + " = " + Value + ";";
    }
    const Range Whole = Source->statement(Outer);
    if (Source->at(Whole).find_first_of("#\n") != llvm::StringRef::npos)
      return fail();
    if (!InBlock)
      Text = "{ " + Text + " }";
    Edits.insert({Whole.Begin, Whole.size(), Text});
    Done.insert(Outer);
    return true;
  }

  bool call(const Stmt *S, bool InBlock) {
    const CallExpr *C = callIn(S);
    Calls += closureOf(C) != nullptr;
    if (!Source)
      return true;
    auto Text = calleeText(
        C, *Source, [this](llvm::StringRef Name) { return newName(Name); });
    const Range Whole = Source->statement(S);
    if (!Text || Source->at(Whole).contains('#') ||
        S->getBeginLoc().isMacroID())
      return fail();
    // What a branch or a loop governs is one statement, and its text a block.
    Edits.insert({Whole.Begin, Whole.size(),
                  InBlock ? laidOut(*Text) : "{ " + laidOut(*Text) + " }"});
    Done.insert(S);
    return true;
  }

  bool fail() {
    Failed = true;
    return true;
  }

  std::string newName(llvm::StringRef Name) {
    const llvm::StringSet<> Taken = wordsOf(Source->all());
    std::string New = Name.str();
    do
      New += "_";
    while (Taken.contains(New) || !Made.insert(New).second);
    return New;
  }

  /// What declares a closure that nobody names any more.
  void dropClosures() {
    struct Mentions : ConstDynamicRecursiveASTVisitor {
      llvm::DenseMap<const VarDecl *, unsigned> Of;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          ++Of[V];
        return true;
      }
    } All;
    All.TraverseStmt(Body->getBody());
    llvm::DenseMap<const VarDecl *, unsigned> Written;
    for (const Stmt *S : Done)
      if (const CallExpr *C = callIn(S); C && closureOf(C))
        ++Written[closureVariable(C)];
    for (const auto &[V, Count] : Written) {
      const DeclStmt *D = declarationOf(V, Body->getBody());
      if (!D || !D->isSingleDecl() || All.Of.lookup(V) != Count ||
          D->getBeginLoc().isMacroID())
        continue;
      const Range R = Source->statement(D);
      Edits.insert({R.Begin, R.size(), GoneMark.str()});
    }
  }
};

} // namespace

bool mayBeWrittenOut(const FunctionDecl *Body) {
  bool Any = false;
  BarrierLoops([&](const Stmt *Loop) {
    Any = Any || OutWriter(Body, Loop, nullptr).run();
  }).TraverseStmt(Body->getBody());
  return Any;
}

std::vector<OpenedLoop>
loopsWrittenOut(const FunctionDecl *Body, const SourceText &Source,
                llvm::function_ref<bool(const Stmt *)> MayTouch) {
  std::vector<OpenedLoop> All;
  BarrierLoops([&](const Stmt *Loop) {
    OutWriter One(Body, Loop, &Source);
    if (MayTouch(Loop) && One.run() && !One.Edits.empty())
      All.push_back({Loop, std::move(One.Edits)});
  }).TraverseStmt(Body->getBody());
  return All;
}

} // namespace kpipe
