// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `state.buf ^= 1` and `swap(cur, next)`: what chooses a buffer may be a part
// of an object, or change places in a call. See StageTracer.h.
#include "Code/KnownFunctions.h"
#include "StageTracer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is an object named as `object.part` alone, where the part is read or
/// changed?
struct PartsOnly : ConstDynamicRecursiveASTVisitor {
  const VarDecl *Of;
  llvm::DenseSet<const Expr *> Parts; ///< that are read or changed
  llvm::DenseSet<const Expr *> Bases;
  bool Others = false;
  explicit PartsOnly(const VarDecl *Of) : Of(Of) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      Parts.insert(B->getLHS()->IgnoreParens());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      Parts.insert(U->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      Parts.insert(C->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    if (!M->isArrow() && Parts.count(M))
      Bases.insert(M->getBase()->IgnoreParens());
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    for (const LambdaCapture &C : L->captures())
      Others |= C.capturesVariable() && C.getCapturedVar() == Of;
    return !Others;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    Others |= D->getDecl() == Of && !Bases.count(D);
    return !Others;
  }
};

/// Is a part of Of changed?
struct ChangedParts : ConstDynamicRecursiveASTVisitor {
  llvm::DenseSet<const VarDecl *> Of;
  void change(const Expr *E) {
    const auto *M = dyn_cast<MemberExpr>(E->IgnoreParens());
    const auto *D =
        M ? dyn_cast<DeclRefExpr>(M->getBase()->IgnoreParens()) : nullptr;
    if (const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr)
      Of.insert(V);
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      change(B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      change(U->getSubExpr());
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    Of.insert(V);
    return true;
  }
};

const VarDecl *named(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// `T t = a; a = b; b = t;` of two references.
bool exchanges(const FunctionDecl *F) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(F->getBody());
  if (!Block || Block->size() != 3 || F->getNumParams() != 2)
    return false;
  const ParmVarDecl *A = F->getParamDecl(0), *B = F->getParamDecl(1);
  auto assigns = [](const Stmt *S, const VarDecl *To, const VarDecl *From) {
    const auto *O = dyn_cast<BinaryOperator>(S);
    return O && O->getOpcode() == BO_Assign && named(O->getLHS()) == To &&
           named(O->getRHS()) == From;
  };
  const auto *D = dyn_cast<DeclStmt>(Block->body_begin()[0]);
  const auto *Kept =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  return Kept && Kept->getInit() && !Kept->getType()->isReferenceType() &&
         named(Kept->getInit()) == A && assigns(Block->body_begin()[1], A, B) &&
         assigns(Block->body_begin()[2], B, Kept);
}

} // namespace

std::optional<StageTracer::Part> StageTracer::partOf(const Expr *E) {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParens());
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  const auto *D =
      M ? dyn_cast<DeclRefExpr>(M->getBase()->IgnoreParens()) : nullptr;
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!Field || M->isArrow() || !V || !V->isLocalVarDecl() ||
      !V->hasLocalStorage() || V->getType()->isReferenceType() ||
      V->getType().isVolatileQualified() || Field->isBitField() ||
      Field->getParent()->isUnion() ||
      !(Field->getType()->isIntegralOrEnumerationType() ||
        Field->getType()->isPointerType()) ||
      Field->getType().isVolatileQualified() ||
      V->getDeclContext() != Of.Function || !namesPartsOnly(V))
    return std::nullopt;
  return Part{V, Field};
}

bool StageTracer::namesPartsOnly(const VarDecl *V) {
  auto [Known, New] = OnlyParts.try_emplace(V, false);
  if (New) {
    PartsOnly All(V);
    All.TraverseStmt(Of.Function->getBody());
    Known->second = !All.Others;
  }
  return Known->second;
}

bool StageTracer::changes(const Expr *E) {
  const auto &All = changedBy(E);
  if (All.empty())
    return false;
  ChangedParts Changed;
  Changed.TraverseStmt(E);
  return llvm::any_of(All, [&](const VarDecl *V) {
    return !V->getType()->isRecordType() || Changed.Of.count(V) ||
           !namesPartsOnly(V);
  });
}

void StageTracer::hold(const Expr *E, const RunValue &X) {
  Parts[*partOf(E)] = X;
}

void StageTracer::forget(const Stmt *S) {
  ThreadRun::forget(S);
  if (!S || Parts.empty())
    return;
  ChangedParts Changed;
  Changed.TraverseStmt(S);
  for (auto &[Of, Value] : Parts)
    if (Changed.Of.count(Of.first))
      Value = {};
}

/// What a declaration puts into an object.
void StageTracer::declareParts(const VarDecl *V) {
  for (auto &[Of, Value] : Parts)
    if (Of.first == V)
      Value = {};
  const auto *L = dyn_cast_or_null<InitListExpr>(V->getInit());
  const RecordDecl *R = V->getType()->getAsRecordDecl();
  if (!L || !R || R->isUnion() || V->getType()->isReferenceType())
    return;
  unsigned I = 0;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(R))
    I = Class->getNumBases();
  for (const FieldDecl *F : R->fields()) {
    if (F->isUnnamedBitField())
      continue;
    if (I == L->getNumInits())
      return;
    const Expr *E = L->getInit(I++);
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
      E = Default->getExpr();
    if (isa<ImplicitValueInitExpr>(E)) {
      if (F->getType()->isIntegralOrEnumerationType())
        Parts[{V, F}] = RunValue::of(0);
    } else if (!E->isGLValue() && !E->HasSideEffects(Context) &&
               (F->getType()->isIntegralOrEnumerationType() ||
                F->getType()->isPointerType())) {
      Parts[{V, F}] = value(E);
    }
  }
}

std::pair<const VarDecl *, const VarDecl *>
StageTracer::exchangedBy(const Stmt *S) {
  const auto *C = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Body = nullptr;
  if (!F || C->getNumArgs() != 2 || F->getNumParams() != 2 ||
      isa<CXXMethodDecl>(F))
    return {};
  for (const ParmVarDecl *P : F->parameters()) {
    const QualType T = P->getType().getNonReferenceType();
    if (!P->getType()->isLValueReferenceType() || T.isConstQualified() ||
        !(T->isPointerType() || T->isIntegralOrEnumerationType()))
      return {};
  }
  const bool Toolkits = F->getIdentifier() && F->getName() == "swap" &&
                        (isToolkits(F) || F->isInStdNamespace());
  if (!Toolkits && !(F->hasBody(Body) && exchanges(Body)))
    return {};
  const auto *A = dyn_cast<DeclRefExpr>(C->getArg(0)->IgnoreParens()),
             *B = dyn_cast<DeclRefExpr>(C->getArg(1)->IgnoreParens());
  const auto *X = A ? dyn_cast<VarDecl>(A->getDecl()) : nullptr,
             *Y = B ? dyn_cast<VarDecl>(B->getDecl()) : nullptr;
  if (!X || !Y || X == Y || !X->hasLocalStorage() || !Y->hasLocalStorage() ||
      X->getType()->isReferenceType() || Y->getType()->isReferenceType())
    return {};
  return {X, Y};
}

/// A variable that nothing but such calls gives another name to has none.
void StageTracer::findSwaps() {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::DenseSet<const Expr *> Arguments;
    bool VisitCallExpr(const CallExpr *C) override {
      if (exchangedBy(C).first)
        for (const Expr *A : C->arguments())
          Arguments.insert(A->IgnoreParens());
      return true;
    }
  } All;
  All.TraverseStmt(Of.Function->getBody());
  if (!All.Arguments.empty())
    areOwnNames(Of.Function, All.Arguments);
}

} // namespace kpipe
