// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions by their kind, see Offsets.h.
#include "Offsets.h"
#include "Changes.h"
#include "Code/AstUtils.h"
#include "Code/Sugar.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Offsets::Offsets(const LoopFacts &Facts, Extent3 Block)
    : Facts(Facts), Context(Facts.In->context()), Known(Context),
      Threads(Facts.Tile.Function, Facts.In->calls()) {
  Known.Block = Block;
  for (unsigned I = 0; I != Facts.Tile.Body.size(); ++I)
    for (const TileCopy &C : Facts.Tile.Copies)
      if (!pathTo(C.Helper ? static_cast<const Stmt *>(C.HelperCall) : C.Store,
                  Facts.Tile.Body[I].S)
               .empty())
        LastCopy = I + 1;
}

std::optional<Polynomial> Offsets::value(const Expr *E) {
  std::optional<Value> V = of(E);
  return V ? std::optional(std::move(V->P)) : std::nullopt;
}

std::optional<Offsets::Value> Offsets::of(const Expr *E) {
  if (!E || Depth >= MostDepth)
    return std::nullopt;
  ++Depth;
  std::optional<Value> V = compute(withoutSugar(E));
  --Depth;
  return V;
}

std::optional<Offsets::Value> Offsets::compute(const Expr *E) {
  if (auto At = Fixed.find(E); At != Fixed.end())
    return Value{Polynomial::number(At->second)};
  if (!E->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (std::optional<int64_t> N = Known.evaluate(E))
    return Value{Polynomial::number(*N)};
  if (const auto *C = dyn_cast<CastExpr>(E))
    return converted(C);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return variable(D);
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Plus)
      return of(U->getSubExpr());
    if (U->getOpcode() == UO_Minus)
      if (std::optional<Value> V = of(U->getSubExpr()))
        if (auto P = add({}, V->P, -1))
          return Value{*P, V->MayWrap || E->getType()->isUnsignedIntegerType()};
  }
  return opaque(E);
}

/// What may have wrapped is remembered when more bits follow.
std::optional<Offsets::Value> Offsets::widened(std::optional<Value> V,
                                               QualType From) {
  if (V && !V->P.asNumber())
    Narrow.push_back(
        {V->P, V->MayWrap, From.getCanonicalType().getUnqualifiedType()});
  if (V && V->MayWrap) {
    Widened.push_back(V->P);
    V->MayWrap = false;
  }
  return V;
}

std::optional<Offsets::Value> Offsets::converted(const CastExpr *C) {
  const Expr *Sub = C->getSubExpr();
  switch (C->getCastKind()) {
  case CK_LValueToRValue:
    return isa<DeclRefExpr>(withoutSugar(Sub)) ? of(Sub) : opaque(C);
  case CK_NoOp:
    return of(Sub);
  case CK_IntegralCast: {
    const unsigned From = Context.getIntWidth(Sub->getType()),
                   To = Context.getIntWidth(C->getType());
    if (From < 32 || To < 32)
      return opaque(C);
    std::optional<Value> V = of(Sub);
    if (To > From)
      return widened(std::move(V), Sub->getType());
    if (V && !V->P.asNumber())
      V->MayWrap |= To < From || Sub->getType()->isSignedIntegerType() !=
                                     C->getType()->isSignedIntegerType();
    return V;
  }
  default:
    return opaque(C);
  }
}

std::optional<Offsets::Value> Offsets::binary(const BinaryOperator *B) {
  const BinaryOperatorKind Op = B->getOpcode();
  if (Op != BO_Add && Op != BO_Sub && Op != BO_Mul && Op != BO_Shl)
    return opaque(B);
  std::optional<Value> L = of(B->getLHS());
  std::optional<Value> R = L ? of(B->getRHS()) : std::nullopt;
  if (!L || !R)
    return std::nullopt;
  std::optional<Polynomial> P;
  if (Op == BO_Mul) {
    P = multiply(L->P, R->P);
  } else if (Op == BO_Shl) {
    std::optional<int64_t> By = R->P.asNumber();
    if (!By || *By < 0 || *By > 24)
      return opaque(B);
    P = multiply(L->P, Polynomial::number(int64_t(1) << *By));
  } else {
    P = add(L->P, R->P, Op == BO_Add ? 1 : -1);
  }
  if (!P)
    return std::nullopt;
  return Value{std::move(*P), L->MayWrap || R->MayWrap ||
                                  B->getType()->isUnsignedIntegerType()};
}

bool Offsets::isInLoop(const VarDecl *V) const {
  const SourceManager &SM = Context.getSourceManager();
  const Stmt *Body = Facts.Tile.Body.front().S;
  return V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
         !SM.isBeforeInTranslationUnit(V->getLocation(), Body->getBeginLoc());
}

