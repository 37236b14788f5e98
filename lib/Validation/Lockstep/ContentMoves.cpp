// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between stages, statement by statement, and who takes part in them, see
// ContentMoves.h.
#include "ContentMoves.h"
#include "OutsideNames.h"
#include "Validation/Trees/EndedThreads.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool keepsContents(const DeclaredLoop &L, const Decl *Name) {
  return llvm::any_of(L.Tile.Buffers, [&](const StagedBuffer &B) {
    return B.KeepsContents &&
           (B.Var->getCanonicalDecl() == Name ||
            llvm::any_of(B.Views, [&](const VarDecl *V) {
              return V->getCanonicalDecl() == Name;
            }));
  });
}

/// What has all stages of a buffer: its own name, or that of all.
bool ContentMoves::isFirst(const Tree &O, const StagedBuffer &B) const {
  const Decl *Of = B.Var->getCanonicalDecl();
  const Tree &First = withoutConversions(O);
  return First.is("DeclRefExpr") &&
         (First.Local ? First.Local == M.Bound.ours(M.Numbers.lookup(Of))
                      : First.Name == M.Keys.lookup(Of));
}

/// The bytes of one stage: `stage_bytes`, or `sizeof(xs_stages[0])`.
bool ContentMoves::isBytes(const Tree &O, const StagedBuffer &B) const {
  const Tree &Bytes = withoutConversions(O);
  if (B.Block)
    return M.names(Bytes, M.Standings[&L].Bytes);
  if (!Bytes.is("UnaryExprOrTypeTraitExpr") || Bytes.Label != "0" ||
      Bytes.Kids.size() != 1)
    return false;
  const Tree &Stage = withoutConversions(Bytes.kid(0));
  return Stage.is("ArraySubscriptExpr") && isFirst(Stage.kid(0), B) &&
         withoutConversions(Stage.kid(1)).is("IntegerLiteral");
}

/// `kpipe::to_all_stages<2>(smem, stage_bytes);`
bool ContentMoves::isSpread(const Tree &O, const StagedBuffer &B) const {
  if (!callsRuntime(O, "to_all_stages") || O.Kids.size() != 3)
    return false;
  const std::string Stages =
      "to_all_stages<" + std::to_string(L.Stages) + ", ";
  return llvm::StringRef(withoutConversions(O.kid(0)).Name).contains(Stages) &&
         isFirst(O.kid(1), B) && isBytes(O.kid(2), B);
}

/// `kpipe::to_first_stage(smem, stage * stage_bytes, stage_bytes);`
bool ContentMoves::isMove(const Tree &O, const StagedBuffer &B) const {
  if (!callsRuntime(O, "to_first_stage") || O.Kids.size() != 4)
    return false;
  const Tree &Distance = withoutConversions(O.kid(2));
  return isFirst(O.kid(1), B) && isBinary(Distance, "*") &&
         M.names(withoutConversions(Distance.kid(0)), M.Standings[&L].Stage) &&
         isBytes(Distance.kid(1), B) && isBytes(O.kid(3), B);
}

static bool isBarrier(const Tree &O) {
  return O.is("CallExpr") && O.Kids.size() == 1 &&
         llvm::StringRef(withoutConversions(O.kid(0)).Name)
             .starts_with("Function __syncthreads :");
}

/// Is there a way out of the kernel in front of the loop's end? Who has left
/// moves nothing.
static bool mayHaveLeft(const DeclaredLoop &L, const SourceManager &SM) {
  auto walk = [&](auto &Self, const Stmt *S) -> bool {
    if (!S || isa<LambdaExpr>(S))
      return false;
    if ((isa<ReturnStmt>(S) || (isa<Expr, DeclStmt, AsmStmt>(S) &&
                                endsThreads(S))) &&
        SM.isBeforeInTranslationUnit(
            SM.getExpansionLoc(S->getBeginLoc()),
            SM.getExpansionLoc(L.Tile.Loop->getEndLoc())))
      return true;
    return llvm::any_of(S->children(),
                        [&](const Stmt *Kid) { return Self(Self, Kid); });
  };
  return walk(walk, L.Tile.Function->getBody());
}

std::optional<size_t>
ContentMoves::before(const Tree &A, llvm::ArrayRef<const Tree *> Os) const {
  if (L.Stages == 1 ||
      llvm::none_of(L.Tile.Buffers,
                    [](const StagedBuffer &B) { return B.KeepsContents; }))
    return 0;
  // What one thread leaves out no other one copies.
  if (!SameForAll(*M.Function).come(A) ||
      mayHaveLeft(L, M.Context.getSourceManager()))
    return std::nullopt;
  for (const StagedBuffer &B : L.Tile.Buffers)
    if (B.KeepsContents && otherWayIn(*M.Function, A, B))
      return std::nullopt;
  size_t Count = 0;
  auto next = [&]() { return Count == Os.size() ? nullptr : Os[Count++]; };
  const Tree *O = next();
  if (!O || !isBarrier(*O))
    return std::nullopt;
  for (const StagedBuffer &B : L.Tile.Buffers)
    if (B.KeepsContents && (!(O = next()) || !isSpread(*O, B)))
      return std::nullopt;
  if (!(O = next()) || !isBarrier(*O))
    return std::nullopt;
  return Count;
}

std::optional<size_t>
ContentMoves::after(const Tree &A, llvm::ArrayRef<const Tree *> Os) const {
  if (L.Stages == 1)
    return 0;
  size_t Count = 0;
  for (const StagedBuffer &B : L.Tile.Buffers)
    if ((B.KeepsContents ||
         (L.InBlock && B.Block && !B.MentionsAfter.empty())) &&
        (Count == Os.size() || !isMove(*Os[Count++], B)))
      return std::nullopt;
  if (!Count)
    return 0;
  const bool AllMove = SameForAll(*M.Function).come(A);
  if (!AllMove || mayHaveLeft(L, M.Context.getSourceManager()) ||
      Count == Os.size() || !isBarrier(*Os[Count]))
    return std::nullopt;
  return Count + 1;
}

} // namespace kpipe
