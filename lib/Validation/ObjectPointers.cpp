// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects as bags of the pointers that they or their parts are given, see
// ObjectPointers.h.

#include "ObjectPointers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static Storages unknown() { return {Storage()}; }

/// One member may be read as another.
static bool mayOverlay(const CXXRecordDecl *R) {
  if (!R || !R->hasDefinition() || R->isUnion())
    return true;
  return llvm::any_of(R->bases(),
                      [](const CXXBaseSpecifier &B) {
                        return mayOverlay(B.getType()->getAsCXXRecordDecl());
                      }) ||
         llvm::any_of(R->fields(), [](const FieldDecl *F) {
           const Type *T = F->getType()->getBaseElementTypeUnsafe();
           return T->isReferenceType() ||
                  (T->isRecordType() && mayOverlay(T->getAsCXXRecordDecl()));
         });
}

Storages ObjectPointers::loaded(const Expr *From, const FieldDecl *F,
                                const Frame &In) {
  Storages Found;
  Storages Places = Values.lvalue(From, In);
  for (const Storage &P : Places) {
    const Frame *Home = P.Var ? Values.frameOf(P.Var, In) : nullptr;
    Storage Q;
    if (P.Where == Storage::Kind::Local && Home && !Home->Caller &&
        isa<ParmVarDecl>(P.Var) && Home->Function->hasAttr<CUDAGlobalAttr>()) {
      Q = P;
      Q.Where = Storage::Kind::Pointee;
      Q.Field = F;
      Q.Global = true;
    } else if (P.Where == Storage::Kind::Local && Home) {
      add(Found, held(P.Var, *Home));
      continue;
    } else if (P.Where == Storage::Kind::Device || P.Global ||
               P.Where == Storage::Kind::AnyGlobal) {
      // Global memory holds pointers to global memory.
      Q.Where = Storage::Kind::AnyGlobal;
    }
    add(Found, {Q});
  }
  if (!Places.empty())
    return Found;
  const Expr *Base = baseOf(From)->IgnoreParenImpCasts();
  if (const VarDecl *V = namedVariable(Base)) {
    if (V->hasGlobalStorage()) { // a constant holds pointers to global memory
      Storage Q;
      Q.Where = Storage::Kind::AnyGlobal;
      return {Q};
    }
    const Frame *Home = Values.frameOf(V, In); // a closure's copy
    return Home ? held(V, *Home) : unknown();
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(Base))
    Base = M->getSubExpr();
  return Base->isGLValue() ? unknown() : object(Base, In);
}

Storages ObjectPointers::held(const VarDecl *V, const Frame &Home) {
  const auto *R = V->getType()->getAsCXXRecordDecl();
  const FunctionNames &Names = Home.Index->namesOf(Home.Function);
  if (!R || mayOverlay(R) || Names.Renamed.count(V))
    return unknown();
  if (llvm::is_contained(Values.Open, V))
    return {};
  Storages Found;
  Values.Open.push_back(V);
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    const Expr *A = Values.argument(P, Home);
    add(Found, A ? object(A, *Home.Caller) : unknown());
  }
  auto It = Names.Holds.find(V);
  if (It != Names.Holds.end())
    for (const Expr *E : It->second)
      add(Found, object(E, Home));
  Values.Open.pop_back();
  return Found;
}

Storages ObjectPointers::object(const Expr *E, const Frame &In) {
  if (Values.spent())
    return unknown();
  E = E->IgnoreParens();
  if (E->getType()->isPointerType())
    return Values.pointer(E, In);
  if (E->getType()->isArithmeticType() || E->getType()->isEnumeralType() ||
      isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {};
  if (E->isGLValue())
    return loaded(E, nullptr, In);
  if (const auto *F = dyn_cast<FullExpr>(E))
    return object(F->getSubExpr(), In);
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return object(M->getSubExpr(), In);
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return object(B->getSubExpr(), In);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_NoOp ||
                   C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_ConstructorConversion
               ? object(C->getSubExpr(), In)
               : unknown();
  Storages Found;
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    for (const Expr *Part : L->inits())
      add(Found, object(Part, In));
    return L->hasArrayFiller() ? unknown() : Found;
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (!C->getConstructor()->isTrivial() || C->getNumArgs() > 1)
      return unknown();
    return C->getNumArgs() ? object(C->getArg(0), In) : Storages{};
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Found = object(C->getTrueExpr(), In);
    add(Found, object(C->getFalseExpr(), In));
    return Found;
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return Values.returned(C, In,
                           [this](const Expr *Value, const Frame &Callee) {
                             return object(Value, Callee);
                           });
  return unknown();
}

} // namespace kpipe
