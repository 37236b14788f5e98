// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts and calls that rely on an alignment, see StageAlignment.h. The whole
// function is searched: views are made before the loop, and the last tile may
// be read behind it.

#include "StageAlignment.h"
#include "Code/AstUtils.h"
#include "Code/HeldPointers.h"
#include "Code/KnownFunctions.h"
#include "Code/Scope.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What the author declared beyond the type's own alignment, else 1.
unsigned declaredAlignment(const StagedBuffer &B, const TileLoop &Tile) {
  // Descriptors of wgmma are made of such numbers; whether their tiles are
  // swizzled is not read.
  unsigned Widest = Tile.crossesProxies() ? MatrixTile::Alignment : 1;
  auto add = [&](const VarDecl *V) {
    if (V->hasAttr<AlignedAttr>())
      Widest = std::max(Widest, V->getMaxAlignment() / 8);
  };
  add(B.Var);
  for (const GivenArray &G : B.Given)
    add(G.Array);
  return Widest;
}

class Reliance : public ConstDynamicRecursiveASTVisitor {
public:
  Reliance(const Scope &In, const VarDecl *Buffer, unsigned Declared)
      : In(In), Buffer(Buffer), Declared(Declared) {}

  unsigned Widest = 1;
  /// What cannot be traced may be the buffer.
  bool InLoop = false;

  bool VisitCastExpr(const CastExpr *C) override {
    const Expr *Of = C->getSubExpr();
    if (C->getCastKind() == CK_PointerToIntegral) {
      if (reaches(In.ofPointer(Of)))
        rely(Declared);
    } else if (C->getCastKind() == CK_LValueBitCast) {
      if (reaches(In.ofLValue(Of)))
        relyOn(C->getType());
    } else if (C->getType()->isPointerType() && Of->getType()->isPointerType() &&
               isa<ExplicitCastExpr>(C)) {
      if (reaches(In.ofPointer(Of)))
        relyOn(C->getType()->getPointeeType());
    }
    return true;
  }
  bool VisitCXXNewExpr(const CXXNewExpr *N) override {
    if (N->getNumPlacementArgs() == 1 &&
        N->getPlacementArg(0)->getType()->isPointerType() &&
        reaches(In.ofPointer(N->getPlacementArg(0))))
      relyOn(N->getAllocatedType());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    auto takes = [&](unsigned I) {
      return I < C->getNumArgs() && C->getArg(I)->getType()->isPointerType() &&
             reaches(In.ofPointer(C->getArg(I)));
    };
    if (F->getBuiltinID() == Builtin::BI__builtin_assume_aligned && takes(0)) {
      auto Bytes = constantValue(C->getArg(1), In.context());
      rely(Bytes && *Bytes > 0 ? *Bytes : Declared);
    }
    if (F->hasAttr<AssumeAlignedAttr>() || F->hasAttr<AllocAlignAttr>())
      for (unsigned I = 0; I != C->getNumArgs(); ++I)
        if (takes(I))
          rely(Declared);
    switch (classifyCall(F)) {
    case CallKind::WmmaLoad:
    case CallKind::WmmaStore:
      // "must be a 256-bit aligned pointer", Programming Guide.
      if (takes(classifyCall(F) == CallKind::WmmaLoad))
        rely(32);
      break;
    case CallKind::Ordinary:
      if (F->hasBody())
        enter(calleeOf(C));
      else
        relyOnDeclared(C);
      break;
    default:
      relyOnDeclared(C);
    }
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    relyOnAttribute(V);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    HeldPointers::Call Made;
    Made.Callee = C->getConstructor();
    Made.Arguments.append(C->arg_begin(), C->arg_end());
    enter(Made);
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    if (InLoop)
      rely(16); // ldmatrix rows
    for (unsigned I = 0; I != A->getNumInputs(); ++I)
      if (A->getInputExpr(I)->getType()->isPointerType() &&
          reaches(In.ofPointer(A->getInputExpr(I))))
        rely(Declared);
    return true;
  }

private:
  const Scope &In;
  const VarDecl *Buffer;
  unsigned Declared;

  bool reaches(const Roots &R) const {
    return llvm::any_of(R, [&](const MemoryRoot &X) {
      return X.Var == Buffer || (InLoop && X.Where == Space::Unknown);
    });
  }
  void rely(unsigned Bytes) { Widest = std::max(Widest, Bytes); }
  void relyOn(QualType T) {
    if (hasSize(T))
      rely(In.context().getTypeAlignInChars(T).getQuantity());
  }
  /// `__cvta_generic_to_shared(p)` and its kin make a number of an address.
  void relyOnDeclared(const CallExpr *C) {
    if (C->getType()->isIntegralOrEnumerationType())
      for (const Expr *A : C->arguments())
        if (A->getType()->isPointerType() && reaches(In.ofPointer(A)))
          rely(Declared);
  }
  /// `float *__attribute__((align_value(16))) p`.
  void relyOnAttribute(const VarDecl *V) {
    const Expr *Bytes = nullptr;
    if (const auto *A = V->getAttr<AlignValueAttr>())
      Bytes = A->getAlignment();
    else if (const auto *T = V->getType()->getAs<TypedefType>())
      if (const auto *OfType = T->getDecl()->getAttr<AlignValueAttr>())
        Bytes = OfType->getAlignment();
    if (auto Value = Bytes ? constantValue(Bytes, In.context()) : std::nullopt)
      rely(*Value);
  }
  void enter(const HeldPointers::Call &C) {
    const FunctionDecl *Definition = nullptr;
    if (!C.Callee || !C.Callee->hasBody(Definition) || In.contains(Definition))
      return;
    auto takes = [&](const Expr *E) { return E && reaches(In.reached(E)); };
    if (!takes(C.Object) && llvm::none_of(C.Arguments, takes))
      return;
    Scope Callee(In, Definition, C.Arguments, C.Object);
    Reliance Inner(Callee, Buffer, Declared);
    Inner.InLoop = InLoop;
    for (const ParmVarDecl *P : Definition->parameters())
      Inner.relyOnAttribute(P);
    Inner.TraverseStmt(Definition->getBody());
    rely(Inner.Widest);
  }
};

} // namespace

unsigned alignmentOf(const StagedBuffer &B, const LoopFacts &Facts) {
  Reliance All(*Facts.In, B.Var, declaredAlignment(B, Facts.Tile));
  All.TraverseStmt(Facts.Tile.Function->getBody());
  All.InLoop = true;
  for (const BodyItem &I : Facts.Tile.Body)
    All.TraverseStmt(I.S);
  QualType Element = B.Var->getType().getNonReferenceType();
  if (Element->isPointerType() && !Element->getPointeeType()->isVoidType())
    Element = Element->getPointeeType();
  ASTContext &Context = Facts.In->context();
  Element = Context.getBaseElementType(Element);
  return std::max<unsigned>(All.Widest,
                            Context.getTypeAlignInChars(Element).getQuantity());
}

} // namespace kpipe
