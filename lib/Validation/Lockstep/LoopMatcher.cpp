// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part by part in the order of the output, see LoopMatcher.h.
#include "LoopMatcher.h"
#include "AccountCheck.h"
#include "BulkMatcher.h"
#include "LoadMatcher.h"
#include "ProducerMatcher.h"
#include "StageMatcher.h"
#include "Validation/Trees/QuietLives.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace kpipe {

const BodyItem *itemOf(const Tree &S, const TileLoop &T) {
  for (const BodyItem &I : T.Body) {
    const Stmt *Plain = I.S;
    while (const auto *A = dyn_cast<AttributedStmt>(Plain))
      Plain = A->getSubStmt();
    while (isa<ParenExpr, FullExpr>(Plain))
      Plain = isa<ParenExpr>(Plain) ? cast<ParenExpr>(Plain)->getSubExpr()
                                    : cast<FullExpr>(Plain)->getSubExpr();
    if (S.Origin == Plain)
      return &I;
    if (const auto *D = dyn_cast<DeclStmt>(Plain); D && S.Of)
      for (const Decl *One : D->decls())
        if (One->getCanonicalDecl() == S.Of)
          return &I;
  }
  return nullptr;
}

/// `auto *As_stages = As;`
bool LoopMatcher::bindFirst(const Tree &O) {
  for (const DeclaredLoop::StagedVar &N : Loop.Staged) {
    if (!N.View || O.Name != N.Stages || O.Kids.size() != 1)
      continue;
    const Tree &From = withoutConversions(O.kid(0));
    const Decl *Of = N.Var->getCanonicalDecl();
    bool Same = From.is("DeclRefExpr") &&
                (From.Local ? From.Local == M.Bound.ours(M.Numbers.lookup(Of))
                            : From.Name == M.Keys.lookup(Of));
    if (Same)
      M.Standings[&Loop].Firsts[Of] = O.Local;
    return Same;
  }
  return false;
}

bool LoopMatcher::bindParameters(const Tree &Lambda, const Tree &In,
                                 LoadHalf Which) {
  const TileLoop &T = Loop.Tile;
  for (const std::unique_ptr<Tree> &P : Lambda.Kids) {
    if (P->is("Capture")) {
      bool Declared = llvm::any_of(T.PrivateToLoad, [&](const VarDecl *V) {
        unsigned Number = M.Numbers.lookup(V->getCanonicalDecl());
        return P->Local && M.Bound.ours(Number) == P->Local;
      });
      if (!Declared || Which != LoadHalf::Ahead)
        return M.fail(In, {msg::meaning_captured_copy, P->Name});
    }
    if (!P->is("ParmVar"))
      continue;
    bool Known = P->Name == Loop.Slot;
    if (P->Name == Loop.Stage) {
      M.Standings[&Loop].Stage = P->Local;
      Known = true;
    }
    for (const HeaderVar &V : T.HeaderVars)
      if (P->Name == V.Var->getName()) {
        QualType Kept = V.Var->getType().getUnqualifiedType();
        if (V.Var->getType().isRestrictQualified())
          Kept.addRestrict();
        if (P->Type != M.typeText(Kept))
          return M.fail(In, {msg::meaning_parameter_type, P->Name, P->Type});
        M.Bound.bind(M.Numbers.lookup(V.Var->getCanonicalDecl()), P->Local);
        Known = true;
      }
    if (!Known)
      return M.fail(In, {msg::meaning_parameter_unknown, P->Name});
  }
  return true;
}

bool LoopMatcher::matchAll(llvm::ArrayRef<const Tree *> As,
                           llvm::ArrayRef<const Tree *> Rest) {
  bool Same = true;
  for (size_t I = 0; Same && I != As.size(); ++I)
    Same = I < Rest.size() ? M.match(*As[I], *Rest[I])
                           : M.fail(*As[I], {msg::meaning_statement_missing});
  if (Same && Rest.size() != As.size())
    Same = M.fail(*As.front(), {msg::meaning_statement_added});
  return Same;
}

