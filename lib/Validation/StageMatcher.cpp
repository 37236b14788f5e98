// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Staged arrays and views in the lockstep: how they are declared with stages
// and longer rows, and how a stage is named, see Matcher.h.
#include "Matcher.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The type with Pad elements more in the innermost extent.
static QualType padded(QualType T, unsigned Pad, ASTContext &Context) {
  const ConstantArrayType *A = Context.getAsConstantArrayType(T);
  if (!A)
    return T;
  llvm::APInt Size = A->getSize();
  QualType Element = A->getElementType();
  if (Context.getAsConstantArrayType(Element))
    Element = padded(Element, Pad, Context);
  else
    Size += Pad;
  return Context.getConstantArrayType(Element, Size, nullptr,
                                      ArraySizeModifier::Normal, 0);
}

void Matcher::findPaddedTypes() {
  for (const DeclaredLoop *L : Loops)
    for (unsigned I = 0; I != L->Tile.Buffers.size(); ++I) {
      unsigned Pad = I < L->Pads.size() ? L->Pads[I] : 0;
      QualType T = L->Tile.Buffers[I].Var->getType().getNonReferenceType();
      for (; Pad && Context.getAsConstantArrayType(T);
           T = Context.getAsConstantArrayType(T)->getElementType()) {
        QualType P = padded(T, Pad, Context);
        for (auto [From, To] :
             {std::pair(T, P),
              std::pair(Context.getPointerType(T), Context.getPointerType(P))})
          for (const char *Value : {"", " lvalue"})
            PaddedTypes[typeText(From) + Value] = typeText(To) + Value;
      }
    }
}

/// `xs` is the reference to its stage, or `xs_stages[stage]`, where a ring of
/// stages is known.
std::optional<bool> Matcher::matchStaged(const Tree &A, const Tree &O) {
  if (!A.is("DeclRefExpr"))
    return std::nullopt;
  const DeclaredLoop *L = stagedBy(A.Of);
  if (!L || L->Stages == 1)
    return std::nullopt;
  for (const StagedBuffer &B : L->Tile.Buffers)
    if (B.Block && B.Var->getCanonicalDecl() == A.Of)
      return std::nullopt;
  const Standing &At = Standings[L];
  if (At.Where == Standing::Before)
    return std::nullopt;
  if (!sameType(A, O))
    return fail(A, {msg::meaning_stage, A.Name});
  auto Reference = At.References.find(A.Of);
  bool Same = Reference != At.References.end() && names(O, Reference->second);
  if (!Same && O.is("ArraySubscriptExpr") && names(O.kid(1), At.Stage)) {
    const Tree &Array = withoutConversions(O.kid(0));
    Same = Array.is("DeclRefExpr") && Array.Local && A.Local &&
           Bound.ours(A.Local) == Array.Local;
  }
  if (Same)
    Trail.push_back(&A);
  return Same || fail(A, {msg::meaning_stage, A.Name});
}

/// A view of dynamic shared memory is its stage.
std::optional<bool> Matcher::matchView(const Tree &A, const Tree &O) {
  const Tree *Name = &A;
  if (A.is("ImplicitCastExpr") &&
      (A.Label == "ArrayToPointerDecay" || A.Label == "LValueToRValue"))
    Name = &A.kid(0);
  const bool Capture = Name->is("Capture");
  if (!Name->is("DeclRefExpr") && !Capture)
    return std::nullopt;
  for (const DeclaredLoop *L : Loops) {
    if (L->Stages == 1 || !llvm::any_of(L->Staged, [&](const auto &N) {
          return N.View && N.Var->getCanonicalDecl() == Name->Of;
        }))
      continue;
    const Standing &At = Standings[L];
    if (At.Where == Standing::Before)
      return std::nullopt;
    if (!sameType(A, O))
      return differ(A, O);
    if (At.Where == Standing::Inside) {
      auto Reference = At.References.find(Name->Of);
      bool Same = Reference != At.References.end() &&
                  (Capture ? O.is("Capture") && O.Label == A.Label &&
                                 O.Kids.empty() && O.Local == Reference->second
                           : names(O, Reference->second));
      if (Same)
        Trail.push_back(&A);
      return Same || fail(A, {msg::meaning_stage, Name->Name});
    }
    const Tree *Call = &O;
    if (Call->is("UnaryOperator") && Call->Label == "*")
      Call = &Call->kid(0);
    if (!callsRuntime(*Call, "advance_bytes") || Call->Kids.size() != 3)
      return fail(A, {msg::meaning_stage, Name->Name});
    const Tree *Pointer = &withoutConversions(Call->kid(1));
    if (Pointer->is("UnaryOperator") && Pointer->Label == "&")
      Pointer = &Pointer->kid(0);
    const Tree &Bytes = Call->kid(2);
    bool Same = Pointer->is("DeclRefExpr") && matchDecl(*Name, *Pointer) &&
                Bytes.is("BinaryOperator") && Bytes.Label == "*" &&
                names(Bytes.kid(0), At.Stage) && names(Bytes.kid(1), At.Bytes);
    if (Same)
      Trail.push_back(&A);
    return Same || fail(A, {msg::meaning_stage, Name->Name});
  }
  return std::nullopt;
}

