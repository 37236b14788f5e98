// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over a function until no more variables are found to differ, see
// SameForAll.h. What is not known to be the same differs.
#include "SameForAll.h"
#include "Addresses.h"
#include "EndedThreads.h"
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isLoop(const Tree &T) {
  return T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
         T.is("CXXForRangeStmt");
}

bool isAroundOthers(const Tree &T) {
  static const char *const Around[] = {
      "CompoundStmt", "IfStmt",    "SwitchStmt",    "CaseStmt",
      "DefaultStmt",  "LabelStmt", "AttributedStmt"};
  return isLoop(T) || llvm::is_contained(Around, T.Kind);
}

namespace {

/// Of what the program names: `blockDim` and constants.
bool isSameEverywhere(const Tree &Name) {
  if (isa_and_nonnull<EnumConstantDecl, FunctionDecl>(Name.Of))
    return true;
  const auto *V = dyn_cast_or_null<VarDecl>(Name.Of);
  if (!V)
    return false;
  if (isToolkits(V))
    return V->getName() == "blockDim" || V->getName() == "blockIdx" ||
           V->getName() == "gridDim" || V->getName() == "warpSize";
  // The name of an array is a place.
  return V->hasAttr<CUDAConstantAttr>() ||
         (V->hasAttr<CUDASharedAttr>() && V->getType()->isArrayType()) ||
         (V->getType().isConstQualified() && !V->getType()->isPointerType());
}

/// Does a function make its result of what it is given alone?
bool computes(const FunctionDecl *F);
bool computesIn(const Stmt *S) {
  if (!S)
    return true;
  if (isa<PseudoObjectExpr, GCCAsmStmt, LambdaExpr>(S))
    return false;
  if (const auto *C = dyn_cast<CallExpr>(S);
      C && !(C->getDirectCallee() && computes(C->getDirectCallee())))
    return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && V->hasGlobalStorage() && !V->getType().isConstQualified())
      return false;
  return llvm::all_of(S->children(), computesIn);
}
bool computes(const FunctionDecl *F) {
  // What is given nothing asks for something, be it the thread's own place.
  if (isToolkits(F))
    return F->getNumParams() && !isa<CXXMethodDecl>(F) &&
           classifyCall(F) == CallKind::Pure;
  // A constant function does not call itself without an end.
  const FunctionDecl *Body = nullptr;
  return F->isConstexpr() && !isa<CXXMethodDecl>(F) && F->hasBody(Body) &&
         llvm::all_of(
             F->parameters(),
             [](const ParmVarDecl *P) {
               return P->getType().getNonReferenceType()->isArithmeticType();
             }) &&
         computesIn(Body->getBody());
}

/// The variable of which a value is loaded, or a member's or an element's.
const Tree *loaded(const Tree &T, TreeList *Indices = nullptr) {
  const Tree *Of = &T;
  for (;;) {
    const bool Element = Of->is("ArraySubscriptExpr") && Of->Kids.size() == 2 &&
                         Of->kid(0).is("ImplicitCastExpr") &&
                         Of->kid(0).Label == "ArrayToPointerDecay";
    if (Element && Indices)
      Indices->push_back(&Of->kid(1));
    if (Element)
      Of = &Of->kid(0).kid(0);
    else if (Of->is("MemberExpr") && Of->Label == "." && Of->Kids.size() == 1)
      Of = &Of->kid(0);
    else
      return Of->is("DeclRefExpr") ? Of : nullptr;
  }
}

} // namespace

bool isBody(const Tree &T, size_t I) {
  if (T.is("DoStmt"))
    return I == 0;
  const auto *If = dyn_cast_or_null<IfStmt>(T.Origin);
  return I + 1 + (If && If->getElse()) >= T.Kids.size();
}

