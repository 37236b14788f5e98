// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of single nodes, see SideEffects.h. What is not known to be harmless
// has an effect.
#include "SideEffects.h"
#include "Code/KnownFunctions.h"
#include "Code/UsesOfVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

static const Expr *assigned(const Stmt *S) {
  if (const auto *B = dyn_cast<BinaryOperator>(S))
    return B->isAssignmentOp() ? B->getLHS() : nullptr;
  if (const auto *U = dyn_cast<UnaryOperator>(S))
    return U->isIncrementDecrementOp() ? U->getSubExpr() : nullptr;
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(S))
    return C->isAssignmentOp() || C->getOperator() == OO_PlusPlus ||
                   C->getOperator() == OO_MinusMinus
               ? C->getArg(0)
               : nullptr;
  return nullptr;
}

/// The variable that an lvalue is a part of, without going through a pointer.
static const VarDecl *baseVariable(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->isArrow())
        return nullptr;
      E = M->getBase();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      const auto *C =
          dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
      if (!C || C->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      E = C->getSubExpr();
    } else if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
               C && (C->getCastKind() == CK_NoOp ||
                     C->getCastKind() == CK_DerivedToBase ||
                     C->getCastKind() == CK_UncheckedDerivedToBase)) {
      E = C->getSubExpr();
    } else {
      break;
    }
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && !V->getType()->isReferenceType() ? V : nullptr;
}

const VarDecl *changedByName(const Stmt *S) {
  const Expr *E = assigned(S);
  return E ? baseVariable(E) : nullptr;
}

const VarDecl *changedByOtherName(const Stmt *S) {
  const Expr *E = assigned(S);
  E = E ? E->IgnoreParens() : nullptr;
  const auto *U = dyn_cast_or_null<UnaryOperator>(E);
  bool Through = U && U->getOpcode() == UO_Deref;
  const auto *Name = dyn_cast_or_null<DeclRefExpr>(
      Through ? U->getSubExpr()->IgnoreParenImpCasts() : E);
  const auto *Other = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!Other || !Other->hasInit() || isa<ParmVarDecl>(Other) ||
      Other->getType()->isReferenceType() == Through)
    return nullptr;
  const Expr *Init = Other->getInit()->IgnoreParenImpCasts();
  if (Through) {
    const auto *Address = dyn_cast<UnaryOperator>(Init);
    if (!Address || Address->getOpcode() != UO_AddrOf)
      return nullptr;
    Init = Address->getSubExpr();
  }
  return baseVariable(Init);
}

namespace {

/// One of the toolkit's functions that make a number of others, zero of zeros.
bool makesNumber(const FunctionDecl *F) {
  static constexpr llvm::StringLiteral Begins[] = {
      "make_",      "__float2half",   "__float2bfloat16", "__double2half",
      "__int2half", "__floats2half2", "__half2half2"};
  return F->getIdentifier() && llvm::any_of(Begins, [&](llvm::StringRef Begin) {
           return F->getName().starts_with(Begin);
         });
}

/// A function that computes a value from its arguments and what it reads.
bool isPure(const FunctionDecl *F, unsigned Depth);

/// Of a function's body: changes of its own variables do not count.
bool bodyIsPure(const Stmt *S, const FunctionDecl *Of, unsigned Depth) {
  if (!S)
    return true;
  if (const Expr *E = assigned(S)) {
    const VarDecl *V = baseVariable(E);
    bool Own = V && V->getDeclContext() == Of && V->hasLocalStorage();
    const auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Own || (Call && !(Callee && Callee->isDefaulted())))
      return false;
  } else if (isa<LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, AsmStmt>(
                 S)) {
    return false;
  } else if (const auto *C = dyn_cast<CallExpr>(S)) {
    if (!C->getDirectCallee() || !isPure(C->getDirectCallee(), Depth + 1))
      return false;
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    if (!isPure(C->getConstructor(), Depth + 1))
      return false;
  } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One);
          V && (V->isStaticLocal() || V->hasAttr<CUDASharedAttr>()))
        return false;
  } else if (const auto *E = dyn_cast<Expr>(S);
             E && E->getType().isVolatileQualified()) {
    return false;
  }
  for (const Stmt *Kid : S->children())
    if (!bodyIsPure(Kid, Of, Depth))
      return false;
  return true;
}

bool isPure(const FunctionDecl *F, unsigned Depth) {
  constexpr unsigned Deepest = 8;
  if (F->hasAttr<ConstAttr>() || F->hasAttr<PureAttr>())
    return true;
  switch (classifyCall(F)) {
  case CallKind::Pure:
  case CallKind::ReadOnlyLoad:
  case CallKind::CachedLoad:
    return true;
  case CallKind::Ordinary:
    break;
  default:
    return false;
  }
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F)) {
    if (C->isTrivial() || (C->isDefaulted() && C->isConstexpr()))
      return true;
    // half2 and its kin: the toolkit makes their words by assembly and
    // pointers.
    if (isToolkits(C) && C->getParent()->getDeclContext()->isTranslationUnit())
      return true;
  }
  if (F->isTrivial() || (isToolkits(F) && makesNumber(F)))
    return true;
  const FunctionDecl *Body = nullptr;
  if (Depth > Deepest || !F->getBody(Body)) {
    // The toolkit's conversions and arithmetic have no body with the
    // declarations that kpipe brings.
    const SourceManager &SM = F->getASTContext().getSourceManager();
    bool Toolkit = F->getLocation().isInvalid() ||
                   SM.isInSystemHeader(F->getLocation());
    return Depth <= Deepest && Toolkit && F->isConstexpr();
  }
  if (const auto *C = dyn_cast<CXXConstructorDecl>(Body))
    for (const CXXCtorInitializer *I : C->inits())
      if (!bodyIsPure(I->getInit(), Body, Depth))
        return false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(Body);
      M && M->isInstance() && M->isVirtual())
    return false;
  return bodyIsPure(Body->getBody(), Body, Depth);
}

} // namespace