/// The length of a padded row: `BK` is `BK + 8`.
std::optional<bool> Matcher::matchStride(const Tree &A, const Tree &O) {
  const auto *E = dyn_cast_or_null<Expr>(A.Origin);
  if (!E)
    return std::nullopt;
  for (const DeclaredLoop *L : Loops)
    for (auto [Stride, Count] : L->Strides) {
      if (Stride->IgnoreParenImpCasts() != E->IgnoreParenImpCasts())
        continue;
      const Tree &Sum = withoutConversions(O), &Plain = withoutConversions(A);
      if (!Sum.is("BinaryOperator") || Sum.Label != "+" ||
          withoutConversions(Sum.kid(1)).Label != std::to_string(Count))
        return std::nullopt; // the author's own sum, below which it stands
      const Tree &Left = withoutConversions(Sum.kid(0));
      return matchNode(Plain, Left) && matchKids(Plain, Left);
    }
  return std::nullopt;
}

std::string Matcher::nameOfStages(const Tree &A, const DeclaredLoop &L) const {
  for (const DeclaredLoop::StagedVar &N : L.Staged)
    if (A.Of && !N.View && N.Var->getCanonicalDecl() == A.Of)
      return N.Stages;
  return A.Name;
}

/// The declaration of a staged array, which got a stage and maybe longer rows.
bool Matcher::bindStaged(const Tree &A, const Tree &O, const DeclaredLoop &L) {
  const auto *V = cast<VarDecl>(A.Of);
  unsigned Pad = 0;
  bool Block = false;
  for (unsigned I = 0; I != L.Tile.Buffers.size(); ++I)
    if (L.Tile.Buffers[I].Var->getCanonicalDecl() == A.Of) {
      Pad = I < L.Pads.size() ? L.Pads[I] : 0;
      Block = L.Tile.Buffers[I].Block;
    }
  if (!O.Local != !A.Local || O.Name != nameOfStages(A, L))
    return differ(A, O);
  QualType T = V->getType();
  if (!T->isReferenceType() && !Block) {
    T = Pad ? padded(T, Pad, Context) : T;
    if (L.Stages > 1)
      T = Context.getConstantArrayType(T, llvm::APInt(64, L.Stages), nullptr,
                                       ArraySizeModifier::Normal, 0);
  }
  bool Plain = O.Type == typeText(T) && O.Label == A.Label;
  // As a part of dynamic shared memory it is a reference.
  bool Moved = O.Type == typeText(Context.getLValueReferenceType(T)) &&
               O.Kids.size() == 1;
  if (!Plain && !Moved)
    return differ(A, O);
  if (A.Local)
    Bound.bind(A.Local, O.Local);
  if (Plain && !A.Kids.empty() && T->isArrayType() && L.Stages > 1)
    return true; // the elements' constructors, as many more
  return Moved || matchKids(A, O);
}

/// `auto &As = As_stages[stage];`
/// `auto *As = kpipe::advance_bytes(As_stages, stage * stage_bytes);`
bool Matcher::bindReference(const DeclaredLoop &L, const Tree &O) {
  Standing &At = Standings[&L];
  for (const DeclaredLoop::StagedVar &N : L.Staged) {
    if (O.Name != N.Var->getName() || O.Kids.size() != 1)
      continue;
    const Decl *Of = N.Var->getCanonicalDecl();
    const Tree *Value = &withoutConversions(O.kid(0));
    bool Same = false;
    if (!N.View) {
      if (Value->is("ArraySubscriptExpr") && names(Value->kid(1), At.Stage)) {
        const Tree &Array = withoutConversions(Value->kid(0));
        Same = Array.is("DeclRefExpr") && Array.Local &&
               Array.Local == Bound.ours(Numbers.lookup(Of)) &&
               llvm::StringRef(O.Type).contains('&');
      }
    } else {
      if (Value->is("UnaryOperator") && Value->Label == "*")
        Value = &Value->kid(0);
      if (callsRuntime(*Value, "advance_bytes") && Value->Kids.size() == 3) {
        const Tree *Pointer = &withoutConversions(Value->kid(1));
        if (Pointer->is("UnaryOperator") && Pointer->Label == "&")
          Pointer = &Pointer->kid(0);
        const Tree &Bytes = Value->kid(2);
        auto First = At.Firsts.find(Of);
        Same = First != At.Firsts.end() && names(*Pointer, First->second) &&
               Bytes.is("BinaryOperator") && Bytes.Label == "*" &&
               names(Bytes.kid(0), At.Stage) && names(Bytes.kid(1), At.Bytes);
      }
    }
    if (Same)
      At.References[Of] = O.Local;
    return Same;
  }
  return false;
}

} // namespace kpipe