SameForAll::SameForAll(const Tree &Function) : Function(Function) {
  const auto *F = dyn_cast_or_null<FunctionDecl>(Function.Of);
  const bool Kernel = F && F->hasAttr<CUDAGlobalAttr>();
  for (size_t I = 0; I + 1 < Function.Kids.size() && !Kernel; ++I)
    note(Function.kid(I).Local);
  do {
    Changed = false;
    pass(*Function.Kids.back(), false, nullptr, false);
  } while (Changed);
}

bool SameForAll::differs(const Tree &T) const {
  // Of a binding nobody notes what it is bound to.
  if (T.is("DeclRefExpr"))
    return T.Local ? isa_and_nonnull<BindingDecl>(T.Of) ||
                         Differing.count(T.Local)
                   : !isSameEverywhere(T);
  if (T.Kids.empty())
    return !isa_and_nonnull<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
                            CharacterLiteral, UnaryExprOrTypeTraitExpr,
                            SizeOfPackExpr, CXXNullPtrLiteralExpr>(T.Origin) &&
           !T.is("-");
  if (const auto *C = dyn_cast_or_null<CallExpr>(T.Origin)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (std::optional<GroupQuery> Q = groupQuery(C))
      return Q->Rank;
    return !F || !computes(F) ||
           llvm::any_of(argumentsOf(T),
                        [&](const Tree *A) { return differs(*A); });
  }
  if (T.is("UnaryExprOrTypeTraitExpr"))
    return false;
  if (T.is("InitListExpr"))
    return llvm::any_of(T.Kids, [&](const auto &Kid) {
      return !Kid->is("ImplicitValueInitExpr") && differs(*Kid);
    });
  const auto *V = dyn_cast_or_null<VarDecl>(T.kid(0).Of);
  const bool Loads = T.is("ArraySubscriptExpr") ||
                     (T.is("UnaryOperator") && T.Label == "*") ||
                     (T.is("MemberExpr") && T.Label == "->") ||
                     (T.is("MSPropertyRefExpr") && !(V && isToolkits(V)));
  if (Loads ||
      !isa_and_nonnull<CastExpr, UnaryOperator, BinaryOperator,
                       ConditionalOperator, MemberExpr, MSPropertyRefExpr>(
          T.Origin))
    return true;
  return llvm::any_of(T.Kids, [&](const auto &Kid) { return differs(*Kid); });
}

/// Memory that all threads share is the same for all.
void SameForAll::noteVariable(const Tree &Name) {
  const auto *V = dyn_cast_or_null<VarDecl>(Name.Of);
  if (!V || !V->hasAttr<CUDASharedAttr>() || V->getType().isVolatileQualified())
    note(Name.Local);
}

static bool holds(const Tree &T, const Tree &Other) {
  return &T == &Other || llvm::any_of(T.Kids, [&](const auto &Kid) {
           return holds(*Kid, Other);
         });
}

/// May a thread have returned in front of T, or in an earlier turn of a loop that
/// T is in?
bool SameForAll::leftBefore(const Tree &T) const {
  auto hasReturn = [&](const Tree &In) {
    return llvm::any_of(Returns,
                        [&](const Tree *R) { return holds(In, *R); });
  };
  for (const Tree *At = &Function; At != &T;) {
    if (isLoop(*At) && hasReturn(*At))
      return true;
    const Tree *Next = nullptr;
    for (const auto &Kid : At->Kids) {
      if (holds(*Kid, T)) {
        Next = Kid.get();
        break;
      }
      if (hasReturn(*Kid))
        return true;
    }
    if (!Next)
      return true;
    At = Next;
  }
  return hasReturn(T);
}

