// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TurnText.h. Numbers are taken as a ring has them: what is equal there is
// equal in any width. A conversion to another width is a name of its own.
#include "TurnText.h"
#include "Code/KnownFunctions.h"
#include "Validation/Trees/Addresses.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

static bool isLoadNode(const Tree &T) {
  return T.is("ImplicitCastExpr") && T.Label == "LValueToRValue";
}

/// Does a load read a variable of the function itself, or what never changes?
/// Members of a variable are as the variable.
static bool loadsOwn(const Tree &T) {
  const Tree *Of = &T.kid(0);
  while (Of->is("MemberExpr") && Of->Label == "." && Of->Kids.size() == 1)
    Of = &Of->kid(0);
  if (Of->is("MSPropertyRefExpr"))
    return true; // threadIdx.x
  const auto *V = dyn_cast_or_null<VarDecl>(Of->Of);
  return Of->is("DeclRefExpr") && V && !V->getType()->isReferenceType() &&
         !V->getType().isVolatileQualified() &&
         (V->hasLocalStorage() || V->getType().isConstQualified());
}

/// May a call give something else although its arguments are the same? What
/// the toolkit's functions give hangs on these alone.
static bool readsMemory(const Tree &Call, unsigned Depth = 0) {
  const FunctionDecl *Callee = calleeOf(Call), *Body = nullptr;
  if (Callee && isToolkits(Callee))
    return false;
  if (!Callee || isa<CXXMethodDecl>(Callee) || Depth == 4 ||
      !Callee->hasBody(Body))
    return true;
  static const llvm::Regex Load("(^|[^a-z0-9_.])(ld|ldu|ldmatrix|atom|mbarrier)"
                                "(\\.|$)");
  bool Reads = false;
  auto Inside = treeOf(Body, Body->getASTContext());
  eachNode(*Inside, [&](const Tree &N) {
    const auto *Asm = dyn_cast_or_null<GCCAsmStmt>(N.Origin);
    Reads |=
        (isLoadNode(N) && !loadsOwn(N)) ||
        (N.is("GCCAsmStmt") && (!Asm || Load.match(Asm->getAsmString()))) ||
        (isa_and_nonnull<CallExpr>(exprOf(N)) && !N.is("MSPropertyRefExpr") &&
         readsMemory(N, Depth + 1));
  });
  return Reads;
}

Products sumOf(Products A, const Products &B, int64_t Times) {
  for (const auto &[Names, Count] : B)
    if (!(A[Names] += Times * Count))
      A.erase(Names);
  return A;
}

static bool isConstant(const Products &P) {
  return P.empty() || (P.size() == 1 && P.begin()->first.empty());
}

static Products productOf(const Products &A, const Products &B) {
  Products All;
  for (const auto &[X, M] : A)
    for (const auto &[Y, N] : B) {
      std::vector<std::string> Names = X;
      Names.insert(Names.end(), Y.begin(), Y.end());
      llvm::sort(Names);
      if (!(All[Names] += M * N))
        All.erase(Names);
    }
  return All;
}

std::string written(const Products &P) {
  std::string Text = "{";
  for (const auto &[Names, Count] : P) {
    Text += " " + std::to_string(Count);
    for (const std::string &Name : Names)
      Text += "*" + Name;
  }
  return Text + " }";
}

const std::string &TurnText::counterName() {
  static const std::string Name = "<counter>";
  return Name;
}

std::string TurnText::fail(const Tree &T) {
  if (!Bad)
    Bad = &T;
  return "?";
}

bool TurnText::isNumber(const Tree &T) const {
  const Expr *E = exprOf(T);
  if (T.is("MSPropertyRefExpr"))
    return true; // threadIdx.x
  return E && !E->isGLValue() && E->getType()->isIntegralOrEnumerationType();
}

std::string TurnText::nameOf(const Tree &T) {
  if (!T.Local)
    return T.Name;
  Named.insert(T.Local);
  if (!AuthorsNumbers)
    return "v" + std::to_string(T.Local);
  auto Known = AuthorsNumbers->find(T.Local);
  return Known != AuthorsNumbers->end() ? "v" + std::to_string(Known->second)
                                        : "new" + std::to_string(T.Local);
}

