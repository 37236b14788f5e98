// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a number back to the pointer that it was made of, see SharedNumbers.h.
#include "SharedNumbers.h"
#include "Code/AstUtils.h"
#include "Code/AsyncCalls.h"
#include "Code/Conversions.h"
#include "Code/KnownFunctions.h"
#include "SameMeaning.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

llvm::SmallVector<const DeclRefExpr *, 8> namesOf(const VarDecl *V,
                                                  const Stmt *In) {
  llvm::SmallVector<const DeclRefExpr *, 8> Found;
  if (!In)
    return Found;
  if (const auto *D = dyn_cast<DeclRefExpr>(In); D && D->getDecl() == V)
    Found.push_back(D);
  for (const Stmt *Child : In->children())
    llvm::append_range(Found, namesOf(V, Child));
  return Found;
}

/// What a call turns into a number: `__cvta_generic_to_shared(p)`, or a
/// function of the author's that returns that of its parameter.
static const Expr *madeOf(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F || !F->getIdentifier() || C->getNumArgs() != 1)
    return nullptr;
  if (isToolkits(F))
    return F->getName() == "__cvta_generic_to_shared" ? C->getArg(0) : nullptr;
  const FunctionDecl *Body = nullptr;
  const auto *Block =
      F->hasBody(Body) ? dyn_cast<CompoundStmt>(Body->getBody()) : nullptr;
  if (!Block || Block->size() != 1)
    return nullptr;
  const auto *R = dyn_cast<ReturnStmt>(Block->body_front());
  const Expr *Value = R ? R->getRetValue() : nullptr;
  const auto *Inner =
      Value ? dyn_cast<CallExpr>(Value->IgnoreParenCasts()) : nullptr;
  const Expr *Of =
      Inner && Inner->getDirectCallee() != F ? madeOf(Inner) : nullptr;
  return Of && namedBy(Of) == Body->getParamDecl(0) ? C->getArg(0) : nullptr;
}

/// `smem` of three dimensions is `&smem[0][0][0]`.
static PointerText firstElement(llvm::StringRef Name, QualType T,
                                const ASTContext &Context) {
  std::string Text = ("&" + Name).str();
  while (const auto *A = Context.getAsArrayType(T)) {
    Text += "[0]";
    T = A->getElementType();
  }
  return {std::move(Text), T.getUnqualifiedType()};
}

/// What is given to a `void *` without a word; null where a function makes the
/// pointer, or it becomes one to a base class, of which the text says nothing.
static const Expr *asWritten(const Expr *E) {
  for (E = E->IgnoreParens(); const auto *C = dyn_cast<ImplicitCastExpr>(E);
       E = C->getSubExpr()->IgnoreParens())
    switch (C->getCastKind()) {
    case CK_UserDefinedConversion:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      return nullptr;
    default:
      break;
    }
  return E->IgnoreParenImpCasts();
}

std::optional<PointerText> SharedNumbers::pointer(const Expr *E) {
  E = asWritten(E);
  if (!E)
    return std::nullopt;
  if (E->getType()->isIntegerType())
    return number(E);
  // Without conversions to `void *`, which say nothing.
  for (;;) {
    const auto *C = dyn_cast<ExplicitCastExpr>(E);
    if (!C || !C->getType()->isVoidPointerType())
      break;
    E = asWritten(C->getSubExpr());
    if (!E)
      return std::nullopt;
  }
  if (E->getType()->isIntegerType() || !Source.expression(E))
    return std::nullopt;
  if (E->getType()->isArrayType())
    return firstElement(Source.text(E), E->getType(), Source.context());
  if (!E->getType()->isPointerType())
    return std::nullopt;
  QualType Pointee = E->getType()->getPointeeType();
  std::string Text = Source.text(E);
  // What is added to it binds tighter than a choice.
  if (isa<AbstractConditionalOperator>(E))
    Text = "(" + Text + ")";
  return PointerText{std::move(Text), Pointee.getUnqualifiedType()};
}

std::optional<PointerText> SharedNumbers::number(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const Expr *Of = madeOf(C);
    return Of ? pointer(Of) : std::nullopt;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? variable(V) : std::nullopt;
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || B->getOpcode() != BO_Add)
    return std::nullopt;
  if (auto Sum = sum(B->getLHS(), B->getRHS()))
    return Sum;
  return sum(B->getRHS(), B->getLHS());
}

/// Can a number be below 0, as the author means it?
static bool mayWrap(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && C->getSubExpr()->getType()->isSignedIntegerType() &&
      C->getType()->isUnsignedIntegerType() &&
      !isa<IntegerLiteral>(C->getSubExpr()->IgnoreParenImpCasts()))
    return true;
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Sub)
    return true;
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Not))
    return true;
  return llvm::any_of(E->children(), [](const Stmt *Child) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    return Part && mayWrap(Part);
  });
}

/// What is added to a pointer. Shared addresses wrap with their 32 bits, and so
/// an unsigned number may stand for one below 0; pointers do not.
static std::string offset(const Expr *E, const SourceText &Source,
                          bool IsFactor = false) {
  const std::string Text = Source.text(E);
  const Expr *Number = E->IgnoreParenImpCasts();
  if (Number->getType()->isUnsignedIntegerType() && mayWrap(Number))
    return "static_cast<int>(" + Source.text(E->IgnoreParens()) + ")";
  return IsFactor ? Text : "(" + Text + ")";
}