/// \returns whether T gives a variable another value, which is looked at.
bool SameForAll::assigns(const Tree &T, bool Some) {
  const bool Steps = T.is("UnaryOperator") &&
                     (T.Label[0] == '+' || T.Label[0] == '-') &&
                     T.Label.size() > 1 && T.Label[1] == T.Label[0];
  const bool Sets = (T.is("BinaryOperator") && T.Label == "=") ||
                    T.is("CompoundAssignOperator");
  TreeList Indices;
  const Tree *Name = Steps || Sets ? loaded(T.kid(0), &Indices) : nullptr;
  if (!Name || !Name->Local)
    return false;
  // Each thread may have another element.
  if (Some || (Sets && differs(T.kid(1))) ||
      llvm::any_of(Indices, [&](const Tree *I) { return differs(*I); }))
    noteVariable(*Name);
  // What is not a name but a part of it goes on.
  if (!T.kid(0).is("DeclRefExpr"))
    Read.insert(Name);
  return T.kid(0).is("DeclRefExpr");
}

/// A value is loaded of a place, or of one of two: `n & 1 ? w : x`.
void SameForAll::readsIn(const Tree &Place) {
  if (Place.is("ConditionalOperator") && Place.Kids.size() == 3) {
    readsIn(Place.kid(1));
    readsIn(Place.kid(2));
  } else if (const Tree *Name = loaded(Place)) {
    Read.insert(Name);
  }
}

/// \param Some may T be where some threads are, and others are not?
void SameForAll::pass(const Tree &T, bool Some, const Tree *Loop,
                      bool InClosure) {
  if (Some)
    Apart.insert(&T);
  if (isLoop(T) || T.is("IfStmt") || T.is("SwitchStmt"))
    return control(T, Some, Loop, InClosure);
  if (T.is("UnaryExprOrTypeTraitExpr"))
    return;
  if (T.is("LambdaExpr"))
    InClosure = Some = true;
  if (Some && Loop && (T.is("BreakStmt") || T.is("ContinueStmt")))
    Changed |= Uneven.insert(Loop).second;
  if (Some && !Scattered)
    Scattered = T.is("GotoStmt") || T.is("IndirectGotoStmt") ||
                (isa_and_nonnull<Expr, DeclStmt, AsmStmt>(T.Origin) &&
                 endsThreads(T.Origin));
  if (Some && T.is("ReturnStmt") && !InClosure)
    Returns.insert(&T);
  if (T.is("Var") && !T.Kids.empty() &&
      (differs(T.kid(0)) || T.Type.back() == '&'))
    noteVariable(T);
  const bool Assigns = assigns(T, Some);
  // What is done with a name but to read it may change its value.
  const bool Reads = T.is("ImplicitCastExpr") && T.Label == "LValueToRValue";
  const bool Asks =
      T.is("BinaryOperator") && (T.Label == "&&" || T.Label == "||");
  if (Reads)
    readsIn(T.kid(0));
  bool Rest = Some;
  for (size_t I = 0; I != T.Kids.size(); ++I) {
    const Tree &Kid = T.kid(I);
    const auto *V = dyn_cast_or_null<VarDecl>(Kid.Of);
    const bool Seen = Read.count(&Kid) || (Assigns && I == 0);
    if (Kid.is("DeclRefExpr") && Kid.Local && !Seen &&
        !(V && V->getType().isConstQualified()))
      noteVariable(Kid);
    pass(Kid, Rest, Loop, InClosure);
    if (Asks || T.is("ConditionalOperator"))
      Rest |= I == 0 && differs(Kid);
  }
}

void SameForAll::control(const Tree &T, bool Some, const Tree *Loop,
                         bool InClosure) {
  bool Divides = Some || Uneven.count(&T);
  const auto *For = dyn_cast_or_null<ForStmt>(T.Origin);
  for (size_t I = 0; I != T.Kids.size(); ++I)
    if (const Expr *E = isBody(T, I) ? nullptr : exprOf(T.kid(I));
        E && !(For && E == For->getInc()))
      Divides |= differs(T.kid(I));
  for (size_t I = 0; I != T.Kids.size(); ++I)
    pass(T.kid(I), exprOf(T.kid(I)) || isBody(T, I) ? Divides : Some,
         isLoop(T) ? &T : Loop, InClosure);
}

} // namespace kpipe
