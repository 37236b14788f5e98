// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches around copies, see Branches.h.

#include "Branches.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "HelperCalls.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A condition's value where it is the same for all threads and tiles. What a
/// call gives for a parameter that its helper never changes counts.
std::optional<int64_t> conditionValue(const Expr *E, const Scope &In) {
  Values Known(In.context());
  if (auto Value = Known.evaluate(E))
    return Value;
  E = E->IgnoreParens();
  while (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
    const Expr *From = C->getSubExpr();
    // 256 may be given for a parameter of eight bits.
    if (C->getCastKind() == CK_IntegralCast &&
        In.context().getIntWidth(C->getType()) <
            In.context().getIntWidth(From->getType()))
      return std::nullopt;
    E = From->IgnoreParens();
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_LNot)
    if (auto Value = conditionValue(U->getSubExpr(), In))
      return !*Value;
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *P = dyn_cast<ParmVarDecl>(D->getDecl()))
      if (const Expr *Given = In.argument(P);
          Given && In.caller() && Known.unchanged(P))
        return conditionValue(Given, *In.caller());
  return Known.evaluate(E);
}

/// Does every evaluation of a condition in a loop give the same?
bool isInvariant(const Expr *Cond, const Stmt *Loop, const Scope &In) {
  if (conditionValue(Cond, In))
    return true;
  Effects Asked = effectsOf(Cond, In), Changed = effectsOf(Loop, In);
  return Asked.isPure() && Asked.Writes.empty() && !Asked.readsGlobal() &&
         !Asked.readsShared() &&
         llvm::none_of(Asked.Reads, [&](const VarDecl *V) {
           return Changed.Writes.count(V) || Changed.Declared.count(V) ||
                  V->getType()->isReferenceType();
         });
}

std::optional<Scope> scopeOfHelper(const TileCopy &C, const Scope &In) {
  if (!C.Helper)
    return std::nullopt;
  return helperScope(C, In);
}

} // namespace

Branches::Branches(const LoopFacts &Facts) : Facts(Facts) {
  for (const TileCopy &C : Facts.Tile.Copies) {
    auto &Mine = Around.emplace_back();
    const Stmt *Outer =
        C.HelperCall ? static_cast<const Stmt *>(C.HelperCall) : C.Store;
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.InLoad)
        surround(I.S, Outer, /*InHelper=*/false, Mine);
    if (C.Helper)
      surround(C.Helper->getBody(), C.Store, /*InHelper=*/true, Mine);
    // Both branches of such an `if` are one copy.
    llvm::erase_if(Mine, [&](const BranchAround &B) { return B.If == C.IfElse; });
  }
}

void Branches::surround(const Stmt *Root, const Stmt *Target, bool InHelper,
                        llvm::SmallVectorImpl<BranchAround> &Out) const {
  llvm::SmallVector<const Stmt *, 16> Path = pathTo(Target, Root);
  llvm::SmallVector<const Stmt *, 2> Loops;
  for (size_t I = 0; I + 1 < Path.size(); ++I) {
    if (isLoop(Path[I]))
      Loops.push_back(Path[I]);
    const auto *If = dyn_cast<IfStmt>(Path[I]);
    if (If && (Path[I + 1] == If->getThen() || Path[I + 1] == If->getElse()))
      Out.push_back({If, Path[I + 1] == If->getThen(), Loops, InHelper});
  }
}

const BranchAround *Branches::split(unsigned I, unsigned J) const {
  const auto &Copies = Facts.Tile.Copies;
  for (const BranchAround &A : Around[I])
    for (const BranchAround &B : Around[J])
      // One text of a helper is run by each of its calls.
      if (A.If == B.If && A.Then != B.Then &&
          (!A.InHelper || Copies[I].HelperCall == Copies[J].HelperCall))
        return &A;
  return nullptr;
}

bool Branches::excludeEachOther(unsigned I, unsigned J) const {
  return split(I, J) != nullptr;
}

