// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a number back to the pointer that it was made of, see SharedNumbers.h.
#include "SharedNumbers.h"
#include "Code/AsyncCalls.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
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
  const auto *Block = F->hasBody(Body)
                          ? dyn_cast<CompoundStmt>(Body->getBody())
                          : nullptr;
  if (!Block || Block->size() != 1)
    return nullptr;
  const auto *R = dyn_cast<ReturnStmt>(Block->body_front());
  const Expr *Value = R ? R->getRetValue() : nullptr;
  const auto *Inner =
      Value ? dyn_cast<CallExpr>(Value->IgnoreParenCasts()) : nullptr;
  const Expr *Of = Inner && Inner->getDirectCallee() != F ? madeOf(Inner)
                                                          : nullptr;
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

std::optional<PointerText> SharedNumbers::pointer(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (E->getType()->isIntegerType())
    return number(E);
  // Without conversions to `void *`, which say nothing.
  for (;;) {
    const auto *C = dyn_cast<ExplicitCastExpr>(E);
    if (!C || !C->getType()->isVoidPointerType())
      break;
    E = C->getSubExpr()->IgnoreParenImpCasts();
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

/// An address and bytes behind it, counted in elements where they are: `(r * LD
/// + c) * sizeof(half)`.
std::optional<PointerText> SharedNumbers::sum(const Expr *Address,
                                              const Expr *Bytes) {
  std::optional<PointerText> P = number(Address);
  if (!P || !Source.expression(Bytes))
    return std::nullopt;
  const ASTContext &Context = Source.context();
  if (!P->Pointee.isNull() && hasSize(P->Pointee)) {
    const int64_t Size =
        Context.getTypeSizeInChars(P->Pointee).getQuantity();
    const auto *Times =
        dyn_cast<BinaryOperator>(Bytes->IgnoreParenImpCasts());
    if (Times && Times->getOpcode() == BO_Mul)
      for (auto [One, Other] : {std::pair(Times->getLHS(), Times->getRHS()),
                                std::pair(Times->getRHS(), Times->getLHS())})
        if (constantValue(One, Context) == Size && Source.expression(Other))
          return PointerText{P->Text + " + " + Source.text(Other), P->Pointee};
    if (Size == 1)
      return PointerText{P->Text + " + (" + Source.text(Bytes) + ")",
                         P->Pointee};
    P->Text = "reinterpret_cast<char *>(" + P->Text + ")";
  }
  return PointerText{P->Text + " + (" + Source.text(Bytes) + ")", QualType()};
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

/// Does a name mean one thing in all of the body?
static bool isDeclaredOnce(llvm::StringRef Name, const Stmt *In) {
  unsigned Count = 0;
  auto Walk = [&](auto &Self, const Stmt *S) -> void {
    if (const auto *D = dyn_cast_or_null<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (const auto *N = dyn_cast<NamedDecl>(One))
          Count += N->getIdentifier() && N->getName() == Name;
    if (S)
      for (const Stmt *Child : S->children())
        Self(Self, Child);
  };
  Walk(Walk, In);
  return Count <= 1; // none where it is a parameter
}

std::optional<PointerText> SharedNumbers::variable(const VarDecl *V) {
  if (auto Done = Retyped.find(V); Done != Retyped.end())
    return PointerText{V->getName().str(), Done->second.Pointee};
  if (!V->isLocalVarDecl() || !V->getInit() || !Known.unchanged(V) ||
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
  const bool Same = Fixed && (Fixed->getType()->isArrayType() ||
                              (Fixed->getType()->isPointerType() &&
                               Known.unchanged(Fixed)));
  return Same && isDeclaredOnce(Fixed->getName(), Body->getBody())
             ? P
             : std::nullopt;
}

bool SharedNumbers::isOnlyCopiedTo(const VarDecl *V) const {
  return llvm::all_of(namesOf(V, Body->getBody()), [&](const DeclRefExpr *D) {
    return llvm::any_of(Copies,
                        [&](const AsyncOp *Op) {
                          return Ops.within(D, Op->Statement);
                        }) ||
           llvm::any_of(Reading, [&](const VarDecl *R) {
             return Ops.within(D, R->getInit());
           });
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
  Retyped[V] = {{R.Begin, R.size(),
                 "auto *" + V->getName().str() + " = " + P.Text + ";"},
                P.Pointee};
  return true;
}

} // namespace kpipe
