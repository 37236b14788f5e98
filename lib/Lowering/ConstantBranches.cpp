// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text in front of a branch that runs and the text behind it go, see
// ConstantBranches.h.
#include "ConstantBranches.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "LoweredBody.h"
#include "SingleStage.h"
#include "kpipe/Message.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Which branch of I runs in any case, as a bool; none if that is not known.
std::optional<bool> takesFirst(const IfStmt *I, const ASTContext &Context) {
  const Expr *Cond = I->getCond();
  if (I->getInit() || I->getConditionVariable() || I->isConsteval() ||
      I->getBeginLoc().isMacroID() || Cond->isValueDependent() ||
      !Cond->isCXX11ConstantExpr(Context))
    return std::nullopt;
  bool Value = false;
  if (!Cond->EvaluateAsBooleanCondition(Value, Context))
    return std::nullopt;
  return Value;
}

const Stmt *branchOf(const IfStmt *I, bool First) {
  const Stmt *Branch = First ? I->getThen() : I->getElse();
  return Branch && isa<NullStmt>(Branch) ? nullptr : Branch;
}

/// What a statement list declares itself.
std::set<std::string> namesDeclaredIn(const Stmt *List) {
  std::set<std::string> Names;
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(List))
    for (const Stmt *S : Block->body())
      if (const auto *D = dyn_cast<DeclStmt>(S))
        for (const Decl *One : D->decls())
          if (const auto *N = dyn_cast<NamedDecl>(One))
            Names.insert(N->getNameAsString());
  return Names;
}

/// Does a body name one of Names beside S?
bool namesBeside(const Stmt *S, const Stmt *Body,
                 const std::set<std::string> &Names) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Stmt *But;
    const std::set<std::string> &Names;
    bool Found = false;
    Finder(const Stmt *But, const std::set<std::string> &Names)
        : But(But), Names(Names) {}
    bool TraverseStmt(const Stmt *S) override {
      return S == But || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      return !(Found |= Names.count(D->getDecl()->getNameAsString()) != 0);
    }
    bool VisitNamedDecl(const NamedDecl *D) override {
      return !(Found |= Names.count(D->getNameAsString()) != 0);
    }
  } F(S, Names);
  if (!Names.empty())
    F.TraverseStmt(Body);
  return F.Found;
}

/// The branch's own variables then live as long as the body: that must not
/// matter.
bool mayBeInBody(const Stmt *Branch) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Bad = false;
    bool VisitVarDecl(const VarDecl *V) override {
      Bad |= V->getType().isDestructedType() != QualType::DK_none;
      return !Bad;
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } F;
  if (Branch)
    F.TraverseStmt(Branch);
  return !F.Bad;
}

/// Does a label, or a case of a switch around it, lead into one of the
/// branches? Then also the one runs that the condition excludes.
bool branchIsEntered(const IfStmt *I) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Found = false;
    bool VisitLabelStmt(const LabelStmt *) override { return !(Found = true); }
    unsigned Switches = 0;
    bool TraverseSwitchStmt(const SwitchStmt *S) override {
      ++Switches;
      ConstDynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
      --Switches;
      return !Found;
    }
    bool VisitSwitchCase(const SwitchCase *) override {
      return !(Found |= !Switches);
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } F;
  F.TraverseStmt(I);
  return F.Found;
}

/// Conditions and loops of a body as they are written: an instance lacks what
/// its `if constexpr` discards.
struct AsWritten : ConstDynamicRecursiveASTVisitor {
  llvm::DenseMap<SourceLocation, const IfStmt *> Ifs;
  llvm::DenseMap<SourceLocation, const Stmt *> Loops;
  explicit AsWritten(const FunctionDecl *Body) {
    const FunctionDecl *Pattern = Body->getTemplateInstantiationPattern();
    TraverseStmt((Pattern ? Pattern : Body)->getBody());
  }
  bool VisitIfStmt(const IfStmt *I) override {
    Ifs[I->getIfLoc()] = I;
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    if (isLoop(S))
      Loops[S->getBeginLoc()] = S;
    return true;
  }
};

