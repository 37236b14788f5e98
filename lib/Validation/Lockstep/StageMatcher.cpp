// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Staged arrays and views in the lockstep: how they are declared with stages
// and longer rows, and how a stage is named, see StageMatcher.h.
#include "StageMatcher.h"
#include "ContentMoves.h"
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

void StageMatcher::findPaddedTypes() {
  for (const DeclaredLoop *L : M.Loops)
    for (unsigned I = 0; I != L->Tile.Buffers.size(); ++I) {
      unsigned Pad = I < L->Pads.size() ? L->Pads[I] : 0;
      QualType T = L->Tile.Buffers[I].Var->getType().getNonReferenceType();
      for (; Pad && M.Context.getAsConstantArrayType(T);
           T = M.Context.getAsConstantArrayType(T)->getElementType()) {
        QualType P = padded(T, Pad, M.Context);
        for (auto [From, To] :
             {std::pair(T, P), std::pair(M.Context.getPointerType(T),
                                         M.Context.getPointerType(P))})
          for (const char *Value : {"", " lvalue"})
            M.PaddedTypes[M.typeText(From) + Value] = M.typeText(To) + Value;
      }
    }
}

/// `xs` is the reference to its stage, or `xs_stages[stage]`, where a ring of
/// stages is known.
std::optional<bool> StageMatcher::matchStaged(const Tree &A, const Tree &O) {
  if (!A.is("DeclRefExpr"))
    return std::nullopt;
  const DeclaredLoop *L = M.stagedBy(A.Of);
  if (!L || L->Stages == 1)
    return std::nullopt;
  for (const StagedBuffer &B : L->Tile.Buffers)
    if ((B.Block || !B.Given.empty()) && B.Var->getCanonicalDecl() == A.Of)
      return std::nullopt;
  const Standing &At = M.Standings[L];
  if (At.Where == Standing::Before ||
      (At.Where == Standing::After && keepsContents(*L, A.Of))) {
    auto First = At.FirstStages.find(A.Of);
    if (First == At.FirstStages.end())
      return std::nullopt;
    if (!M.sameType(A, O) || !M.names(O, First->second))
      return M.fail(A, {msg::meaning_stage, A.Name});
    M.Trail.push_back(&A);
    return true;
  }
  if (!M.sameType(A, O))
    return M.fail(A, {msg::meaning_stage, A.Name});
  auto Reference = At.References.find(A.Of);
  bool Same = Reference != At.References.end() && M.names(O, Reference->second);
  if (!Same && O.is("ArraySubscriptExpr") && M.names(O.kid(1), At.Stage)) {
    const Tree &Array = withoutConversions(O.kid(0));
    Same = Array.is("DeclRefExpr") && Array.Local && A.Local &&
           M.Bound.ours(A.Local) == Array.Local;
  }
  if (Same)
    M.Trail.push_back(&A);
  return Same || M.fail(A, {msg::meaning_stage, A.Name});
}

/// `block_stages[…]`, where block is a staged array.
const Tree *StageMatcher::indexOfStage(const Tree &O, const Decl *Array) const {
  const Tree &Plain = withoutConversions(O);
  if (!Plain.is("ArraySubscriptExpr"))
    return nullptr;
  const unsigned Stages = M.Bound.ours(M.Numbers.lookup(Array));
  return Stages && M.names(Plain.kid(0), Stages)
             ? &withoutConversions(Plain.kid(1))
             : nullptr;
}

/// `stage * stage_bytes`, or `stage * sizeof(block_stages[0])`.
bool StageMatcher::isDistance(const Tree &O, const DeclaredLoop &L,
                              const DeclaredLoop::StagedVar &N) const {
  const Standing &At = M.Standings[&L];
  const Tree &Product = withoutConversions(O);
  if (!isBinary(Product, "*") || !M.names(Product.kid(0), At.Stage))
    return false;
  const Tree &Bytes = withoutConversions(Product.kid(1));
  for (const StagedBuffer &B : L.Tile.Buffers) {
    if (B.Given.empty() ||
        !(B.Var == N.Var || llvm::is_contained(B.Views, N.Var)))
      continue;
    if (!Bytes.is("UnaryExprOrTypeTraitExpr"))
      return Bytes.is("IntegerLiteral") &&
             Bytes.Label == std::to_string(B.Bytes);
    // The reference's own size, which is that of what is given.
    const unsigned Own = M.Bound.ours(M.Numbers.lookup(N.Var));
    auto First = At.Firsts.find(N.Var->getCanonicalDecl());
    return B.Var == N.Var && Bytes.Label == "0" && Bytes.Kids.size() == 1 &&
           (M.names(Bytes.kid(0), Own) ||
            (First != At.Firsts.end() &&
             M.names(Bytes.kid(0), First->second)));
  }
  if (!N.OfArray)
    return M.names(Bytes, At.Bytes);
  if (!Bytes.is("UnaryExprOrTypeTraitExpr") || Bytes.Label != "0" ||
      Bytes.Kids.size() != 1)
    return false;
  for (const StagedBuffer &B : L.Tile.Buffers)
    if (llvm::is_contained(B.Views, N.Var))
      return indexOfStage(Bytes.kid(0), B.Var->getCanonicalDecl());
  return false;
}