/// An address and bytes behind it, counted in elements where they are: `(r * LD
/// + c) * sizeof(half)`.
std::optional<PointerText> SharedNumbers::sum(const Expr *Address,
                                              const Expr *Bytes) {
  std::optional<PointerText> P = number(Address);
  if (!P || !Source.expression(Bytes))
    return std::nullopt;
  const ASTContext &Context = Source.context();
  if (!P->Pointee.isNull() && hasSize(P->Pointee)) {
    const int64_t Size = Context.getTypeSizeInChars(P->Pointee).getQuantity();
    const auto *Times = dyn_cast<BinaryOperator>(Bytes->IgnoreParenImpCasts());
    if (Times && Times->getOpcode() == BO_Mul)
      for (auto [One, Other] : {std::pair(Times->getLHS(), Times->getRHS()),
                                std::pair(Times->getRHS(), Times->getLHS())})
        if (constantValue(One, Context) == Size && Source.expression(Other))
          return PointerText{P->Text + " + " + offset(Other, Source, 1),
                             P->Pointee};
    if (Size == 1)
      return PointerText{P->Text + " + " + offset(Bytes, Source), P->Pointee};
    P->Text = "reinterpret_cast<char *>(" + P->Text + ")";
  }
  return PointerText{P->Text + " + " + offset(Bytes, Source), QualType()};
}

/// The array whose element at a fixed place E is, or a pointer to it.
static const VarDecl *fixedBy(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    return fixedBy(U->getSubExpr());
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return isa<IntegerLiteral>(S->getIdx()->IgnoreParenImpCasts())
               ? fixedBy(S->getBase())
               : nullptr;
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

std::optional<PointerText> SharedNumbers::variable(const VarDecl *V) {
  if (auto Done = Retyped.find(V); Done != Retyped.end())
    return PointerText{V->getName().str(), Done->second.Pointee};
  if (!V->isLocalVarDecl() || !V->getInit() || !Known.unchanged(V) ||
      Source.context().getTypeSize(V->getType()) < 32 ||
      llvm::is_contained(Reading, V))
    return std::nullopt;
  Reading.push_back(V);
  std::optional<PointerText> P = number(V->getInit());
  Reading.pop_back();
  if (!P)
    return std::nullopt;
  if (isOnlyCopiedTo(V) && retype(V, *P))
    return PointerText{V->getName().str(), P->Pointee};
  // Somebody else wants the number: its initialiser means the same here, if its
  // names do.
  const auto *C = dyn_cast<CallExpr>(V->getInit()->IgnoreParenCasts());
  const Expr *Of = C ? madeOf(C) : nullptr;
  const VarDecl *Fixed = Of ? fixedBy(Of) : nullptr;
  const bool Same =
      Fixed && (Fixed->getType()->isArrayType() ||
                (Fixed->getType()->isPointerType() && Known.unchanged(Fixed)));
  return Same && isDeclaredOnce(Fixed->getName(), Body->getBody())
             ? P
             : std::nullopt;
}

/// The number that the only declaration around a mention makes of it; or null.
static const VarDecl *madeFrom(const DeclRefExpr *D, const AsyncOps &Ops) {
  const Stmt *S = D;
  while (S && !isa<DeclStmt>(S))
    S = Ops.parent(S);
  const auto *Made = cast_or_null<DeclStmt>(S);
  return Made && Made->isSingleDecl() ? dyn_cast<VarDecl>(Made->getSingleDecl())
                                      : nullptr;
}

bool SharedNumbers::isOnlyCopiedTo(const VarDecl *V) const {
  return llvm::all_of(namesOf(V, Body->getBody()), [&](const DeclRefExpr *D) {
    if (llvm::any_of(
            Copies,
            [&](const AsyncOp *Op) { return Ops.within(D, Op->Statement); }) ||
        llvm::any_of(Reading, [&](const VarDecl *R) {
          return Ops.within(D, R->getInit());
        }))
      return true;
    // Other numbers that become pointers may be made of it.
    const VarDecl *Other = madeFrom(D, Ops);
    return Other && Other != V && Other->getType()->isIntegerType() &&
           !namesOf(Other, Body->getBody()).empty() && isOnlyCopiedTo(Other);
  });
}

bool SharedNumbers::retype(const VarDecl *V, const PointerText &P) {
  const Stmt *S = nullptr;
  for (const Stmt *Up = V->getInit(); Up && !S; Up = Ops.parent(Up))
    if (isa<DeclStmt>(Up))
      S = Up;
  const auto *D = cast_or_null<DeclStmt>(S);
  if (!D || !D->isSingleDecl() || D->getBeginLoc().isMacroID() ||
      V->getInitStyle() != VarDecl::CInit || V->isStaticLocal())
    return false;
  Range R = Source.statement(D);
  Retyped[V] = {
      {R.Begin, R.size(), "auto *" + V->getName().str() + " = " + P.Text + ";"},
      P.Pointee};
  return true;
}

} // namespace kpipe
