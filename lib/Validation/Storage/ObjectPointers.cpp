// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects as bags of the pointers that they or their parts are given, see
// ObjectPointers.h.

#include "ObjectPointers.h"
#include "Code/AstUtils.h"
#include "Code/Initialisers.h"
#include "Overlays.h"
#include "ReferenceUses.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Is the object that E is a part of reached by its name alone?
static bool isNamed(const Expr *E, const CallFrame &In) {
  const Expr *Owner = ownerOf(E);
  if (!Owner)
    return false;
  if (!isa<CXXThisExpr>(Owner)) // or a reference to it as it was made
    return true;
  const CallFrame *Of = frameOfThis(In);
  return Of && Of->Caller && Of->Object &&
         !Of->Object->getType()->isPointerType() &&
         isNamed(Of->Object, *Of->Caller);
}

std::optional<Storages> ObjectPointers::unnamed(const Expr *Owner,
                                                const CallFrame &In) {
  const CallFrame *Of =
      Owner && isa<CXXThisExpr>(Owner) ? frameOfThis(In) : nullptr;
  if (!Of)
    return std::nullopt;
  if (!Of->Caller)
    return Reference ? unknownStorage() : ofOwn(*Of);
  const Expr *Value = Of->Object;
  if (!Value && !isa<CXXConstructorDecl>(Of->Function))
    return std::nullopt;
  if (Value) {
    Value = Value->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(Value))
      Value = M->getSubExpr();
    // A part of what the caller's own function is called on.
    const Expr *Around = ownerOf(Value);
    if (Value->isGLValue() && Around && isa<CXXThisExpr>(Around)) {
      auto Found = unnamed(Around, *Of->Caller);
      if (Found)
        add(*Found, given(nullptr, *Of));
      return Found;
    }
    if (Value->isGLValue() || Value->getType()->isPointerType())
      return std::nullopt;
  }
  if (llvm::is_contained(Values.OpenThis, std::pair(Of->Function, Reference)))
    return Storages();
  Values.OpenThis.push_back({Of->Function, Reference});
  Storages Found = Value ? object(Value, *Of->Caller) : Storages();
  add(Found, given(nullptr, *Of));
  Values.OpenThis.pop_back();
  return Found;
}

/// Another function's variables say nothing here but what kind of memory it is.
static Storages spaceOf(const Storages &Found) {
  Storage Q;
  if (llvm::all_of(Found, [](const Storage &P) {
        return P.Global || P.Where == Storage::Kind::Device ||
               P.Where == Storage::Kind::AnyGlobal;
      }))
    Q.Where = Storage::Kind::AnyGlobal;
  return {Q};
}

Storages ObjectPointers::ofOwn(const CallFrame &In) {
  if (!Values.ownIsLocal(In) ||
      llvm::is_contained(Values.OpenThis, std::pair(In.Function, Reference)))
    return unknownStorage();
  Values.OpenThis.push_back({In.Function, Reference});
  Storages Found = given(nullptr, In);
  Values.eachCall(In, [&](const CallExpr *C, const CallFrame &Outer) {
    const Expr *On = objectOf(C);
    add(Found,
        On->getType()->isPointerType() ? ofOwn(Outer) : object(On, Outer));
    return true;
  });
  Values.OpenThis.pop_back();
  return spaceOf(Found);
}

Storages ObjectPointers::put(const ParmVarDecl *P, const CallFrame &Home) {
  Storages Found;
  bool All =
      Values.eachCall(Home, [&](const CallExpr *C, const CallFrame &Outer) {
        auto Args = argumentsOf(C);
        unsigned I = P->getFunctionScopeIndex();
        if (I >= Args.size())
          return false;
        add(Found, object(Args[I], Outer));
        return true;
      });
  return All ? spaceOf(Found) : unknownStorage();
}

