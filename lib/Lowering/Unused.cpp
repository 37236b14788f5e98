// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what was named in the statements that went is looked at: what the
// author left unused stays. See Unused.h.
#include "Unused.h"
#include "Code/AstUtils.h"
#include "Code/AsyncCalls.h"
#include "Code/ComputesOnly.h"
#include "Code/KnownFunctions.h"
#include "Code/MbarrierOps.h"
#include "SharedNumbers.h"
#include "WholeBlock.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace kpipe {

namespace {

class UnusedSearch {
public:
  UnusedSearch(const FunctionDecl *Body, const AsyncOps &Ops,
               const SourceText &Source, llvm::ArrayRef<const Stmt *> Gone,
               llvm::ArrayRef<const Expr *> Kept)
      : Body(Body), Ops(Ops), Source(Source), Gone(Gone.begin(), Gone.end()),
        Kept(Kept.begin(), Kept.end()) {}

  llvm::SmallVector<const Stmt *, 4> run() {
    for (const Stmt *S : Gone)
      collect(S);
    llvm::SmallVector<const Stmt *, 4> All;
    // What went may have been the last to name something else.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (unsigned I = 0; I != Named.size(); ++I)
        for (const Stmt *S : goingWith(Named[I])) {
          Gone.push_back(S);
          All.push_back(S);
          collect(S);
          Changed = true;
        }
    }
    return All;
  }

private:
  const FunctionDecl *Body;
  const AsyncOps &Ops;
  const SourceText &Source;
  llvm::SmallVector<const Stmt *, 8> Gone;
  llvm::SmallVector<const Expr *, 8> Kept;
  llvm::SetVector<const VarDecl *> Named;

