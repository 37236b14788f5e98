// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NoTile.h"
#include "Code/AstUtils.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool loadsTo(const Effects &E, const VarDecl *V) {
  return E.readsGlobal() && E.Writes.count(V);
}

static bool readsArray(const Effects &E, const VarDecl *V) {
  return llvm::any_of(E.Memory, [&](const MemoryAccess &A) {
    return !A.Write && A.Root.Where == Space::Shared && A.Root.Var == V;
  });
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

/// Where a tile may be stored in a way that is not followed.
static llvm::SmallVector<Obstacle::Remark, 2>
storesThroughMember(const LoopFacts &Facts, unsigned Last) {
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
      if (Through.Member)
        return {
            {startOf(A.At),
             {msg::stored_through_member, Through.Member->getNameAsString()}}};
    }
  return {};
}

static Message whyNoTile(const LoopFacts &Facts,
                         llvm::ArrayRef<unsigned> Barriers) {
  auto Stretch = [&](unsigned Item) {
    return llvm::count_if(Barriers, [&](unsigned B) { return B < Item; });
  };
  const unsigned Count = Facts.Items.size();
  for (unsigned I = 0; I != Count; ++I) {
    const Effects &E = Facts.Items[I];
    for (const MemoryAccess &A : E.Memory) {
      if (!A.Write || A.Root.Where != Space::Shared || !A.Root.Var)
        continue;
      const VarDecl *Array = A.Root.Var;
      bool Read = false;
      for (unsigned J = 0; J != Count; ++J)
        Read |= Stretch(J) == Stretch(I) && readsArray(Facts.Items[J], Array);
      for (const VarDecl *V : E.Exposed) {
        bool Here = false, Later = false;
        for (unsigned J = 0; J != Count; ++J)
          (J < I ? Here : Later) |= loadsTo(Facts.Items[J], V);
        if (Later && !Here)
          return {msg::tile_loaded_ahead, quoted(Array), quoted(V)};
        if (Here && Read)
          return {msg::tile_stored_beside_reads, quoted(Array)};
      }
    }
  }
  return msg::no_tile_is_loaded;
}

bool saysNoTile(LoopFacts &Facts, llvm::ArrayRef<unsigned> Barriers) {
  Facts.Obstacles.push_back({RuleId::NotATileLoop, startOf(Facts.Tile.Loop),
                             whyNoTile(Facts, Barriers),
                             storesThroughMember(Facts, Barriers.back())});
  return false;
}

} // namespace kpipe
