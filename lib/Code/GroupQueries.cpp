// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GroupQueries.h"
#include "KnownFunctions.h"
#include "Values.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

int64_t GroupQuery::value(const std::array<unsigned, 3> &Block,
                          const std::array<unsigned, 3> &Thread) const {
  if (!Rank)
    return Tile ? Tile : int64_t(Block[0]) * Block[1] * Block[2];
  int64_t InBlock =
      (int64_t(Thread[2]) * Block[1] + Thread[1]) * Block[0] + Thread[0];
  return Tile ? InBlock % Tile : InBlock;
}

std::optional<GroupQuery> groupQuery(const CallExpr *C) {
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
  const auto *Member =
      dyn_cast<MemberExpr>(C->getCallee()->IgnoreParenImpCasts());
  if (!M || !Member || !M->getIdentifier() || C->getNumArgs() ||
      !isToolkits(M))
    return std::nullopt;
  llvm::StringRef Name = M->getName();
  GroupQuery Q;
  Q.Rank = Name == "thread_rank";
  if (!Q.Rank && Name != "size" && Name != "num_threads")
    return std::nullopt;
  QualType T = Member->getBase()->IgnoreParenImpCasts()->getType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const auto *R = T->getAsCXXRecordDecl();
  if (!R || !R->getIdentifier() || !isToolkits(R))
    return std::nullopt;
  if (R->getName() == "thread_block")
    return Q;
  const auto *Tile = dyn_cast<ClassTemplateSpecializationDecl>(R);
  if (!Tile || R->getName() != "thread_block_tile" ||
      Tile->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  Q.Tile = Tile->getTemplateArgs()[0].getAsIntegral().getExtValue();
  return Q.Tile ? std::optional(Q) : std::nullopt;
}

const Expr *withoutCopies(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    const auto *Made = dyn_cast<CXXConstructExpr>(E);
    if (isa<FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(E))
      E = cast<Expr>(*E->child_begin());
    else if (Made && Made->getNumArgs() == 1 &&
             Made->getConstructor()->isCopyOrMoveConstructor())
      E = Made->getArg(0);
    else
      return E;
  }
}

bool namesGroup(const Expr *Group) {
  const Expr *E = withoutCopies(Group);
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return isa<DeclRefExpr>(E) ||
         (F && F->getIdentifier() && !C->getNumArgs() && isToolkits(F) &&
          F->getName() == "this_thread_block");
}

std::optional<int64_t> Values::group(const GroupQuery &Q) {
  AskedForThread |= Q.Rank;
  if (!Q.Tile || Q.Rank)
    AskedForBlock |= 7;
  const bool NeedsBlock = Q.Rank || !Q.Tile;
  if ((NeedsBlock && !Block) || (Q.Rank && !Thread))
    return std::nullopt;
  return Q.value(Block.value_or(Extent3{1, 1, 1}),
                 Thread.value_or(Extent3{0, 0, 0}));
}

} // namespace kpipe