Products TurnText::number(const Tree &T) {
  const Expr *E = exprOf(T);
  Expr::EvalResult Value;
  if (E && !E->isValueDependent() && !E->isGLValue() && isNumber(T) &&
      E->EvaluateAsInt(Value, Context) && !Value.HasSideEffects) {
    const int64_t Known = Value.Val.getInt().getExtValue();
    return Known ? Products{{{}, Known}} : Products();
  }
  if (isLoadNode(T) && T.kid(0).is("DeclRefExpr")) {
    const unsigned Local = T.kid(0).Local;
    if (Local && Local == Counter)
      return CounterIs ? *CounterIs : Products{{{counterName()}, 1}};
    if (auto Known = Made.find(Local); Known != Made.end())
      return number(*Known->second);
  }
  if (const auto *C = dyn_cast_or_null<CastExpr>(E); C && T.Kids.size() == 1) {
    if (C->getCastKind() == CK_NoOp)
      return number(T.kid(0));
    if (C->getCastKind() == CK_IntegralCast) {
      if (Context.getTypeSize(C->getType()) ==
          Context.getTypeSize(C->getSubExpr()->getType()))
        return number(T.kid(0));
      const bool Signed =
          C->getSubExpr()->getType()->isSignedIntegerOrEnumerationType();
      return {
          {{std::string(Signed ? "s" : "u") +
            std::to_string(Context.getTypeSize(C->getSubExpr()->getType())) +
            "to" + std::to_string(Context.getTypeSize(C->getType())) +
            written(number(T.kid(0)))},
           1}};
    }
  }
  if (T.is("BinaryOperator") && T.Kids.size() == 2 && isNumber(T.kid(0)) &&
      isNumber(T.kid(1))) {
    if (T.Label == "+" || T.Label == "-")
      return sumOf(number(T.kid(0)), number(T.kid(1)), T.Label == "+" ? 1 : -1);
    if (T.Label == "*")
      return productOf(number(T.kid(0)), number(T.kid(1)));
  }
  if (T.is("UnaryOperator") && T.Label == "-" && isNumber(T.kid(0)))
    return sumOf({}, number(T.kid(0)), -1);
  return {{{node(T)}, 1}};
}

/// A pointer and what is added to it, as elements. Signed indices do not wrap
/// around, so that their width says nothing.
Products TurnText::pointer(const Tree &T) {
  const Expr *E = exprOf(T);
  if (isLoadNode(T) && T.kid(0).is("DeclRefExpr"))
    if (auto Known = Made.find(T.kid(0).Local);
        Known != Made.end() && isPointer(*Known->second))
      return pointer(*Known->second);
  if (const auto *C = dyn_cast_or_null<CastExpr>(E);
      C && C->getCastKind() == CK_NoOp && T.Kids.size() == 1)
    return pointer(T.kid(0));
  const Tree *Sum = &T;
  bool Subtracts = false;
  if (T.is("UnaryOperator") && T.Label == "&" &&
      T.kid(0).is("ArraySubscriptExpr") && T.kid(0).Kids.size() == 2 &&
      !namesBuffer(T.kid(0)))
    Sum = &T.kid(0);
  else if (T.is("BinaryOperator") && T.Kids.size() == 2 &&
           (T.Label == "+" || T.Label == "-"))
    Subtracts = T.Label == "-";
  else
    return {{{node(T)}, 1}};
  const bool First = isPointer(Sum->kid(0));
  const Tree &Base = Sum->kid(First ? 0 : 1), &More = Sum->kid(First ? 1 : 0);
  if (!isPointer(Base) || !isNumber(More))
    return {{{node(T)}, 1}};
  const Expr *Index = exprOf(More);
  const QualType Type =
      More.is("MSPropertyRefExpr") ? QualType() : Index->getType();
  const unsigned Width = Type.isNull() ? 32 : Context.getTypeSize(Type);
  const bool Exact =
      !Type.isNull() && (Type->isSignedIntegerOrEnumerationType() ||
                         Width == Context.getTypeSize(E->getType()));
  Products Added = number(More);
  if (!Exact && !isConstant(Added))
    Added = {{{"u" + std::to_string(Width) + written(Added)}, 1}};
  return sumOf(pointer(Base), Added, Subtracts ? -1 : 1);
}

