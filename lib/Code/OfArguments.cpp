// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results made of arguments, see OfArguments.h. A body is believed if all that
// it mentions is its own: parameters, locals, members of the object.

#include "OfArguments.h"
#include "KnownFunctions.h"
#include "SpecialRegisters.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace kpipe {

/// What a member or an element is a part of; null where a pointer or
/// a reference is followed.
static const Expr *wholeOf(const Expr *E) {
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    return F && !F->getType()->isReferenceType() &&
                   (!M->isArrow() ||
                    isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()))
               ? M->getBase()->IgnoreParens()
               : nullptr;
  }
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(S->getBase()->IgnoreParens());
    return Decay && Decay->getCastKind() == CK_ArrayToPointerDecay
               ? Decay->getSubExpr()->IgnoreParens()
               : nullptr;
  }
  return nullptr;
}

/// Strips members and elements, and casts to a base class or to const.
static const Expr *objectOf(const Expr *E) {
  E = E->IgnoreParens();
  while (true) {
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
        C && (C->getCastKind() == CK_NoOp ||
              C->getCastKind() == CK_UncheckedDerivedToBase ||
              C->getCastKind() == CK_DerivedToBase))
      E = C->getSubExpr()->IgnoreParens();
    else if (isa<MemberExpr, ArraySubscriptExpr>(E)) {
      if (!(E = wholeOf(E)))
        return nullptr;
    } else
      return E;
  }
}

const DeclRefExpr *localObjectOf(const Expr *E) {
  const Expr *Object = objectOf(E);
  const auto *D = dyn_cast_or_null<DeclRefExpr>(Object);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
                 !D->refersToEnclosingVariableOrCapture()
             ? D
             : nullptr;
}

const DeclRefExpr *ownerIn(const Expr *E,
                           llvm::SmallVectorImpl<const Expr *> &Indices) {
  for (E = E->IgnoreParens();;) {
    const auto *M = dyn_cast<MemberExpr>(E);
    const auto *S = dyn_cast<ArraySubscriptExpr>(E);
    const auto *Array =
        S ? dyn_cast<ImplicitCastExpr>(S->getBase()->IgnoreParens()) : nullptr;
    if (M && !M->isArrow()) {
      E = M->getBase()->IgnoreParens();
    } else if (Array && Array->getCastKind() == CK_ArrayToPointerDecay) {
      Indices.push_back(S->getIdx());
      E = Array->getSubExpr()->IgnoreParens();
    } else {
      return dyn_cast<DeclRefExpr>(E);
    }
  }
}

bool namesPartOfLocal(const ArraySubscriptExpr *E) {
  const DeclRefExpr *D = localObjectOf(E);
  return D && D->getType()->isRecordType();
}

namespace {

/// Looks for anything in a body that is not its own.
class Foreign : public ConstDynamicRecursiveASTVisitor {
public:
  bool Found = false;

  // Default initialisers of members, and operators that others are made of.
  Foreign() { ShouldVisitImplicitCode = true; }