  void collect(const Stmt *S) {
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
          V && V->isLocalVarDecl())
        Named.insert(V);
    for (const Stmt *Child : S->children())
      if (Child)
        collect(Child);
  }

  bool isGone(const Stmt *S) const {
    auto Around = [&](const Stmt *Outer) { return Ops.within(S, Outer); };
    return llvm::any_of(Gone, Around) && llvm::none_of(Kept, Around);
  }

  /// The declaration of V and what initialises it; nothing while it is used.
  llvm::SmallVector<const Stmt *, 2> goingWith(const VarDecl *V) const {
    const DeclStmt *D = declarationOf(V, Body->getBody());
    if (!D || !D->isSingleDecl() || isGone(D) || !isHarmless(V))
      return {};
    llvm::SmallVector<const Stmt *, 2> Going{D};
    for (const DeclRefExpr *Use : namesOf(V, Body->getBody())) {
      if (isGone(Use))
        continue;
      const Stmt *Init = initialisationWith(Use);
      if (!Init)
        return {};
      if (!llvm::is_contained(Going, Init))
        Going.push_back(Init);
    }
    if (isInText(V->getName(), Going) || !areWholeMacros(Going))
      return {};
    return Going;
  }

  /// The text of a macro's call stands for all that the macro does.
  bool areWholeMacros(llvm::ArrayRef<const Stmt *> Going) const {
    const SourceManager &SM = Source.context().getSourceManager();
    return llvm::all_of(Going, [&](const Stmt *S) {
      if (!S->getBeginLoc().isMacroID())
        return true;
      const SourceLocation At = SM.getExpansionLoc(S->getBeginLoc());
      return llvm::all_of(Ops.parent(S)->children(), [&](const Stmt *Other) {
        return !Other || !Other->getBeginLoc().isMacroID() ||
               SM.getExpansionLoc(Other->getBeginLoc()) != At ||
               llvm::is_contained(Going, Other) || isGone(Other);
      });
    });
  }

  /// Is the name anywhere in the body's text but in what goes?
  bool isInText(llvm::StringRef Name,
                llvm::ArrayRef<const Stmt *> Going) const {
    Range Whole = Source.statement(Body->getBody());
    std::vector<Edit> Blanks;
    for (llvm::ArrayRef<const Stmt *> Some : {llvm::ArrayRef(Gone), Going})
      for (const Stmt *S : Some) {
        Range R = Source.statement(S);
        Blanks.push_back({R.Begin, R.size(), " "});
      }
    return identifiersOf(Source.edited(Whole, Blanks),
                         Source.context().getLangOpts())
        .contains(Name);
  }

  /// Making it does nothing that anybody can see.
  bool isHarmless(const VarDecl *V) const {
    const Expr *Init = V->getInit();
    QualType T = V->getType().getNonReferenceType();
    const auto *R = T->getAsCXXRecordDecl();
    if (holdsBarrier(V, Source.context()))
      return true;
    if (R && isToolkits(R))
      return !Init || isMadeByToolkit(Init); // groups, sizes, pipelines
    return !Init || computesOnly(Init);
  }

  /// `for (int i = 0; i < 2; ++i)`, which leaves nothing behind.
  static bool countsForItself(const Stmt *S) {
    const auto *F = dyn_cast<ForStmt>(S);
    const auto *D = F ? dyn_cast_or_null<DeclStmt>(F->getInit()) : nullptr;
    if (!D || !D->isSingleDecl() || !F->getCond() || !F->getInc() ||
        F->getConditionVariable() || !computesOnly(F->getCond()))
      return false;
    const auto *V = dyn_cast<VarDecl>(D->getSingleDecl());
    return V && V->getInit() && computesOnly(V->getInit()) &&
           isa<UnaryOperator>(F->getInc()->IgnoreParens()) &&
           updatedVariable(F->getInc()->IgnoreParens()) == V;
  }

  /// `init(&bar, n);`, with a condition of its own around it.
  const Stmt *initialisationWith(const DeclRefExpr *Use) const {
    const auto *V = cast<VarDecl>(Use->getDecl());
    std::optional<unsigned> Element;
    if (holdsBarrier(V, Source.context()))
      V = barrierBehind(V->getInit(), Element, Source.context());
    for (const Stmt *S = Use; S; S = Ops.parent(S)) {
      const Expr *Count = initialCount(S, V);
      if (!Count)
        continue;
      if (!computesOnly(Count) && !isMadeByToolkit(Count))
        return nullptr;
      const Stmt *Whole = S;
      for (const Stmt *Up = Ops.parent(S); Up; Up = Ops.parent(Up)) {
        const auto *Block = dyn_cast<CompoundStmt>(Up);
        const auto *If = dyn_cast<IfStmt>(Up);
        bool Alone =
            (Block && Block->size() == 1 && Up != Body->getBody()) ||
            isa<FullExpr>(Up) || countsForItself(Up) ||
            (If && !If->getElse() && !If->getInit() &&
             !If->getConditionVariable() && computesOnly(If->getCond()));
        if (!Alone)
          break;
        Whole = Up;
      }
      return isa_and_nonnull<CompoundStmt>(Ops.parent(Whole)) ? Whole : nullptr;
    }
    return nullptr;
  }
};

} // namespace

/// `this_thread_block()`, `make_pipeline(…)`, not `atomicAdd(…)`.
static bool makesObject(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F || !isToolkits(F))
    return false;
  const auto *R = C->getType()->getAsCXXRecordDecl();
  return classifyCall(F) == CallKind::Pure || (R && isToolkits(R));
}

bool isMadeByToolkit(const Expr *E) {
  if (computesOnly(E))
    return true;
  bool Toolkits = isa<FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr,
                      InitListExpr, CXXDefaultArgExpr, CastExpr, ParenExpr,
                      DeclRefExpr, MemberExpr>(E);
  if (const auto *C = dyn_cast<CallExpr>(E))
    Toolkits = makesObject(C);
  else if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    Toolkits = isToolkits(C->getConstructor());
  else if (const auto *U = dyn_cast<UnaryOperator>(E))
    Toolkits = U->getOpcode() == UO_AddrOf;
  return Toolkits && llvm::all_of(E->children(), [](const Stmt *Child) {
           const auto *Part = dyn_cast_or_null<Expr>(Child);
           return Part && isMadeByToolkit(Part);
         });
}

llvm::SmallVector<const Stmt *, 4>
findUnused(const FunctionDecl *Body, const AsyncOps &Ops,
           const SourceText &Source, llvm::ArrayRef<const Stmt *> Gone,
           llvm::ArrayRef<const Expr *> Kept) {
  return UnusedSearch(Body, Ops, Source, Gone, Kept).run();
}

} // namespace kpipe