Storages ObjectPointers::loaded(const Expr *From, const FieldDecl *F,
                                const CallFrame &In) {
  if (auto Made = unnamed(ownerOf(From), In))
    return *Made;
  Storages Found;
  Storages Places = Values.lvalue(From, In);
  const bool Named = isNamed(From, In);
  for (const Storage &P : Places) {
    const CallFrame *Home = P.Var ? Values.frameOf(P.Var, In) : nullptr;
    Storage Q;
    if (P.Where == Storage::Kind::Local && Home && !Home->Caller &&
        isa<ParmVarDecl>(P.Var) && Home->Function->hasAttr<CUDAGlobalAttr>()) {
      Q = P;
      Q.Where = Storage::Kind::Pointee;
      Q.Field = F;
      Q.Global = true;
      add(Found, given(P.Var, *Home));
    } else if (P.Where == Storage::Kind::Local && Home) {
      add(Found, held(P.Var, *Home, Named));
      continue;
    } else if (P.Where == Storage::Kind::Device && P.Var &&
               isInitialisedElsewhere(P.Var)) {
      add(Found, unknownStorage());
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
      if (isInitialisedElsewhere(V))
        return unknownStorage();
      Storage Q;
      Q.Where = Storage::Kind::AnyGlobal;
      return {Q};
    }
    const CallFrame *Home = Values.frameOf(V, In); // a closure's copy
    return Home ? held(V, *Home, Named) : unknownStorage();
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(Base))
    Base = M->getSubExpr();
  return Base->isGLValue() ? unknownStorage() : object(Base, In);
}

Storages ObjectPointers::boundAt(const Storages &Places, bool Named,
                                 const CallFrame &In) {
  Storages Found;
  for (const Storage &P : Places) {
    const CallFrame *Home = P.Var ? Values.frameOf(P.Var, In) : nullptr;
    bool Local = P.Where == Storage::Kind::Local && Home;
    add(Found, Local ? held(P.Var, *Home, Named) : unknownStorage());
  }
  return Places.empty() ? unknownStorage() : Found;
}

Storages ObjectPointers::boundIn(const Expr *E, const CallFrame &In) {
  E = E->IgnoreParens();
  if (!E->isGLValue())
    return object(E, In);
  const Expr *Owner = ownerOf(E);
  if (auto Made = unnamed(Owner, In))
    return *Made;
  Storages Places = Values.lvalue(E, In);
  E = E->IgnoreParenImpCasts();
  const auto *T = dyn_cast<MaterializeTemporaryExpr>(E);
  return Places.empty() && T && !T->getSubExpr()->isGLValue()
             ? object(T->getSubExpr(), In)
             : boundAt(Places, Owner, In);
}

Storages ObjectPointers::bound(const MemberExpr *M, const CallFrame &In) {
  if (!M->isArrow())
    return boundIn(M->getBase(), In);
  const Expr *Pointer = M->getBase()->IgnoreParenImpCasts();
  if (auto Made = unnamed(Pointer, In))
    return *Made;
  return boundAt(Values.pointer(Pointer, In), isa<CXXThisExpr>(Pointer), In);
}

Storages ObjectPointers::held(const VarDecl *V, const CallFrame &Home,
                              bool Named) {
  const auto *R = V->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const FunctionNames &Names = Home.Index->namesOf(Home.Function);
  if (!R || mayOverlay(R) ||
      (Named ? Names.Escaped.count(V) : Names.Renamed.count(V)))
    return unknownStorage();
  const StorageResolver::Variable Asked{V, &Home, Reference};
  if (llvm::is_contained(Values.Open, Asked))
    return {};
  Storages Found;
  Values.Open.push_back(Asked);
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    const Expr *A = Values.argument(P, Home);
    add(Found, A           ? object(A, *Home.Caller)
               : Reference ? unknownStorage()
                           : put(P, Home));
  }
  add(Found, given(V, Home));
  Values.Open.pop_back();
  return Found;
}

Storages ObjectPointers::given(const VarDecl *V, const CallFrame &Home) {
  const FunctionNames &Names = Home.Index->namesOf(Home.Function);
  const auto *M = dyn_cast<CXXMethodDecl>(Home.Function);
  if (Values.spent() || Names.Escaped.count(V) ||
      (!V && (!M || mayOverlay(M->getParent()))))
    return unknownStorage();
  Storages Found;
  if (!Reference)
    Found = givenByOthers(V, Names, *Home.Index);
  else if (auto It = Names.Bound.find(Reference); !V && It != Names.Bound.end())
    add(Found, Values.lvalue(It->second, Home));
  if (auto It = Names.Holds.find(V); It != Names.Holds.end())
    for (const Expr *E : It->second)
      add(Found, object(E, Home));
  if (auto It = Names.Handed.find(V); It != Names.Handed.end())
    for (const FunctionNames::Handing &H : It->second)
      add(Found, handed(H, Home));
  return Found;
}

