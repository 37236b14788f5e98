// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of the skeleton, see Skeleton.h. The order of the calls is the
// schedule's, which has a validator of its own.
#include "Skeleton.h"
#include "BulkMatcher.h"
#include "ProducerMatcher.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <tuple>

using namespace clang;

namespace kpipe {

/// The author's barrier; or the one that it comes to, where it is given what
/// is known in the body alone or differs from tile to tile.
bool SkeletonMatcher::isBarrier(const Tree &O) {
  const Stmt *Written = M.Loop->Tile.LoadBarrier;
  if (M.Loop->Authors)
    return ProducerMatcher(M).isBarrier(O);
  if (!Written && M.Loop->Tile.Bulk)
    return BulkMatcher::isBlockBarrier(O);
  while (const auto *Block = dyn_cast_or_null<CompoundStmt>(Written))
    Written = Block->size() == 1 ? Block->body_front() : nullptr;
  const Tree *Barrier = find(Written);
  if (!Barrier)
    return false;
  if (M.attempt([&] { return M.match(*Barrier, O); }))
    return true;
  if (!O.is("CallExpr") || O.Kids.size() != 1 ||
      !llvm::StringRef(withoutConversions(O.kid(0)).Name)
           .starts_with("Function __syncthreads :"))
    return false;
  auto ofBody = [&](auto &Self, const Tree &T) -> bool {
    const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
    if (T.is("DeclRefExpr") && V && T.Local &&
        (!M.Bound.ours(T.Local) ||
         llvm::any_of(M.Loop->Tile.HeaderVars,
                      [&](const HeaderVar &H) { return H.Var == V; })))
      return true;
    return llvm::any_of(T.Kids, [&](const std::unique_ptr<Tree> &Kid) {
      return Self(Self, *Kid);
    });
  };
  return ofBody(ofBody, *Barrier);
}

bool SkeletonMatcher::call(const Tree &O) {
  if (callsRuntime(O, "commit") || callsRuntime(O, "wait_prior"))
    return true;
  if (isBarrier(O) || (M.Loop->Authors && frees(O)))
    return true;
  if (M.Loop->Tile.Bulk || M.Loop->Tile.Matrix)
    if (auto Known = BulkMatcher(M).call(O))
      return *Known;
  if (O.is("GCCAsmStmt") && llvm::StringRef(O.Label).starts_with(" volatile"))
    return true; // asks the compiler to keep the copies, for measurements
  if (!O.is("CXXOperatorCallExpr") || O.Kids.size() < 2)
    return step(O);
  auto Found = Lambdas.find(withoutConversions(O.kid(1)).Local);
  if (Found == Lambdas.end())
    return step(O);
  if (Found->second == LoadLambda && InTiles && Around == Values::This)
    return M.fail(Author, {msg::meaning_tile_unknown});
  size_t At = 2;
  for (const std::unique_ptr<Tree> &P : Found->second->Kids) {
    if (!P->is("ParmVar"))
      continue;
    if (At == O.Kids.size())
      return M.fail(Author, {msg::meaning_argument_missing});
    const Tree &Value = O.kid(At++);
    bool Same = P->Name == M.Loop->Stage  ? isStage(Value)
                : P->Name == M.Loop->Slot ? isSlot(Value)
                                          : false;
    for (const HeaderVar &V : M.Loop->Tile.HeaderVars)
      if (P->Name == V.Var->getName())
        Same = isValue(Value, headerNumber(V.Var));
    if (!Same)
      return M.fail(Author, {msg::meaning_argument, P->Name});
  }
  return At == O.Kids.size();
}

bool SkeletonMatcher::declaration(const Tree &O) {
  if (!O.is("Var") || !O.Local)
    return M.fail(Author, {msg::meaning_declaration_added});
  if (O.Name == M.Loop->Stage) {
    M.Standings[M.Loop].Stage = O.Local;
    return true;
  }
  if (M.Loop->Tile.Bulk && O.Name == M.Loop->Parity)
    return BulkMatcher(M).declareParity(O);
  if (O.Name == M.Loop->More) {
    More = O.Local;
    bool Same = condition(O.kid(0));
    AskedByMore = Asked;
    return Same;
  }
  if (O.Name == M.Loop->Slot) {
    Slot = O.Local;
    return O.Kids.size() == 1 && O.kid(0).Label == "0";
  }
  for (const HeaderVar &V : M.Loop->Tile.HeaderVars) {
    unsigned Header = headerNumber(V.Var);
    if (O.Kids.size() == 1 && M.names(O.kid(0), M.Bound.ours(Header))) {
      Cursors[Header] = O.Local;
      return true;
    }
  }
  return M.fail(Author, {msg::meaning_declaration_added});
}

/// Whether there is a next tile is asked where there is one now: a run of one
/// tile would be left out otherwise.
bool SkeletonMatcher::conditionAround(const Tree &O) {
  if (!condition(O))
    return false;
  if (Asked == Values::Next && !HasTile && !Author.is("DoStmt") &&
      !asksForThis(O))
    return M.fail(Author, {msg::meaning_tile_left_out});
  HasTile |= Asked != Values::Ahead;
  return true;
}

bool SkeletonMatcher::statement(const Tree &O) {
  if (O.is("CompoundStmt")) {
    TreeList All = flattened(O);
    for (size_t I = 0; I != All.size(); ++I)
      if (M.Loop->Tile.Bulk && isTurn(*All[I])) {
        // The parity goes with the stage.
        if (++I == All.size() || !BulkMatcher(M).isFlip(*All[I]))
          return M.fail(Author, {msg::meaning_wait});
      } else if (M.Loop->Tile.Bulk && BulkMatcher::isWait(*All[I])) {
        if (!BulkMatcher(M).waitForTile(All, I))
          return false;
      } else if (!statement(*All[I])) {
        return false;
      }
    return true;
  }
  if (O.is("Var"))
    return declaration(O);
  if (O.is("BreakStmt") || O.is("NullStmt") ||
      (O.is("DoStmt") && isBarrier(O))) // `do __syncthreads(); while (0)`
    return true;
  auto Leave = llvm::make_scope_exit(
      [this, Outer = std::tuple(Around, InTiles, HasTile)] {
        std::tie(Around, InTiles, HasTile) = Outer;
      });
  if (O.is("IfStmt") || O.is("WhileStmt")) {
    if (O.Kids.size() != 2 || !conditionAround(O.kid(0)))
      return false;
    Around = Asked;
    InTiles |= O.is("WhileStmt");
    return statement(O.kid(1));
  }
  if (O.is("DoStmt")) {
    InTiles = true;
    Around = Values::This;
    HasTile = true;
    return statement(O.kid(0)) && condition(O.kid(1));
  }
  if (O.is("ForStmt")) {
    if (O.kid(0).is("DeclStmt"))
      for (const std::unique_ptr<Tree> &D : O.kid(0).Kids)
        if (!declaration(*D))
          return false;
    const Tree &Cond = withoutConversions(O.kid(2));
    bool Counts = isBinary(Cond, "<") && isSlot(Cond.kid(0));
    if (!(Counts ? condition(O.kid(2)) : conditionAround(O.kid(2))) ||
        !step(O.kid(3)))
      return false;
    if (!Counts) {
      Around = Asked;
      InTiles = true;
    }
    return statement(O.kid(4));
  }
  return call(O);
}

size_t SkeletonMatcher::begin(llvm::ArrayRef<const Tree *> Statements) {
  const Tree *Wanted = M.Loop->Tile.Init ? find(M.Loop->Tile.Init) : nullptr;
  if (!Wanted || Wanted->is("NullStmt"))
    return 0;
  TreeList Parts;
  if (Wanted->is("DeclStmt"))
    for (const std::unique_ptr<Tree> &D : Wanted->Kids)
      Parts.push_back(D.get());
  else
    Parts.push_back(Wanted);
  if (Parts.size() > Statements.size() ||
      Parts.front()->Kind != Statements.front()->Kind ||
      Parts.front()->Name != Statements.front()->Name)
    return 0;
  Begun = M.attempt([&] {
    for (size_t I = 0; I != Parts.size(); ++I)
      if (!M.match(*Parts[I], *Statements[I]))
        return M.fail(*Parts[I], {msg::meaning_start});
    return true;
  });
  return Begun ? Parts.size() : 0;
}

bool SkeletonMatcher::run(llvm::ArrayRef<const Tree *> Statements) {
  const Tree *Wanted = M.Loop->Tile.Init ? find(M.Loop->Tile.Init) : nullptr;
  if (!Begun && Wanted && !Wanted->is("NullStmt")) {
    size_t Length = Statements.empty() ? 0 : begin(Statements);
    if (!Length)
      return M.fail(*Wanted, {msg::meaning_start});
    Statements = Statements.drop_front(Length);
  }
  // A condition that steps a variable has done so before the first tile.
  if (const Tree *Step = stepInCondition(); Step && !Author.is("DoStmt")) {
    if (Statements.empty() || !tryAs(*Step, *Statements.front(), Values::This))
      return M.fail(*Step, {msg::meaning_step_missing});
    Statements = Statements.drop_front();
  }
  if (M.Loop->Authors && !startProducer(Statements))
    return false;
  for (const Tree *S : Statements)
    if (!statement(*S))
      return M.Difference.Where
                 ? false
                 : M.fail(Author, {msg::meaning_skeleton});
  return true;
}

} // namespace kpipe