/// Nothing changes V between the beginning of a turn and its last copy.
bool Offsets::isSteady(const VarDecl *V) {
  if (V->getType()->isReferenceType() || V->getType().isVolatileQualified())
    return false;
  if (!V->hasLocalStorage())
    return V->hasAttr<CUDAConstantAttr>();
  if (Known.unchanged(V))
    return true;
  // What has another name may be changed by it.
  if (InFront || Facts.In->function() != V->getDeclContext())
    return false;
  if (!changesOf(V, Facts.Tile.Function->getBody()))
    return false;
  // A pointer may move on behind the copies.
  for (unsigned I = 0; I != LastCopy; ++I)
    if (Facts.Items[I].Writes.count(V))
      return false;
  return true;
}

const Expr *Offsets::initialValue(const VarDecl *V) {
  return V->hasLocalStorage() && !isa<ParmVarDecl>(V) && V->hasInit() &&
                 !V->getType()->isReferenceType() && Known.unchanged(V)
             ? V->getInit()
             : nullptr;
}

std::optional<Polynomial> Offsets::initialNumber(unsigned Symbol) {
  const VarDecl *V = Symbols[Symbol].Var;
  if (!V || !V->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  auto Found = initially(V, [&](const Expr *Init) { return of(Init); });
  return Found && !Found->MayWrap ? std::optional(std::move(Found->P))
                                  : std::nullopt;
}

std::optional<BlockAddress> Offsets::initialPlace(unsigned Symbol) {
  const VarDecl *V = Symbols[Symbol].Var;
  if (!V || !V->getType()->isPointerType())
    return std::nullopt;
  return initially(V, [&](const Expr *Init) { return pointer(Init); });
}

bool Offsets::differs(const Expr *E) {
  if (Threads.dependent(E))
    return true;
  return namesAny(E, [&](const VarDecl *V) {
    if (Counters.count(V))
      return true;
    if (!isInLoop(V))
      return false;
    const Expr *Init = initialValue(V);
    return !Init || differs(Init);
  });
}

/// The value of a variable is one of the block's, which its name stands for.
bool Offsets::isOfBlock(const DeclRefExpr *D, const VarDecl *V) {
  return !isInLoop(V) && !Threads.dependent(D) && isSteady(V);
}

std::optional<Offsets::Value> Offsets::variable(const DeclRefExpr *D) {
  const auto *V = dyn_cast<VarDecl>(D->getDecl());
  if (!V || Counters.count(V) || V->getType()->isReferenceType())
    return std::nullopt;
  if (isOfBlock(D, V))
    return Value{Polynomial::symbol(symbolFor(V, D))};
  const unsigned Width = Context.getIntWidth(V->getType());
  return initially(V, [&](const Expr *Init) -> std::optional<Value> {
    // The initialiser is converted to the variable's type already.
    return Width < 32 ? std::nullopt : of(Init);
  });
}

/// Nothing but values of the block, and arithmetic.
bool Offsets::isPlain(const Stmt *S) {
  if (const auto *P = dyn_cast<PseudoObjectExpr>(S))
    return isa<MSPropertyRefExpr>(P->getSyntacticForm()->IgnoreParens());
  if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? isSteady(V) && !isInLoop(V) && !V->getType()->isArrayType()
             : isa<EnumConstantDecl>(D->getDecl());
  }
  const auto *M = dyn_cast<MemberExpr>(S);
  if (M && (M->isArrow() || !isa<FieldDecl>(M->getMemberDecl())))
    return false;
  const auto *U = dyn_cast<UnaryOperator>(S);
  if (U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_Deref ||
            U->getOpcode() == UO_AddrOf))
    return false;
  const auto *B = dyn_cast<BinaryOperator>(S);
  if (B && (B->isAssignmentOp() || B->getOpcode() == BO_Comma))
    return false;
  if (!M && !U && !B &&
      !isa<ParenExpr, CastExpr, ConditionalOperator, IntegerLiteral,
           SubstNonTypeTemplateParmExpr, UnaryExprOrTypeTraitExpr,
           CXXBoolLiteralExpr, ConstantExpr>(S))
    return false;
  return llvm::all_of(S->children(),
                      [&](const Stmt *Kid) { return Kid && isPlain(Kid); });
}

std::optional<Offsets::Value> Offsets::opaque(const Expr *E) {
  if (!isPlain(E) || differs(E))
    return std::nullopt;
  return Value{Polynomial::symbol(symbolFor(E))};
}

unsigned Offsets::symbolFor(const VarDecl *V, const Expr *Text) {
  auto [At, New] = OfVariables.try_emplace(V, Symbols.size());
  if (New) {
    Symbols.push_back({Text, V});
    Seen.emplace_back();
  }
  return At->second;
}

unsigned Offsets::symbolFor(const Expr *E) {
  llvm::FoldingSetNodeID Id;
  E->Profile(Id, Context, /*Canonical=*/true);
  for (unsigned I = 0; I != Symbols.size(); ++I)
    if (!Symbols[I].Var && Seen[I] == Id)
      return I;
  Symbols.push_back({E, nullptr});
  Seen.push_back(std::move(Id));
  return Symbols.size() - 1;
}

} // namespace kpipe