bool TurnText::isPointer(const Tree &T) const {
  const Expr *E = exprOf(T);
  return E && !E->isGLValue() && E->getType()->isPointerType();
}

/// Is a subscript one of a buffer, at any depth?
bool TurnText::namesBuffer(const Tree &T) const {
  const Tree *Base = &T;
  while (Base->is("ArraySubscriptExpr") || Base->Label == "ArrayToPointerDecay")
    Base = &Base->kid(0);
  return (Base->is("DeclRefExpr") && Buffers.count(Base->Local)) ||
         (Index && Index->bufferOf(*Base));
}

std::string TurnText::text(const Tree &T) {
  if (isLoadNode(T) && T.kid(0).is("DeclRefExpr"))
    if (auto Known = Made.find(T.kid(0).Local); Known != Made.end())
      return text(*Known->second);
  if (isPointer(T))
    return "(pointer " + T.Type + written(pointer(T)) + ")";
  return isNumber(T) ? written(number(T)) : node(T);
}

/// Sign and width of a number: `s32`.
std::string TurnText::rangeOf(const Tree &T) const {
  if (T.is("MSPropertyRefExpr"))
    return "u32"; // threadIdx.x
  const QualType Type = exprOf(T)->getType();
  return (Type->isSignedIntegerOrEnumerationType() ? "s" : "u") +
         std::to_string(Context.getTypeSize(Type));
}

std::string TurnText::node(const Tree &T) {
  if (const Tree *Made = Index ? Index->bufferOf(T) : nullptr) {
    llvm::SaveAndRestore Chosen(Swapped, &T);
    return node(*Made);
  }
  if (TwoBuffers && T.is("ArraySubscriptExpr") && T.Kids.size() == 2) {
    const Tree &Array = withoutCasts(T.kid(0)), *Name = &Array;
    if (Array.Label == "ArrayToPointerDecay" && Array.Kids.size() == 1)
      Name = &Array.kid(0);
    if (Name->is("DeclRefExpr") && Buffers.count(Name->Local))
      return OnBuffer && OnBuffer(*Name, Swapped ? *Swapped : T.kid(1))
                 ? "(buffer " + nameOf(*Name) + " " + T.Type + ")"
                 : fail(T);
  }
  if (T.is("DeclRefExpr") && Buffers.count(T.Local))
    return TwoBuffers ? fail(T) : "(buffer " + nameOf(T) + " " + T.Type + ")";
  const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
  if (T.is("DeclRefExpr") && V && V->getType()->isReferenceType())
    return fail(T);
  if (isLoadNode(T) && !loadsOwn(T))
    return fail(T);
  if (isa_and_nonnull<CallExpr>(exprOf(T)) && !T.is("MSPropertyRefExpr") &&
      readsMemory(T))
    return fail(T);
  if (T.is("LambdaExpr") || T.is("StmtExpr") || T.is("DeclStmt"))
    return fail(T);
  if (effectsIn(T) && !T.is("CallExpr") && !T.is("GCCAsmStmt"))
    if (const auto *E = exprOf(T);
        E && isa<UnaryOperator, BinaryOperator, CXXOperatorCallExpr>(E))
      return fail(T);
  std::string Text = "(" + T.Kind + " " + T.Label + " " + T.Type + " ";
  // What is called, or a member, is nobody's variable.
  Text += T.is("DeclRefExpr") ? nameOf(T) : T.Name;
  // In a ring a number has no sign; what is asked of it has: `<`, float(i).
  for (const auto &Kid : T.Kids)
    Text += " " + (isNumber(*Kid) ? rangeOf(*Kid) : "") + text(*Kid);
  return Text + ")";
}

} // namespace kpipe
