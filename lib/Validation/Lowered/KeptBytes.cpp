// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KeptBytes.h. Source: PTX ISA, "cp.async": src-size and ignore-src.
#include "KeptBytes.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace kpipe {

static bool isTruth(const Tree &T) { return T.Type.substr(0, 4) == "bool"; }

Truth askedBy(const Tree &Condition, const Frame &F) {
  const Tree *T = &Condition;
  Truth Is;
  const Frame *In = &F;
  for (;;) {
    const auto *Cast = dyn_cast_or_null<CastExpr>(exprOf(*T));
    bool Drops =
        Cast && T->Kids.size() == 1 &&
        (Cast->getCastKind() == CK_NoOp ||
         Cast->getCastKind() == CK_IntegralToBoolean ||
         (Cast->getCastKind() == CK_IntegralCast && isTruth(T->kid(0))));
    bool Not = T->is("UnaryOperator") && T->Label == "!" && isTruth(*T);
    if (Not)
      Is.Negated = !Is.Negated;
    if (Drops || Not) {
      T = &T->kid(0);
      continue;
    }
    const Tree &Name = T->is("ImplicitCastExpr") && T->Label == "LValueToRValue"
                           ? T->kid(0)
                           : *T;
    auto Found = Name.is("DeclRefExpr") && In->Caller
                     ? In->Given.find(Name.Local)
                     : In->Given.end();
    if (Found == In->Given.end())
      break;
    T = Found->second;
    In = In->Caller;
  }
  Is.Text = spelled(*T, *In);
  return Is;
}

bool keptBy(std::optional<Truth> &Kept, const Tree &Bytes, const Frame &F,
            int64_t All, bool OfZeros) {
  const Tree *T = &Bytes;
  const Frame *In = &F;
  for (;;) {
    if (auto Known = constantOf(*T, *In))
      return *Known == (OfZeros ? 0 : All);
    const auto *Cast = dyn_cast_or_null<CastExpr>(exprOf(*T));
    if (Cast && T->Kids.size() == 1 &&
        (Cast->getCastKind() == CK_NoOp ||
         Cast->getCastKind() == CK_IntegralCast ||
         Cast->getCastKind() == CK_LValueToRValue)) {
      T = &T->kid(0);
      continue;
    }
    if (!T->is("DeclRefExpr") || !T->Local)
      break;
    auto Found = In->Given.find(T->Local);
    const Tree *Value =
        Found != In->Given.end() ? Found->second : In->valueOf(T->Local);
    if (!Value)
      return false;
    if (Found != In->Given.end())
      In = In->Caller;
    T = Value;
  }
  if (!T->is("ConditionalOperator") || T->Kids.size() != 3)
    return false;
  auto Then = constantOf(T->kid(1), *In), Else = constantOf(T->kid(2), *In);
  bool AllThen = Then == All && Else == 0, AllElse = Then == 0 && Else == All;
  if (!AllThen && !AllElse)
    return false;
  Kept = askedBy(T->kid(0), *In);
  if (OfZeros ? AllThen : AllElse)
    Kept->Negated = !Kept->Negated;
  return true;
}

/// A conversion to no fewer bits, or a load.
static bool keepsInteger(const Tree &T, const Frame &F) {
  const auto *C = dyn_cast_or_null<CastExpr>(exprOf(T));
  return C && T.Kids.size() == 1 &&
         (C->getCastKind() == CK_LValueToRValue ||
          (C->getCastKind() == CK_IntegralCast &&
           F.Context.getTypeSize(C->getType()) >=
               F.Context.getTypeSize(C->getSubExpr()->getType())));
}

const Tree *givenNumber(const Tree &Bytes, const Frame *&In) {
  const Tree *T = &Bytes;
  for (; In->Caller; In = In->Caller) {
    while (keepsInteger(*T, *In))
      T = &T->kid(0);
    auto Found = In->Given.find(T->Local);
    if (!T->is("DeclRefExpr") || Found == In->Given.end() ||
        !In->isKept(T->Local))
      return nullptr;
    T = Found->second;
  }
  return T;
}

} // namespace kpipe