bool hasOwnEffect(const Stmt *S) {
  if (!S)
    return false;
  if (assigned(S))
    return true;
  if (const auto *C = dyn_cast<CallExpr>(S))
    return !C->getDirectCallee() || !isPure(C->getDirectCallee(), 0);
  if (const auto *C = dyn_cast<CXXConstructExpr>(S))
    return !isPure(C->getConstructor(), 0);
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return llvm::any_of(D->decls(), [](const Decl *One) {
      const auto *V = dyn_cast<VarDecl>(One);
      return V && V->isStaticLocal() && !V->hasAttr<CUDASharedAttr>() &&
             !V->isConstexpr();
    });
  if (const auto *C = dyn_cast<CastExpr>(S))
    return C->getCastKind() == CK_LValueToRValue &&
           C->getSubExpr()->getType().isVolatileQualified();
  return isa<AsmStmt, CXXNewExpr, CXXDeleteExpr, AtomicExpr, CXXThrowExpr,
             ReturnStmt, GotoStmt, IndirectGotoStmt>(S);
}

static bool isZeroValue(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return V.getInt().isZero();
  case APValue::Float:
    return V.getFloat().isPosZero();
  case APValue::LValue:
    return V.isNullPointer();
  case APValue::Vector:
    for (unsigned I = 0; I != V.getVectorLength(); ++I)
      if (!isZeroValue(V.getVectorElt(I)))
        return false;
    return true;
  case APValue::Array:
    for (unsigned I = 0; I != V.getArrayInitializedElts(); ++I)
      if (!isZeroValue(V.getArrayInitializedElt(I)))
        return false;
    return !V.hasArrayFiller() || isZeroValue(V.getArrayFiller());
  case APValue::Struct:
    for (unsigned I = 0; I != V.getStructNumBases(); ++I)
      if (!isZeroValue(V.getStructBase(I)))
        return false;
    for (unsigned I = 0; I != V.getStructNumFields(); ++I)
      if (!isZeroValue(V.getStructField(I)))
        return false;
    return true;
  default:
    return false;
  }
}

/// Of the toolkit: a user's own functions may be called anything.
static bool isToolkits(const FunctionDecl *F, const ASTContext &Context) {
  return F->isImplicit() ||
         Context.getSourceManager().isInSystemHeader(F->getLocation());
}

static bool names(const Stmt *S, const VarDecl *V) {
  const auto *D = dyn_cast<DeclRefExpr>(S);
  return (D && D->getDecl() == V) ||
         llvm::any_of(S->children(), [&](const Stmt *Child) {
           return Child && names(Child, V);
         });
}

/// Is V reached by its name alone, wherever its function does?
static bool hasOneName(const VarDecl *V) {
  const auto *F = dyn_cast<FunctionDecl>(V->getDeclContext());
  return F && F->getBody() && !usesIn(F->getBody()).Handed.count(V);
}

/// What Changing changes, Other may not read; what has no name is anything.
static bool changesFor(const Stmt *Changing, const Stmt *Other) {
  if (assigned(Changing)) {
    const VarDecl *V = changedByName(Changing);
    if (!V || names(Other, V) || !hasOneName(V))
      return true;
  }
  return llvm::any_of(Changing->children(), [&](const Stmt *Child) {
    return Child && changesFor(Child, Other);
  });
}

bool hangOnTheirOrder(const Stmt *A, const Stmt *B) {
  return changesFor(A, B) || changesFor(B, A);
}

bool isAllZeroBits(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParens();
  Expr::EvalResult R;
  if (!E->isValueDependent() && !E->isGLValue() &&
      E->EvaluateAsRValue(R, Context) && !R.HasSideEffects &&
      isZeroValue(R.Val))
    return true;
  if (const auto *F = dyn_cast<FullExpr>(E))
    return isAllZeroBits(F->getSubExpr(), Context);
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return isAllZeroBits(M->getSubExpr(), Context);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_ConstructorConversion ||
        C->getCastKind() == CK_UserDefinedConversion ||
        C->getCastKind() == CK_NoOp || C->getCastKind() == CK_IntegralCast ||
        C->getCastKind() == CK_IntegralToFloating ||
        C->getCastKind() == CK_FloatingCast)
      return isAllZeroBits(C->getSubExpr(), Context);
    return false;
  }
  if (isa<ImplicitValueInitExpr>(E))
    return true;
  if (const auto *I = dyn_cast<InitListExpr>(E))
    return llvm::all_of(I->inits(), [&](const Expr *One) {
      return isAllZeroBits(One, Context);
    }) && !E->getType()->isUnionType();
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return isAllZeroBits(D->getExpr(), Context);
  auto ZeroArguments = [&](auto Args) {
    return llvm::all_of(Args, [&](const Expr *One) {
      return isAllZeroBits(One, Context);
    });
  };
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *D = C->getConstructor();
    if (C->getNumArgs() == 0)
      return C->requiresZeroInitialization() && D->isTrivial();
    return (D->isTrivial() || isToolkits(D, Context)) &&
           ZeroArguments(C->arguments());
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getIdentifier() || !isToolkits(F, Context) ||
        C->getNumArgs() == 0)
      return false;
    return makesNumber(F) && ZeroArguments(C->arguments());
  }
  return false;
}

} // namespace kpipe
