// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop around the tile loop, or the whole function where labels or several
// calls lead to it again: what that writes differs, see OtherRuns.h.

#include "OtherRuns.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Variance.h"
#include "Recognition/Body/SecondNames.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// May a block run the body of F more than once, or parts of it?
bool mayRunAgain(const FunctionDecl *F, const CallIndex *Calls,
                 unsigned Depth = 0) {
  if (hasLabel(F->getBody()))
    return true;
  if (F->hasAttr<CUDAGlobalAttr>())
    return false;
  const FunctionDecl *Known = F->getCanonicalDecl();
  auto All = Calls ? Calls->Calls.find(Known) : CallerMap::const_iterator();
  if (!Calls || Depth == 4 || Calls->AddressTaken.count(Known) ||
      All == Calls->Calls.end() || All->second.size() != 1)
    return true;
  const CallExpr *C = All->second.front();
  const FunctionDecl *From = Calls->CallerOf.lookup(C);
  if (!From || !From->getBody())
    return true;
  auto Path = pathTo(C, From->getBody());
  return Path.empty() || llvm::any_of(Path, isLoop) ||
         mayRunAgain(From, Calls, Depth + 1);
}

/// What runs the loop several times; null if nothing does.
const Stmt *whatRunsAgain(const LoopFacts &Facts) {
  const FunctionDecl *F = Facts.Tile.Function;
  if (mayRunAgain(F, Facts.In->calls()))
    return F->getBody();
  for (const Stmt *S : pathTo(Facts.Tile.Loop, F->getBody()))
    if (S != Facts.Tile.Loop && isLoop(S))
      return S;
  return nullptr;
}

/// `xs`, `&xs[0]`: the array from its beginning on, no part of it.
bool isWhole(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    E = U->getSubExpr()->IgnoreParenCasts();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (constantValue(A->getIdx(), Context) != 0)
      return false;
    E = A->getBase()->IgnoreParenCasts();
  }
  return isa<DeclRefExpr>(E);
}

/// A tile that is given is looked at by itself, as each array gets stages of
/// its own. Parts of one array share theirs.
bool isGivenWhole(const ParmVarDecl *P, const LoopFacts &Facts) {
  for (const StagedBuffer &B : Facts.Tile.Buffers)
    if (B.Var == P)
      return llvm::all_of(B.Given, [&](const GivenArray &G) {
        return isWhole(G.Call->getArg(P->getFunctionScopeIndex()),
                       Facts.In->context());
      });
  return false;
}

/// Local variables of a function, but for those of one statement.
struct Locals : ConstDynamicRecursiveASTVisitor {
  const Stmt *But = nullptr;
  VarSet Found;
  bool TraverseStmt(const Stmt *S) override {
    return S == But || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasLocalStorage() && !V->getType().isConstQualified())
      Found.insert(V);
    return true;
  }
};

/// What is assigned after its declaration: where a `goto` may pass the
/// assignment by, no condition stands around it.
struct Assigned : ConstDynamicRecursiveASTVisitor {
  const Scope &In;
  const Stmt *But;
  VarSet Found;
  bool Jumps = false;
  Assigned(const Scope &In, const Stmt *But) : In(In), But(But) {}
  bool TraverseStmt(const Stmt *S) override {
    return S == But || ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitGotoStmt(const GotoStmt *) override { return Jumps = true; }
  bool VisitIndirectGotoStmt(const IndirectGotoStmt *) override {
    return Jumps = true;
  }
  bool VisitExpr(const Expr *E) override {
    const auto *B = dyn_cast<BinaryOperator>(E);
    const auto *U = dyn_cast<UnaryOperator>(E);
    if ((B && B->isAssignmentOp()) || (U && U->isIncrementDecrementOp()) ||
        isa<CallExpr, CXXConstructExpr>(E))
      add(E);
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    add(A);
    return true;
  }

private:
  void add(const Stmt *S) {
    Effects Done = effectsOf(S, In);
    Found.insert(Done.Writes.begin(), Done.Writes.end());
  }
};

/// Writes to who knows where, which may be a variable by another name.
bool writesUnseen(const Effects &E) {
  return E.has(EventKind::UnknownCall) || E.has(EventKind::UnknownAsm) ||
         llvm::any_of(E.Memory, [](const MemoryAccess &A) {
           return A.Write && A.Root.Where == Space::Unknown;
         });
}

/// What Again may change unseen. The loop's own body is looked at in its tiles.
void addUnseen(const LoopFacts &Facts, const Stmt *Again, VarSet &Found) {
  const Stmt *Body = Facts.Tile.Function->getBody();
  Assigned Set(*Facts.In, Facts.Tile.Loop);
  Set.TraverseStmt(Again);
  if (Set.Jumps)
    Found.insert(Set.Found.begin(), Set.Found.end());
  if (!writesUnseen(effectsOf(Again, *Facts.In)))
    return;
  Locals All;
  All.But = bodyOf(Facts.Tile.Loop);
  All.TraverseStmt(Body);
  for (const ParmVarDecl *P : Facts.Tile.Function->parameters())
    All.VisitVarDecl(P);
  for (const VarDecl *V : All.Found)
    if (secondName(V, Facts.Tile.Function, nullptr))
      Found.insert(V);
}

} // namespace

VarSet variantInAllRuns(const LoopFacts &Facts) {
  VarSet Found = Facts.Variant;
  const Stmt *Again = whatRunsAgain(Facts);
  if (!Again)
    return Found;
  const FunctionDecl *F = Facts.Tile.Function;
  const bool Whole = Again == F->getBody();
  if (Whole && !F->hasAttr<CUDAGlobalAttr>())
    for (const ParmVarDecl *P : F->parameters())
      if (!isGivenWhole(P, Facts))
        Found.insert(P);
  const auto *For = dyn_cast<ForStmt>(Again);
  for (const Stmt *Part : Again->children()) {
    // Only what a loop begins with runs once: a condition makes its variable
    // anew in each turn.
    if (!Part || (For && Part == For->getInit()))
      continue;
    Effects E = effectsOf(Part, *Facts.In);
    for (const VarDecl *V : E.Writes)
      if (!E.Declared.count(V))
        Found.insert(V);
    if (Whole)
      for (const VarDecl *V : E.Reads)
        if (isMember(V))
          Found.insert(V);
  }
  addUnseen(Facts, Again, Found);
  spreadVariance(Found, Again, *Facts.In);
  return Found;
}

} // namespace kpipe
