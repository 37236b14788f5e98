// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop around the tile loop, or the whole function where labels or several
// calls lead to it again: what that writes differs, see OtherRuns.h.

#include "OtherRuns.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Variance.h"
#include "clang/AST/Attr.h"
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
  spreadVariance(Found, Again, *Facts.In);
  return Found;
}

} // namespace kpipe