Storages ObjectPointers::givenByOthers(const VarDecl *V,
                                       const FunctionNames &Names,
                                       const CodeIndex &Index) {
  auto It = Names.BoundTo.find(V);
  return It == Names.BoundTo.end() ||
                 llvm::all_of(It->second,
                              [&](const FieldDecl *To) {
                                return givesNothing(To, Index);
                              })
             ? Storages()
             : unknownStorage();
}

Storages ObjectPointers::handed(const FunctionNames::Handing &H,
                                const CallFrame &In) {
  const auto *Call = dyn_cast<CallExpr>(H.At);
  const auto *Made = dyn_cast<CXXConstructExpr>(H.At);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : constructorOf(Made);
  // A copy of the bits; what is assigned is noted where it stands.
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (M && M->isTrivial())
    return {};
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition) || In.Depth >= 8 || In.calls(Definition))
    return unknownStorage();
  llvm::SmallVector<const Expr *, 8> Args;
  if (Call)
    Args = argumentsOf(Call);
  else
    Args.append(Made->arg_begin(), Made->arg_end());
  CallFrame Callee{Definition, &In,
                   Args,       Call ? objectOf(Call) : nullptr,
                   In.Index,   In.Depth + 1};
  const VarDecl *As =
      H.Parameter < 0 ? nullptr : Definition->getParamDecl(H.Parameter);
  const FunctionNames &Names = In.Index->namesOf(Definition);
  if (Names.Returned.count(As) &&
      !In.Index->namesOf(In.Function).Dropped.count(H.At))
    return unknownStorage();
  return given(As, Callee);
}

Storages ObjectPointers::captured(const LambdaExpr *L, const CallFrame &In) {
  Storages Found;
  for (const LambdaCapture &C : L->captures()) {
    const auto *V =
        C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar()) : nullptr;
    const bool ByCopy = C.getCaptureKind() == LCK_ByCopy;
    if (!V || L->isInitCapture(&C))
      return unknownStorage();
    QualType T = V->getType();
    if (!T.getNonReferenceType()->isArithmeticType() &&
        !(ByCopy && T->isPointerType()))
      return unknownStorage();
    if (!ByCopy)
      add(Found, Values.ofVariable(V, In));
    else if (T->isPointerType())
      add(Found, Values.pointerVariable(V, In));
  }
  return Found;
}

Storages ObjectPointers::object(const Expr *E, const CallFrame &In) {
  if (Values.spent())
    return unknownStorage();
  E = E->IgnoreParens();
  if (E->getType()->isPointerType())
    return Reference ? Storages() : Values.pointer(E, In);
  if (E->getType()->isArithmeticType() || E->getType()->isEnumeralType() ||
      isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {};
  if (E->isGLValue() && Reference)
    return boundIn(E, In);
  if (E->isGLValue())
    return loaded(E, nullptr, In);
  if (const auto *F = dyn_cast<FullExpr>(E))
    return object(F->getSubExpr(), In);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return object(D->getExpr(), In);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return object(D->getExpr(), In);
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return object(M->getSubExpr(), In);
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return object(B->getSubExpr(), In);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_NoOp ||
                   C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_ConstructorConversion ||
                   C->getCastKind() == CK_UserDefinedConversion
               ? object(C->getSubExpr(), In)
               : unknownStorage();
  if (const auto *L = dyn_cast<LambdaExpr>(E))
    return Reference ? unknownStorage() : captured(L, In);
  Storages Found;
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    for (const Expr *Part : L->inits())
      if (!Part->isGLValue())
        add(Found, object(Part, In));
      else if (Reference)
        add(Found, Values.lvalue(Part, In));
    return L->hasArrayFiller() ? unknownStorage() : Found;
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (mayOverlay(C->getConstructor()->getParent()))
      return unknownStorage();
    if (C->getConstructor()->isTrivial())
      return C->getNumArgs() ? object(C->getArg(0), In) : Storages{};
    return handed({C, -1}, In);
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Found = object(C->getTrueExpr(), In);
    add(Found, object(C->getFalseExpr(), In));
    return Found;
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return Values.returned(C, In,
                           [this](const Expr *Value, const CallFrame &Callee) {
                             return object(Value, Callee);
                           });
  return unknownStorage();
}

} // namespace kpipe