bool LoopMatcher::matchLambda(const Tree &Lambda,
                              llvm::ArrayRef<const Tree *> As, LoadHalf Which) {
  OneToOne Names = M.Bound;
  Standing Before = M.Standings[&Loop];
  size_t From = M.Trail.size();
  const TileLoop &T = Loop.Tile;
  for (const HeaderVar &V : T.HeaderVars)
    M.Bound.forget(M.Numbers.lookup(V.Var->getCanonicalDecl()));
  if (!bindParameters(Lambda, *As.front(), Which))
    return false;
  TreeList Os = flattened(*Lambda.Kids.back());
  size_t Skip = 0;
  while (Skip != Os.size() && Os[Skip]->is("Var") &&
         StageMatcher(M).bindReference(Loop, *Os[Skip]))
    ++Skip;
  M.Half = Which;
  llvm::ArrayRef<const Tree *> Rest = llvm::ArrayRef(Os).drop_front(Skip);
  const bool Same = Which != LoadHalf::None
                        ? LoadMatcher(M).matchSome(As, Rest, *As.front())
                        : matchAll(As, Rest);
  M.Half = LoadHalf::None;
  M.Bound = std::move(Names);
  M.Standings[&Loop] = Before;
  for (const Tree *Node : llvm::ArrayRef(M.Trail).drop_front(From)) {
    ++M.Counted->Times[Node];
    if (!M.Counted->Kept[int(Which)].insert(Node).second)
      M.Counted->Twice.insert(Node);
  }
  return Same;
}

bool LoopMatcher::sortStatements() {
  const Tree &Body =
      *Author.Kids[Author.is("DoStmt") ? 0 : Author.Kids.size() - 1];
  for (const Tree *S : flattened(Body)) {
    const BodyItem *Item = itemOf(*S, Loop.Tile);
    if (!Item)
      return M.fail(*S, {msg::meaning_statement_unclaimed});
    if (Item->Replaced && !BulkMatcher(M).onlyWaits(*Item))
      return M.fail(*S, {msg::meaning_statement_unclaimed});
    if (Item->SharedDecl)
      Shared.push_back(S);
    if (Item->InLoad)
      Load.push_back(S);
    if (Item->InCompute)
      Compute.push_back(S);
  }
  return true;
}

/// Shared arrays, and what their types are made of, stand in front of the
/// block's lambdas.
const Tree *LoopMatcher::movedOut(const Tree &V) {
  if (NextMoved == Shared.size() || Shared[NextMoved]->Kind != V.Kind ||
      StageMatcher(M).nameOfStages(*Shared[NextMoved], Loop) != V.Name)
    return nullptr;
  return Shared[NextMoved++];
}

/// Before C++17 a closure is made elsewhere and moved to its variable.
static const Tree &lambdaOf(const Tree &V) {
  const Tree *At = &V;
  do
    At = At->Kids.size() == 1 ? &At->kid(0) : &V;
  while (At->is("CXXConstructExpr") || At->is("MaterializeTemporaryExpr") ||
         At->is("ImplicitCastExpr"));
  return *At;
}

std::optional<bool> LoopMatcher::part(const Tree &V) {
  if (const Tree *Moved = movedOut(V)) {
    bool Staged = V.is("Var") && M.stagedBy(Moved->Of);
    return Staged ? StageMatcher(M).bindStaged(*Moved, V, Loop)
                  : M.match(*Moved, V);
  }
  if (!V.is("Var"))
    return std::nullopt;
  if (V.Name == Loop.StageBytes && !V.Name.empty()) {
    M.Standings[&Loop].Bytes = V.Local;
    return true;
  }
  if (!HasLoad &&
      (bindFirst(V) || ProducerMatcher(M).declaresEmpty(V)))
    return true;
  const Tree &Lambda = lambdaOf(V);
  if (Lambda.is("LambdaExpr"))
    return lambda(V, Lambda);
  // Registers stand before the lambdas, the header's variables behind.
  if (HasCompute)
    return std::nullopt;
  // Each thread has registers of its own, and making them does nothing.
  auto Made = [&](const Tree &Kid) {
    return Kid.is("CXXConstructExpr") &&
           llvm::all_of(
               Kid.Kids,
               [](auto &Arg) { return Arg->is("CXXDefaultArgExpr"); }) &&
           llvm::all_of(Loop.Tile.Copies, [](const TileCopy &C) {
             const QualType T = C.Dst->getType().getNonReferenceType();
             return isBornQuietly(T) && diesQuietly(T);
           });
  };
  if (StageMatcher(M).isFirstStage(V, Loop)) {
    M.Counted->NoRegisters.insert(V.Local);
    return true;
  }
  return (V.Label.empty() && !llvm::StringRef(V.Type).contains('&') &&
          llvm::all_of(V.Kids, [&](auto &Kid) { return Made(*Kid); })) ||
         M.fail(Author, {msg::meaning_statement_added});
}