bool Branches::excludeForTile(unsigned I, unsigned J) const {
  const BranchAround *A = split(I, J);
  if (!A)
    return false;
  auto Callee = A->InHelper ? scopeOfHelper(Facts.Tile.Copies[I], *Facts.In)
                            : std::nullopt;
  return llvm::all_of(A->Loops, [&](const Stmt *L) {
    return isInvariant(A->If->getCond(), L, Callee ? *Callee : *Facts.In);
  });
}

bool Branches::neverRuns(unsigned I) const {
  auto Callee = scopeOfHelper(Facts.Tile.Copies[I], *Facts.In);
  return llvm::any_of(Around[I], [&](const BranchAround &A) {
    auto Value = conditionValue(A.If->getCond(),
                                A.InHelper ? *Callee : *Facts.In);
    return Value && (*Value != 0) != A.Then;
  });
}

namespace {

llvm::StringRef textOf(const Stmt *S, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (!S || S->getBeginLoc().isMacroID() || S->getEndLoc().isMacroID())
    return {};
  return Lexer::getSourceText(CharSourceRange::getTokenRange(S->getSourceRange()),
                              SM, Context.getLangOpts());
}

/// Do two expressions of a template mean the same in instances yet to come?
bool sameText(const Expr *A, const Expr *B, const ASTContext &Context) {
  if (!A || !B)
    return A == B;
  return !textOf(A, Context).empty() && textOf(A, Context) == textOf(B, Context);
}

/// Do the loops around two copies count the same parts?
bool sameParts(const TileCopy &A, const TileCopy &B, bool OfTemplate,
               const ASTContext &Context) {
  if (A.Loops.size() != B.Loops.size())
    return false;
  for (auto [L, M] : llvm::zip(A.Loops, B.Loops)) {
    if (L.For == M.For)
      continue;
    if (!L.Trips || L.Trips != M.Trips)
      return false;
    if (OfTemplate &&
        (L.Limit || M.Limit || L.SharesStart || M.SharesStart ||
         L.Compare != M.Compare || !sameText(L.Init, M.Init, Context) ||
         !sameText(L.Bound, M.Bound, Context) ||
         !sameText(L.Step, M.Step, Context)))
      return false;
  }
  return true;
}

/// Is what waits for the one store of the type that waits for the other?
bool sameTypes(const TileCopy &A, const TileCopy &B, bool OfTemplate,
               const ASTContext &Context) {
  QualType Mine = A.Dst->getType(), Other = B.Dst->getType();
  if (!Context.hasSameUnqualifiedType(Mine.getNonReferenceType(),
                                      Other.getNonReferenceType()))
    return false;
  QualType From = A.Value->IgnoreParenImpCasts()->getType(),
           OtherFrom = B.Value->IgnoreParenImpCasts()->getType();
  // A value may wait as it was loaded, in a type of its own.
  return Context.hasSameUnqualifiedType(From, OtherFrom) &&
         (!OfTemplate || Context.hasSameUnqualifiedType(From, Mine));
}

} // namespace

void findBranches(LoopFacts &Facts) {
  auto &Copies = Facts.Tile.Copies;
  const ASTContext &Context = Facts.In->context();
  const Branches All(Facts);
  for (unsigned I = 0; I != Copies.size(); ++I) {
    TileCopy &C = Copies[I];
    C.NeverRuns = All.neverRuns(I);
    C.SharesRegisters = I;
    const bool OfTemplate =
        (C.Helper ? C.Helper : Facts.Tile.Function)->isTemplateInstantiation();
    for (unsigned J = 0; J != I && C.SharesRegisters == I; ++J) {
      const TileCopy &Of = Copies[J];
      bool Fits = Of.SharesRegisters == J && Of.Buffer == C.Buffer &&
                  Of.Through == C.Through && Of.HelperCall == C.HelperCall &&
                  Of.ValueIsLoaded && C.ValueIsLoaded &&
                  sameTypes(Of, C, OfTemplate, Context) &&
                  sameParts(Of, C, OfTemplate, Context);
      for (unsigned K = J; Fits && K != I; ++K)
        Fits = Copies[K].SharesRegisters != J || All.excludeEachOther(K, I);
      if (Fits)
        C.SharesRegisters = J;
    }
  }
}

} // namespace kpipe