bool isBarrierAlone(const Stmt *S) {
  while (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
    S = Block->size() == 1 ? Block->body_front() : nullptr;
  return S && isa<Expr, GCCAsmStmt>(S) && hasBarrier(S);
}

class Opener {
public:
  /// \param Source null where only is asked what would be opened.
  Opener(const FunctionDecl *F, const Stmt *Loop, const SourceText *Source,
         const AsWritten *Written)
      : Context(F->getASTContext()), Loop(Loop), Source(Source),
        Written(Written) {}

  bool open() { return open(bodyOf(Loop)); }

  std::set<Edit> Edits;

private:
  const ASTContext &Context;
  const Stmt *Loop;
  const SourceText *Source;
  const AsWritten *Written;

  /// \returns whether a branch of a statement list was opened.
  bool open(const Stmt *List) {
    bool Any = false;
    const bool HasOther = llvm::any_of(List->children(), isBarrierAlone);
    for (const Stmt *S : List->children())
      if (const auto *I = dyn_cast_or_null<IfStmt>(S))
        if (!HasOther || !isMereBarrier(I))
          Any |= open(I);
    return Any;
  }

  /// Beside another one, a barrier that is the same for all threads needs no
  /// known condition.
  static bool isMereBarrier(const IfStmt *I) {
    return !I->isConstexpr() && !I->getElse() && isBarrierAlone(I->getThen());
  }

  bool open(const IfStmt *I) {
    std::optional<bool> First = takesFirst(I, Context);
    if (!First || !hasBarrier(I) || branchIsEntered(I))
      return false;
    const Stmt *Branch = branchOf(I, *First);
    if (!mayBeInBody(Branch))
      return false;
    if (!Source)
      return true;
    if (!replace(I, Branch, *First))
      return false;
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Branch))
      open(Block);
    else if (const auto *Next = dyn_cast_or_null<IfStmt>(Branch))
      open(Next);
    return true;
  }

  bool replace(const IfStmt *I, const Stmt *Branch, bool First) {
    auto Cond = Source->expression(I->getCond());
    const IfStmt *If = Written->Ifs.lookup(I->getIfLoc());
    const Stmt *Around = Written->Loops.lookup(Loop->getBeginLoc());
    if (!If || !Around ||
        namesBeside(If, bodyOf(Around), namesDeclaredIn(Branch)))
      return false;
    const Range Whole = Source->statement(If);
    if (!Cond || Cond->Begin < Whole.Begin || Cond->End > Whole.End)
      return false;
    std::optional<Range> Kept =
        Branch ? inside(Branch) : Range{Whole.End, Whole.End};
    if (!Kept || Kept->Begin < Cond->End || Kept->End > Whole.End)
      return false;
    const Range Front{Whole.Begin, Kept->Begin}, Back{Kept->End, Whole.End};
    if (hasDirective(Front) || hasDirective(Back))
      return false;
    Edits.insert({Front.Begin, Front.size(), assertion(I, *Cond, First)});
    if (Back.size())
      Edits.insert({Back.Begin, Back.size(), GoneMark.str()});
    return true;
  }

  std::optional<Range> inside(const Stmt *Branch) const {
    const auto *Block = dyn_cast<CompoundStmt>(Branch);
    if (!Block)
      return Source->statement(Branch);
    auto Left = Source->offset(Block->getLBracLoc());
    auto Right = Source->offset(Block->getRBracLoc());
    if (!Left || !Right)
      return std::nullopt;
    return Range{*Left + 1, *Right};
  }

  /// Text that the preprocessor decides on. Pragmas go with what they govern.
  bool hasDirective(Range R) const {
    llvm::SmallVector<llvm::StringRef, 0> Lines;
    Source->at(R).split(Lines, '\n');
    return llvm::any_of(llvm::drop_begin(Lines), [](llvm::StringRef Line) {
      Line = Line.ltrim();
      return Line.consume_front("#") && !Line.ltrim().starts_with("pragma");
    });
  }

  std::string assertion(const IfStmt *I, Range Cond, bool First) const {
    std::string Text = Source->at(Cond).str();
    if (!First)
      Text = "!(" + Text + ")";
    else if (!I->getCond()->IgnoreImplicit()->getType()->isBooleanType())
      Text = "!!(" + Text + ")";
    return "static_assert(" + Text + ", \"" +
           Message(msg::only_for_this_branch).str() + "\");";
  }
};

/// Loops of a body, and what is done to each.
struct LoopFinder : ConstDynamicRecursiveASTVisitor {
  llvm::function_ref<void(const Stmt *)> Found;
  explicit LoopFinder(llvm::function_ref<void(const Stmt *)> Found)
      : Found(Found) {}
  bool VisitStmt(const Stmt *S) override {
    if (isLoop(S) && !isa<CXXForRangeStmt>(S) &&
        isa_and_nonnull<CompoundStmt>(bodyOf(S)))
      Found(S);
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
};

} // namespace

bool mayOpenBranches(const FunctionDecl *Body) {
  bool Any = false;
  LoopFinder([&](const Stmt *Loop) {
    Any |= Opener(Body, Loop, nullptr, nullptr).open();
  }).TraverseStmt(Body->getBody());
  return Any;
}

std::vector<OpenedLoop>
openedLoops(const FunctionDecl *Body, const SourceText &Source,
            llvm::function_ref<bool(const Stmt *)> MayTouch) {
  std::vector<OpenedLoop> All;
  const AsWritten Written(Body);
  LoopFinder([&](const Stmt *Loop) {
    Opener One(Body, Loop, &Source, &Written);
    if (MayTouch(Loop) && One.open())
      All.push_back({Loop, std::move(One.Edits)});
  }).TraverseStmt(Body->getBody());
  return All;
}

} // namespace kpipe
