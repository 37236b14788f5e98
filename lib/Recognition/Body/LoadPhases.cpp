// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loads as one, see LoadPhases.h. The second may be made with the first if
// nothing in between gives it a value, and nothing there uses its arrays.

#include "LoadPhases.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct Stretch {
  VarSet Stores;    ///< shared arrays
  VarSet Touches;   ///< shared arrays
  VarSet Exposed;   ///< variables that its stores read
  VarSet Changes;   ///< variables
  bool LoadsShared = false;
};

Stretch describe(const LoopFacts &Facts, llvm::ArrayRef<unsigned> Barriers,
                 unsigned From, unsigned To) {
  Stretch Out;
  for (unsigned I = 0; I != Facts.Items.size(); ++I) {
    const unsigned Number =
        llvm::count_if(Barriers, [&](unsigned B) { return B < I; });
    if (Number < From || Number >= To)
      continue;
    const Effects &E = Facts.Items[I];
    for (const MemoryAccess &A : E.Memory)
      if (A.Root.Where == Space::Shared && A.Root.Var) {
        Out.Touches.insert(A.Root.Var);
        if (A.Write)
          Out.Stores.insert(A.Root.Var);
      }
    if (E.writesShared()) {
      Out.Exposed.insert(E.Exposed.begin(), E.Exposed.end());
      Out.LoadsShared |= E.readsShared();
    }
    Out.Changes.insert(E.Writes.begin(), E.Writes.end());
  }
  return Out;
}

} // namespace

std::optional<Obstacle::Remark> asOneLoad(const LoopFacts &Facts,
                                          llvm::ArrayRef<unsigned> Barriers,
                                          unsigned First, unsigned Second) {
  const Stretch A = describe(Facts, Barriers, First, First + 1),
                Between = describe(Facts, Barriers, First + 1, Second),
                B = describe(Facts, Barriers, Second, Second + 1);
  auto meets = [](const VarSet &X, const VarSet &Y) {
    return llvm::any_of(X, [&](const VarDecl *V) { return Y.count(V); });
  };
  if (B.LoadsShared || B.Stores.empty() || meets(B.Exposed, Between.Changes))
    return std::nullopt;
  const SourceLocation Here = startOf(Facts.Tile.Body[Barriers[First]].S);
  for (const VarDecl *V : inOrder(B.Stores))
    if (A.Stores.count(V))
      return Obstacle::Remark{Here, {msg::load_into_own_array, quoted(V)}};
  if (meets(B.Stores, Between.Touches) || meets(B.Stores, A.Touches))
    return std::nullopt;
  return Obstacle::Remark{
      Here, {msg::load_before_first_barrier, quoted(inOrder(B.Stores).front())}};
}

bool mayFillShared(const LoopFacts &Facts) {
  VarSet Stored; // what is stored to shared memory is made of these
  llvm::SmallVector<bool, 16> Feeds(Facts.Items.size());
  for (bool More = true; More;) {
    More = false;
    for (auto [E, Known] : llvm::zip_equal(Facts.Items, Feeds)) {
      if (E.has(EventKind::AsyncCopy) || E.has(EventKind::UnknownCall) ||
          E.has(EventKind::UnknownAsm))
        return true;
      if (Known || !(E.writesShared() ||
                     llvm::any_of(E.Writes, [&](const VarDecl *V) {
                       return Stored.count(V);
                     })))
        continue;
      if (E.readsGlobal())
        return true;
      Known = More = true;
      Stored.insert(E.Exposed.begin(), E.Exposed.end());
    }
  }
  return false;
}

namespace {

/// The pointer member of the function's own object that code stores through.
struct StoredThrough : ConstDynamicRecursiveASTVisitor {
  const FieldDecl *Member = nullptr;

  void look(const Expr *Place) {
    for (Place = Place->IgnoreParenCasts();;) {
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(Place))
        Place = A->getBase()->IgnoreParenCasts();
      else if (const auto *U = dyn_cast<UnaryOperator>(Place);
               U && U->getOpcode() == UO_Deref)
        Place = U->getSubExpr()->IgnoreParenCasts();
      else if (const auto *B = dyn_cast<BinaryOperator>(Place);
               B && B->isAdditiveOp())
        Place = B->getLHS()->IgnoreParenCasts();
      else
        break;
    }
    const auto *M = dyn_cast<MemberExpr>(Place);
    const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
    if (!Member && F && F->getType()->isPointerType() &&
        isa<CXXThisExpr>(M->getBase()->IgnoreParenCasts()))
      Member = F;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      look(B->getLHS());
    return !Member;
  }
};

} // namespace

bool findsNoTile(LoopFacts &Facts, unsigned Last) {
  Facts.Obstacles.push_back({RuleId::NotATileLoop, startOf(Facts.Tile.Loop),
                             msg::no_tile_is_loaded, {}});
  for (unsigned I = 0; I != Last; ++I)
    for (const MemoryAccess &A : Facts.Items[I].Memory) {
      if (!A.Write || !A.At || A.Root.Where == Space::Shared)
        continue;
      StoredThrough Through;
      Through.look(A.At);
      const auto *C = dyn_cast<CallExpr>(A.At);
      const FunctionDecl *Body = nullptr;
      if (const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
          F && F->hasBody(Body))
        Through.TraverseStmt(Body->getBody());
      if (!Through.Member)
        continue;
      Facts.Obstacles.back().Notes.push_back(
          {startOf(A.At),
           {msg::stored_through_member, Through.Member->getNameAsString()}});
      return false;
    }
  return false;
}

} // namespace kpipe
