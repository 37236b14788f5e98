// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement, outermost first, see WayToLoop.h.

#include "WayToLoop.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

using VariableSet = llvm::DenseSet<const VarDecl *>;

struct UsedNames : ConstDynamicRecursiveASTVisitor {
  VariableSet Used, Declared;
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      Used.insert(V);
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    Declared.insert(V);
    return true;
  }
};

/// May a block run the body of F more than once?
bool calledAgain(const FunctionDecl *F, const CodeIndex &Index,
                 unsigned Level = 0) {
  if (F->hasAttr<CUDAGlobalAttr>())
    return false;
  llvm::ArrayRef<CodeIndex::Call> Calls = Index.callsOf(F);
  if (Level == 6 || Index.hidden(F) || Calls.size() != 1 || !Calls[0].In ||
      !Calls[0].In->getBody())
    return true;
  const Stmt *Caller = Calls[0].In->getBody();
  auto Path = pathTo(Calls[0].At, Caller);
  return Path.empty() ||
         llvm::any_of(Path, [](const Stmt *S) { return isLoop(S); }) ||
         hasLabel(Caller) || calledAgain(Calls[0].In, Index, Level + 1);
}

/// `if (…) return;`
bool onlyLeaves(const IfStmt *I) {
  const Stmt *S = I->getThen();
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    S = C->size() == 1 ? C->body_front() : nullptr;
  return S && isa<ReturnStmt>(S) && !I->getElse() && !I->getInit() &&
         !I->getConditionVariable();
}

/// What declares the variable of a loop's condition, anew in each turn.
const Stmt *conditionVariableOf(const Stmt *Loop) {
  if (const auto *F = dyn_cast<ForStmt>(Loop))
    return F->getConditionVariableDeclStmt();
  if (const auto *W = dyn_cast<WhileStmt>(Loop))
    return W->getConditionVariableDeclStmt();
  return nullptr;
}

/// Does S declare or change one of these?
bool changes(const Stmt *S, const VariableSet &Needed) {
  if (const auto *D = dyn_cast<DeclStmt>(S))
    if (llvm::any_of(D->decls(), [&](const Decl *X) {
          return isa<VarDecl>(X) && Needed.count(cast<VarDecl>(X));
        }))
      return true;
  return llvm::any_of(changesIn(S).Found, [&](const DeclRefExpr *D) {
    return Needed.count(cast<VarDecl>(D->getDecl()));
  });
}

class WayFinder {
public:
  WayFinder(const TileLoop &Loop, const CodeIndex &Index, Statements Items,
            llvm::function_ref<bool(const Stmt *)> Kept)
      : Loop(Loop), Body(Loop.Function->getBody()), Kept(Kept) {
    Way.Items = std::move(Items);
    Way.CalledAgain = calledAgain(Loop.Function, Index);
    if (auto Calls = Index.callsOf(Loop.Function);
        !Calls.empty() && !Loop.Function->hasAttr<CUDAGlobalAttr>())
      Way.Call = Calls.front().At;
    Labels = hasLabel(Body);
    Way.Repeats = Labels;
  }

  std::optional<WayToLoop> run() {
    auto Path = pathTo(Loop.Loop, Body);
    if (Path.empty())
      return std::nullopt;
    for (size_t I = 0; I + 1 < Path.size(); ++I)
      if (!step(Path[I], Path[I + 1]))
        return std::nullopt;
    keepWhatMatters();
    return std::move(Way);
  }

private:
  const TileLoop &Loop;
  const Stmt *const Body;
  const llvm::function_ref<bool(const Stmt *)> Kept;
  bool Labels = false;
  WayToLoop Way;

  void add(WayStep::Kind What, const Stmt *S, bool Then = true) {
    Way.Steps.push_back({What, S, Then, {}});
  }
  /// What S changes is another value when the thread comes here again, but for
  /// what is declared inside of \p Inside.
  void again(const Stmt *S, const Stmt *Inside) {
    UsedNames Own;
    if (Inside)
      Own.TraverseStmt(Inside);
    add(WayStep::Kind::Again, S);
    for (const DeclRefExpr *D : changesIn(S).Found)
      if (const auto *V = cast<VarDecl>(D->getDecl()); !Own.Declared.count(V))
        Way.Steps.back().Changed.push_back(V);
  }
  void runs(const Stmt *S) {
    if (!S)
      return;
    const auto *I = dyn_cast<IfStmt>(S);
    add(I && onlyLeaves(I) ? WayStep::Kind::Leave : WayStep::Kind::Run, S);
    if (Labels)
      again(Body, Loop.Loop);
  }

  /// \param Next the part of S that leads on to the loop.
  bool step(const Stmt *S, const Stmt *Next) {
    if (const auto *C = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : C->body()) {
        if (Child == Next)
          return true;
        runs(Child);
      }
      return false;
    }
    if (isLoop(S)) {
      if (Next != bodyOf(S))
        return false;
      if (const auto *F = dyn_cast<ForStmt>(S))
        runs(F->getInit());
      Way.Repeats = true;
      again(S, Next);
      runs(conditionVariableOf(S));
      return true;
    }
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      if (I->getInit() || I->getConditionVariable() || Next == I->getCond())
        return false;
      add(WayStep::Kind::Enter, I, Next == I->getThen());
      return true;
    }
    return isa<AttributedStmt, LabelStmt>(S);
  }

  /// Leaves out the statements that change nothing that the load depends on.
  void keepWhatMatters() {
    UsedNames Needed;
    for (const Stmt *S : Way.Items)
      Needed.TraverseStmt(S);
    Needed.TraverseStmt(Loop.Init);
    Needed.TraverseStmt(Loop.Cond);
    for (const HeaderVar &H : Loop.HeaderVars)
      Needed.TraverseStmt(H.Update);
    std::vector<bool> Stays(Way.Steps.size());
    for (bool More = true; std::exchange(More, false);)
      for (size_t I = 0; I != Stays.size(); ++I)
        if (const WayStep &S = Way.Steps[I];
            !Stays[I] && (S.What != WayStep::Kind::Run || Kept(S.S) ||
                          changes(S.S, Needed.Used))) {
          Stays[I] = More = true;
          if (S.What == WayStep::Kind::Run)
            Needed.TraverseStmt(S.S);
          else if (S.What != WayStep::Kind::Again)
            Needed.TraverseStmt(cast<IfStmt>(S.S)->getCond());
        }
    std::vector<WayStep> All = std::move(Way.Steps);
    Way.Steps.clear();
    for (size_t I = 0; I != Stays.size(); ++I)
      if (Stays[I])
        Way.Steps.push_back(std::move(All[I]));
  }
};

} // namespace

std::optional<WayToLoop> wayTo(const TileLoop &Loop, const CodeIndex &Index,
                               Statements Items,
                               llvm::function_ref<bool(const Stmt *)> Kept) {
  return WayFinder(Loop, Index, std::move(Items), Kept).run();
}

Statements withWhatTheyNeed(const TileLoop &Loop, Statements Items) {
  if (Items.empty())
    return Items;
  UsedNames Needed;
  for (const Stmt *S : Items)
    Needed.TraverseStmt(S);
  for (bool More = true; std::exchange(More, false);)
    for (const BodyItem &I : Loop.Body)
      if (!I.Step && !I.SharedDecl && !Items.count(I.S) &&
          changes(I.S, Needed.Used)) {
        More = true;
        Items.insert(I.S);
        Needed.TraverseStmt(I.S);
      }
  return Items;
}

} // namespace kpipe
