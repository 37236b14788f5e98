// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One mark for every 16 bytes of the array, see EngineFills.h.
#include "EngineFills.h"
#include "Code/KnownFunctions.h"
#include "Validation/Trees/CudaDeclarations.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

std::optional<uint64_t> constantSize(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult R;
  if (E->isValueDependent() || !E->EvaluateAsInt(R, Context) ||
      R.Val.getInt().isNegative())
    return std::nullopt;
  return R.Val.getInt().getZExtValue();
}

/// `As[3][0]` in bytes; nothing where it is none of Array's elements.
std::optional<uint64_t> elementOf(const VarDecl *Array, const Expr *E,
                                  const ASTContext &Context) {
  E = E->IgnoreParens();
  uint64_t At = 0;
  while (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(S->getBase()->IgnoreParens());
    const auto Index = constantSize(S->getIdx(), Context);
    if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay || !Index)
      return std::nullopt;
    At += *Index * Context.getTypeSizeInChars(S->getType()).getQuantity();
    E = Decay->getSubExpr()->IgnoreParens();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D && D->getDecl()->getCanonicalDecl() == Array->getCanonicalDecl()
             ? std::optional(At)
             : std::nullopt;
}

const CallExpr *loadsRow(const Stmt *S) {
  if (const auto *Full = dyn_cast<FullExpr>(S))
    S = Full->getSubExpr();
  const auto *C = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getQualifiedNameAsString() == "kpipe::load_row" &&
                 C->getNumArgs() == 4
             ? C
             : nullptr;
}

} // namespace

bool ofCopyEngine(const Stmt *At) {
  const auto *C = dyn_cast<CallExpr>(At);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return isa<GCCAsmStmt>(At) ||
         (F && isCudas(F) && classifyCall(F) == CallKind::AsyncCopy);
}

bool engineFills(const VarDecl *Array, const Stmt *Issue,
                 const ASTContext &Context) {
  constexpr uint64_t Piece = 16;
  const auto *If = dyn_cast<IfStmt>(Issue);
  const auto *Then = If ? dyn_cast<CompoundStmt>(If->getThen()) : nullptr;
  if (!Then || !Array->getType()->isConstantArrayType())
    return false;
  const uint64_t Bytes =
      Context.getTypeSizeInChars(Array->getType()).getQuantity();
  if (Bytes % Piece)
    return false;
  llvm::BitVector Brought(Bytes / Piece);
  for (const Stmt *S : Then->body()) {
    const CallExpr *C = loadsRow(S);
    const auto At = C ? elementOf(Array, C->getArg(0), Context) : std::nullopt;
    const auto Length = At ? constantSize(C->getArg(2), Context) : std::nullopt;
    if (!Length || *At % Piece || *Length % Piece || *At + *Length > Bytes)
      continue;
    Brought.set(*At / Piece, (*At + *Length) / Piece);
  }
  return Brought.all();
}

} // namespace kpipe