  void enter(const FunctionDecl *F) {
    const FunctionDecl *Body = nullptr;
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (Inside.size() == 8 || llvm::is_contained(Inside, F) ||
        !F->hasBody(Body) || isa<CXXConstructorDecl, CXXDestructorDecl>(F) ||
        (M && (M->isVirtual() || (!M->isStatic() && !M->isConst()) ||
               M->getParent()->isLambda() || M->isVolatile())) ||
        F->isVariadic() || !isNumber(F->getReturnType()) ||
        (F->getReturnType()->isReferenceType() &&
         !F->getReturnType().getNonReferenceType().isConstQualified())) {
      Found = true;
      return;
    }
    for (const ParmVarDecl *P : F->parameters()) {
      const QualType T = P->getType();
      Found |=
          T->isPointerType() || (T->isReferenceType() &&
                                 (!isValue(T.getNonReferenceType()) ||
                                  !T.getNonReferenceType().isConstQualified()));
    }
    if (!Seen.insert(Body).second)
      return;
    Inside.push_back(F);
    TraverseStmt(Body->getBody());
    Inside.pop_back();
  }

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    // Functions are judged where they are called.
    if (isa<FunctionDecl, EnumConstantDecl>(D->getDecl()))
      return true;
    if (!V || V->getType().isVolatileQualified())
      return !(Found = true);
    if (V->hasLocalStorage())
      return !(Found |=
               !isa<ParmVarDecl>(V) && (V->getType()->isReferenceType() ||
                                        V->getType()->isPointerType()));
    // Nothing that a kernel does changes constant memory.
    return !(Found |= (!V->isUsableInConstantExpressions(V->getASTContext()) &&
                       !V->hasAttr<CUDAConstantAttr>()) ||
                      V->getType()->isReferenceType() ||
                      V->getName() == "threadIdx");
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    if (isa<CXXMethodDecl>(M->getMemberDecl()))
      return true; // judged as a call
    if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl()))
      return !(Found |= F->getType().isVolatileQualified() || F->isMutable() ||
                        !wholeOf(M));
    const auto *V = dyn_cast<VarDecl>(M->getMemberDecl());
    return !(Found |=
             !V || !V->isUsableInConstantExpressions(V->getASTContext()));
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *S) override {
    return !(Found |= !wholeOf(S));
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      return own(U->getSubExpr());
    return !(Found |=
             U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf);
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    Found |= B->getOpcode() == BO_PtrMemI;
    return !B->isAssignmentOp() || own(B->getLHS());
  }
  bool VisitCastExpr(const CastExpr *C) override {
    return !(Found |= C->getCastKind() == CK_PointerToIntegral ||
                      C->getCastKind() == CK_PointerToBoolean ||
                      C->getCastKind() == CK_LValueBitCast ||
                      isa<CXXConstCastExpr, CXXReinterpretCastExpr>(C));
  }
  bool VisitCallExpr(const CallExpr *C) override {
    Found |= !known(C);
    return !Found;
  }
  bool TraverseStmt(const Stmt *S) override {
    if (!S || Found)
      return !Found;
    if (const auto *P = dyn_cast<PseudoObjectExpr>(S))
      return !(Found |= !isOfBlock(P));
    if (isa<GotoStmt, IndirectGotoStmt, GCCAsmStmt, MSAsmStmt, LambdaExpr,
            CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, CXXTryStmt,
            AtomicExpr, CXXForRangeStmt, StmtExpr,
            CXXBindTemporaryExpr, CXXDefaultInitExpr, CXXDefaultArgExpr,
            RecoveryExpr, VAArgExpr, SourceLocExpr, CXXPseudoDestructorExpr>(S))
      return !(Found = true);
    if (const auto *C = dyn_cast<CXXConstructExpr>(S);
        C && !C->getConstructor()->isTrivial())
      return !(Found = true);
    if (isa<CXXThisExpr>(S)) // reached otherwise than through a member
      return !(Found = true);
    if (const auto *M = dyn_cast<MemberExpr>(S);
        M && isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()))
      return VisitMemberExpr(M);
    return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitVarDecl(const VarDecl *V) override {
    return !(Found |= (V->isStaticLocal() && !V->isConstexpr()) ||
                      V->getType().isVolatileQualified());
  }

  /// Is P `blockIdx.x` or its like?
  static bool isOfBlock(const PseudoObjectExpr *P) {
    const auto R = specialRegister(P);
    return R &&
           (R->isOf("blockIdx") || R->isOf("blockDim") || R->isOf("gridDim"));
  }

  /// Can the value of the call be told from its arguments and its object?
  bool known(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || isa<CUDAKernelCallExpr>(C))
      return false;
    CallKind Kind = classifyCall(F);
    // That it changes nothing is the author's word, not that it asks for no
    // thread's index.
    if (Kind == CallKind::Pure && !F->getBuiltinID() && !isToolkits(F))
      Kind = CallKind::Ordinary;
    // Without arguments, it may be a thread's index that is asked for.
    if (Kind == CallKind::Pure)
      return F->getNumParams() && !isa<CXXMethodDecl>(F) &&
             isNumber(F->getReturnType()) &&
             llvm::all_of(F->parameters(), [](const ParmVarDecl *P) {
               return isNumber(P->getType());
             });
    if (Kind != CallKind::Ordinary)
      return false;
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (M && !M->isStatic()) {
      const auto *Call = dyn_cast<CXXMemberCallExpr>(C);
      const auto *Name =
          Call ? dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens())
               : nullptr;
      const Expr *Object = Call ? Call->getImplicitObjectArgument()
                           : isa<CXXOperatorCallExpr>(C) ? C->getArg(0)
                                                         : nullptr;
      if (!Object || (Name && Name->isArrow() &&
                      !isa<CXXThisExpr>(Object->IgnoreParenImpCasts())))
        return false;
      // Of this body's own object, or of a local of its.
      Object = Object->IgnoreParenImpCasts();
      if (!isa<CXXThisExpr>(Object) && !localObjectOf(Object))
        return false;
    }
    enter(F);
    return !Found;
  }

private:
  llvm::SmallVector<const FunctionDecl *, 8> Inside;
  /// A second time, nothing else would be found.
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  static bool isNumber(QualType T) {
    T = T.getNonReferenceType();
    return T->isArithmeticType() || T->isEnumeralType();
  }
  static bool isValue(QualType T) {
    T = T.getNonReferenceType();
    return isNumber(T) || T->isRecordType();
  }
  /// What a body changes has to be a local variable of its own.
  bool own(const Expr *Target) { return !(Found |= !localObjectOf(Target)); }
};

} // namespace

bool madeOfArguments(const CallExpr *C) {
  if (isa<CXXMemberCallExpr>(C) &&
      isa<CXXThisExpr>(cast<CXXMemberCallExpr>(C)
                           ->getImplicitObjectArgument()
                           ->IgnoreParenImpCasts()))
    return false; // whose object is that
  return Foreign().known(C);
}

} // namespace kpipe