/// `auto &block = block_stages[0];`, of which views are made.
bool StageMatcher::bindFirstStage(const Tree &O) {
  if (!O.is("Var") || O.Kids.size() != 1 ||
      !llvm::StringRef(O.Type).contains('&'))
    return false;
  for (const DeclaredLoop *L : M.Loops)
    for (const StagedBuffer &B : L->Tile.Buffers) {
      Standing &At = M.Standings[L];
      auto isFirst = [&](const VarDecl *Array) {
        const Decl *Of = Array->getCanonicalDecl();
        if (L->Stages == 1 || Array->getName() != O.Name ||
            At.Where != Standing::Before || At.FirstStages.count(Of))
          return false;
        const Tree *Index = indexOfStage(O.kid(0), Of);
        if (!Index || Index->Label != "0")
          return false;
        At.FirstStages[Of] = O.Local;
        return true;
      };
      if ((B.KeepsContents || !B.Views.empty()) && B.Given.empty() &&
          isFirst(B.Var))
        return true;
      for (const GivenArray &G : B.Given)
        if (isFirst(G.Array))
          return true;
    }
  return false;
}

bool StageMatcher::isFirstStage(const Tree &O, const DeclaredLoop &L) const {
  return O.is("Var") && O.Kids.size() == 1 && O.Label.empty() &&
         L.Stages > 1 &&
         llvm::any_of(L.Tile.Buffers, [&](const StagedBuffer &B) {
           const Tree *Index =
               B.Var->getName() == O.Name
                   ? indexOfStage(O.kid(0), B.Var->getCanonicalDecl())
                   : nullptr;
           return Index && Index->Label == "0";
         });
}

/// A view of a staged buffer is its stage.
std::optional<bool> StageMatcher::matchView(const Tree &A, const Tree &O) {
  const Tree *Name = &A;
  if (A.is("ImplicitCastExpr") &&
      (A.Label == "ArrayToPointerDecay" || A.Label == "LValueToRValue"))
    Name = &A.kid(0);
  const bool Capture = Name->is("Capture");
  if (!Name->is("DeclRefExpr") && !Capture)
    return std::nullopt;
  for (const DeclaredLoop *L : M.Loops) {
    auto View = llvm::find_if(L->Staged, [&](const auto &N) {
      return N.View && N.Var->getCanonicalDecl() == Name->Of;
    });
    if (L->Stages == 1 || View == L->Staged.end())
      continue;
    const Standing &At = M.Standings[L];
    if (At.Where == Standing::Before)
      return std::nullopt;
    if (At.Where == Standing::After &&
        ((L->InBlock && !View->OfArray) || keepsContents(*L, Name->Of)))
      return std::nullopt;
    if (!M.sameType(A, O))
      return M.differ(A, O);
    if (At.Where == Standing::Inside) {
      auto Reference = At.References.find(Name->Of);
      bool Same = Reference != At.References.end() &&
                  (Capture ? O.is("Capture") && O.Label == A.Label &&
                                 O.Kids.empty() && O.Local == Reference->second
                           : M.names(O, Reference->second));
      if (Same)
        M.Trail.push_back(&A);
      return Same || M.fail(A, {msg::meaning_stage, Name->Name});
    }
    // Of a reference it is the object, which is read or decays as the name did.
    const Tree *Call = &O;
    if (Name != &A && O.is("ImplicitCastExpr") && O.Label == A.Label)
      Call = &O.kid(0);
    if (Call->is("UnaryOperator") && Call->Label == "*")
      Call = &Call->kid(0);
    if (!callsRuntime(*Call, "advance_bytes") || Call->Kids.size() != 3)
      return M.fail(A, {msg::meaning_stage, Name->Name});
    const Tree *Pointer = &withoutConversions(Call->kid(1));
    if (Pointer->is("UnaryOperator") && Pointer->Label == "&")
      Pointer = &Pointer->kid(0);
    bool Same = Pointer->is("DeclRefExpr") && M.matchDecl(*Name, *Pointer) &&
                isDistance(Call->kid(2), *L, *View);
    if (Same)
      M.Trail.push_back(&A);
    return Same || M.fail(A, {msg::meaning_stage, Name->Name});
  }
  return std::nullopt;
}