std::optional<bool> LoopMatcher::lambda(const Tree &V, const Tree &Lambda) {
  bool Same = true;
  if (V.Name == Loop.Load && !Load.empty()) {
    HasLoad = true;
    Same = matchLambda(Lambda, Load, LoadHalf::Ahead);
  } else if (V.Name == Loop.Store && !Load.empty()) {
    HasStore = true;
    Same = matchLambda(Lambda, Load, LoadHalf::Store);
  } else if (V.Name == Loop.Compute) {
    HasCompute = true;
    Same = Compute.empty() ? Lambda.Kids.back()->Kids.empty()
                           : matchLambda(Lambda, Compute, LoadHalf::None);
  } else if (V.Name == Loop.HasTile || V.Name == Loop.NextTile) {
    return true; // looked at where it is called
  } else {
    return std::nullopt;
  }
  if (Same)
    Skeleton.addLambda(V.Local, Lambda, V.Name == Loop.Load);
  return Same;
}

/// `blockDim.x != 256`, of which several may be joined.
static bool asksForBlock(const Tree &T) {
  if (isBinary(T, "||"))
    return asksForBlock(T.kid(0)) && asksForBlock(T.kid(1));
  if (!isBinary(T, "!="))
    return false;
  const Tree *Size = &withoutConversions(T.kid(0));
  if (!withoutConversions(T.kid(1)).is("IntegerLiteral") ||
      !Size->is("MSPropertyRefExpr") || Size->Kids.size() != 1)
    return false;
  const Tree &Of = withoutConversions(Size->kid(0));
  return Of.is("DeclRefExpr") && !Of.Local &&
         llvm::StringRef(Of.Name).contains("blockDim");
}

/// A launch of blocks that the registers are not counted for is stopped, and
/// nothing else is done.
static bool stopsOtherBlocks(const Tree &O) {
  if (!O.is("IfStmt") || !O.Label.empty() || O.Kids.size() < 2)
    return false;
  const Tree *Condition = nullptr, *Then = nullptr;
  for (const std::unique_ptr<Tree> &Kid : O.Kids) {
    if (Kid->is("-"))
      continue;
    if (Then)
      return false;
    (Condition ? Then : Condition) = Kid.get();
  }
  return Then && asksForBlock(*Condition) && Then->is("CallExpr") &&
         Then->Kids.size() == 1 &&
         llvm::StringRef(withoutConversions(Then->kid(0)).Name)
             .contains("__trap");
}

bool LoopMatcher::run(const Tree &O) {
  TreeList Os = flattened(O);
  size_t I = 0;
  for (; I != Os.size(); ++I) {
    // A header that declares more than it advances begins before the lambdas.
    if (!HasLoad && !Skeleton.begun())
      if (size_t Length = Skeleton.begin(llvm::ArrayRef(Os).drop_front(I))) {
        I += Length - 1;
        continue;
      }
    if (!HasLoad && stopsOtherBlocks(*Os[I]))
      continue;
    std::optional<bool> Same = part(*Os[I]);
    if (!Same)
      break;
    if (!*Same)
      return false;
  }
  if (NextMoved != Shared.size())
    return M.fail(*Shared[NextMoved], {msg::meaning_declaration_missing});
  if (!HasLoad || !HasCompute || HasStore == Loop.Store.empty())
    return M.fail(Author, {msg::meaning_part_missing});
  return AccountCheck(M, Author).run() &&
         Skeleton.run(llvm::ArrayRef(Os).drop_front(I));
}

bool Matcher::matchLoop(const Tree &A, const Tree &O) {
  const DeclaredLoop *Outer = Loop;
  Loop = loopOf(A);
  if (!O.is("CompoundStmt"))
    return fail(A, {msg::meaning_no_block});
  Standing &At = Standings[Loop];
  unsigned OuterStage = At.Stage;
  At.Where = Standing::Inside;
  LoopMatcher Match(*this, A);
  if (!Match.sortStatements())
    return false;

  Account Both;
  Counted = &Both;
  const bool Same = Match.run(O);
  Counted = nullptr;
  Standings[Loop].Where = Standing::After;
  if (OuterStage)
    Standings[Loop].Stage = OuterStage;
  if (Same || !Difference.In)
    Difference.In = Difference.In ? Difference.In : Loop;
  Loop = Outer;
  return Same;
}

} // namespace kpipe
