// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lvalues and pointers, see Offsets.h.
#include "Code/AstUtils.h"
#include "Code/Sugar.h"
#include "Offsets.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

std::optional<BlockAddress> Offsets::moved(const Expr *Pointer, const Expr *By,
                                           int64_t Sign, QualType Element) {
  if (Element->isIncompleteType() || !hasSize(Element))
    return std::nullopt;
  std::optional<BlockAddress> At = pointer(Pointer);
  std::optional<Value> Index = At ? of(By) : std::nullopt;
  if (!Index)
    return std::nullopt;
  // Addresses have 64 bits.
  if (Context.getIntWidth(By->getType()) < 64)
    Index = widened(std::move(Index), By->getType());
  auto Bytes = add(At->Bytes, Index->P,
                   Sign * Context.getTypeSizeInChars(Element).getQuantity());
  if (!Bytes)
    return std::nullopt;
  return BlockAddress{At->Base, std::move(*Bytes)};
}

std::optional<BlockAddress> Offsets::place(const Expr *E) {
  if (!E || Depth >= MostDepth)
    return std::nullopt;
  ++Depth;
  auto Ask = [&]() -> std::optional<BlockAddress> {
    E = withoutSugar(E);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return moved(A->getBase(), A->getIdx(), 1, A->getType());
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (V && V->getType()->isArrayType())
        return BlockAddress{symbolFor(V, D), {}};
      return std::nullopt;
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_Deref)
      return pointer(U->getSubExpr());
    if (const auto *C = dyn_cast<CastExpr>(E);
        C && (C->getCastKind() == CK_NoOp ||
              C->getCastKind() == CK_LValueBitCast))
      return place(C->getSubExpr());
    return std::nullopt;
  };
  std::optional<BlockAddress> Found = Ask();
  --Depth;
  return Found;
}

std::optional<BlockAddress> Offsets::pointer(const Expr *E) {
  if (Depth >= MostDepth)
    return std::nullopt;
  ++Depth;
  auto Ask = [&]() -> std::optional<BlockAddress> {
    E = withoutSugar(E);
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp()) {
      const Expr *L = B->getLHS(), *R = B->getRHS();
      if (!L->getType()->isPointerType())
        std::swap(L, R);
      if (!L->getType()->isPointerType() || R->getType()->isPointerType())
        return std::nullopt;
      return moved(L, R, B->getOpcode() == BO_Add ? 1 : -1,
                   L->getType()->getPointeeType());
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      return place(U->getSubExpr());
    const auto *C = dyn_cast<CastExpr>(E);
    if (!C)
      return std::nullopt;
    const Expr *Sub = C->getSubExpr();
    switch (C->getCastKind()) {
    case CK_NoOp:
    case CK_BitCast:
      return pointer(Sub);
    case CK_ArrayToPointerDecay:
      return place(Sub);
    case CK_LValueToRValue: {
      const auto *D = dyn_cast<DeclRefExpr>(withoutSugar(Sub));
      if (D)
        return pointerVariable(D);
      if (!isPlain(C) || differs(C))
        return std::nullopt;
      return BlockAddress{symbolFor(C), {}};
    }
    default:
      return std::nullopt;
    }
  };
  std::optional<BlockAddress> Found = Ask();
  --Depth;
  return Found;
}

std::optional<BlockAddress> Offsets::pointerVariable(const DeclRefExpr *D) {
  const auto *V = dyn_cast<VarDecl>(D->getDecl());
  if (!V || V->getType()->isReferenceType())
    return std::nullopt;
  if (isOfBlock(D, V))
    return BlockAddress{symbolFor(V, D), {}};
  return initially(V, [&](const Expr *Init) { return pointer(Init); });
}

} // namespace kpipe