/// The length of a padded row: `BK` is `BK + 8`.
std::optional<bool> StageMatcher::matchStride(const Tree &A, const Tree &O) {
  const auto *E = dyn_cast_or_null<Expr>(A.Origin);
  if (!E)
    return std::nullopt;
  for (const DeclaredLoop *L : M.Loops)
    for (auto [Stride, Count] : L->Strides) {
      if (Stride->IgnoreParenImpCasts() != E->IgnoreParenImpCasts())
        continue;
      const Tree &Sum = withoutConversions(O), &Plain = withoutConversions(A);
      if (!Sum.is("BinaryOperator") || Sum.Label != "+" ||
          withoutConversions(Sum.kid(1)).Label != std::to_string(Count))
        return std::nullopt; // the author's own sum, below which it stands
      const Tree &Left = withoutConversions(Sum.kid(0));
      return M.matchNode(Plain, Left) && M.matchKids(Plain, Left);
    }
  return std::nullopt;
}

std::string StageMatcher::nameOfStages(const Tree &A,
                                       const DeclaredLoop &L) const {
  for (const DeclaredLoop::StagedVar &N : L.Staged)
    if (A.Of && !N.View && N.Var->getCanonicalDecl() == A.Of)
      return N.Stages;
  return A.Name;
}

/// The declaration of a staged array, which got a stage and maybe longer rows.
bool StageMatcher::bindStaged(const Tree &A, const Tree &O,
                              const DeclaredLoop &L) {
  const auto *V = cast<VarDecl>(A.Of);
  unsigned Pad = 0;
  bool Block = false;
  for (unsigned I = 0; I != L.Tile.Buffers.size(); ++I)
    if (L.Tile.Buffers[I].Var->getCanonicalDecl() == A.Of) {
      Pad = I < L.Pads.size() ? L.Pads[I] : 0;
      Block = L.Tile.Buffers[I].Block;
    }
  if (!O.Local != !A.Local || O.Name != nameOfStages(A, L))
    return M.differ(A, O);
  QualType T = V->getType();
  if (!T->isReferenceType() && !Block) {
    T = Pad ? padded(T, Pad, M.Context) : T;
    if (L.Stages > 1)
      T = M.Context.getConstantArrayType(T, llvm::APInt(64, L.Stages), nullptr,
                                         ArraySizeModifier::Normal, 0);
  }
  bool Plain = O.Type == M.typeText(T) && O.Label == A.Label;
  // As a part of dynamic shared memory it is a reference.
  bool Moved = O.Type == M.typeText(M.Context.getLValueReferenceType(T)) &&
               O.Kids.size() == 1;
  if (!Plain && !Moved)
    return M.differ(A, O);
  if (A.Local)
    M.Bound.bind(A.Local, O.Local);
  if (Plain && !A.Kids.empty() && T->isArrayType() && L.Stages > 1)
    return true; // the elements' constructors, as many more
  return Moved || M.matchKids(A, O);
}

/// `auto &As = As_stages[stage];`
/// `auto *As = kpipe::advance_bytes(As_stages, stage * stage_bytes);`
bool StageMatcher::bindReference(const DeclaredLoop &L, const Tree &O) {
  Standing &At = M.Standings[&L];
  for (const DeclaredLoop::StagedVar &N : L.Staged) {
    if (O.Name != N.Var->getName() || O.Kids.size() != 1)
      continue;
    const Decl *Of = N.Var->getCanonicalDecl();
    const Tree *Value = &withoutConversions(O.kid(0));
    bool Same = false;
    if (!N.View) {
      if (Value->is("ArraySubscriptExpr") && M.names(Value->kid(1), At.Stage)) {
        const Tree &Array = withoutConversions(Value->kid(0));
        Same = Array.is("DeclRefExpr") && Array.Local &&
               Array.Local == M.Bound.ours(M.Numbers.lookup(Of)) &&
               llvm::StringRef(O.Type).contains('&');
      }
    } else {
      if (Value->is("UnaryOperator") && Value->Label == "*")
        Value = &Value->kid(0);
      if (callsRuntime(*Value, "advance_bytes") && Value->Kids.size() == 3) {
        const Tree *Pointer = &withoutConversions(Value->kid(1));
        if (Pointer->is("UnaryOperator") && Pointer->Label == "&")
          Pointer = &Pointer->kid(0);
        auto First = At.Firsts.find(Of);
        Same = First != At.Firsts.end() && M.names(*Pointer, First->second) &&
               isDistance(Value->kid(2), L, N);
      }
    }
    if (Same)
      At.References[Of] = O.Local;
    return Same;
  }
  return false;
}

} // namespace kpipe
