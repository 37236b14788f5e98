// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of integer expressions, see Values.h.

#include "Values.h"
#include "AstUtils.h"
#include "Dim3.h"
#include "GroupQueries.h"
#include "KnownFunctions.h"
#include "SpecialRegisters.h"
#include "Sugar.h"
#include "kpipe/LostText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kpipe {

namespace {

/// Expressions within expressions, and variables initialised by variables.
constexpr unsigned MostDepth = 64;

/// Finds the local variables whose value is used in any other way than being
/// read: those may change.
class ChangeFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit ChangeFinder(llvm::SmallPtrSetImpl<const VarDecl *> &Changed)
      : Changed(Changed) {}

  // The standard library's `min` and its like keep their promise to change
  // nothing; of others, a reference to const can be cast back.
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && (F->isInStdNamespace() || isToolkits(F)))
      for (const Expr *A : C->arguments())
        Trusted.insert(A->IgnoreParens());
    return true;
  }

  bool TraverseImplicitCastExpr(const ImplicitCastExpr *E) override {
    bool Reads = E->getCastKind() == CK_LValueToRValue;
    // Binding to a reference to const, as copy constructors do.
    bool Copies = E->getCastKind() == CK_NoOp &&
                  E->getType().isConstQualified() &&
                  (!E->getType()->isScalarType() || Trusted.count(E));
    // `a < b ? a : b` of two variables is read as a whole.
    if (const auto *C =
            dyn_cast<ConditionalOperator>(E->getSubExpr()->IgnoreParens());
        C && Reads && readsOnly(C->getTrueExpr()) &&
        readsOnly(C->getFalseExpr()))
      return TraverseStmt(C->getCond());
    if ((Reads || Copies) && readsOnly(E->getSubExpr()))
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseImplicitCastExpr(E);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      Changed.insert(V);
    return true;
  }

private:
  llvm::SmallPtrSetImpl<const VarDecl *> &Changed;
  llvm::SmallPtrSet<const Expr *, 8> Trusted;

  static bool readsOnly(const Expr *E) {
    E = E->IgnoreParens();
    while (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->isArrow())
        return false;
      E = M->getBase()->IgnoreParens();
    }
    return isa<DeclRefExpr>(E);
  }
};

std::optional<unsigned> component(llvm::StringRef Name) {
  if (Name.size() != 1 || Name[0] < 'x' || Name[0] > 'z')
    return std::nullopt;
  return Name[0] - 'x';
}

/// The expression that a function returns if it does nothing else.
const Expr *onlyReturn(const FunctionDecl *F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
  if (!Body || Body->size() != 1)
    return nullptr;
  const auto *R = dyn_cast<ReturnStmt>(Body->body_front());
  return R ? R->getRetValue() : nullptr;
}

} // namespace

bool Values::unchanged(const VarDecl *V) {
  if (V->getType().isVolatileQualified() || V->isWeak())
    return false;
  // It keeps what its initialiser was when the function was first called.
  if (V->isStaticLocal() && !V->isConstexpr())
    return V->getType().isConstQualified() && V->hasConstantInitialization();
  if (V->getType().isConstQualified() || V->isConstexpr())
    return true;
  if (!V->hasLocalStorage())
    return false;
  const auto *F = dyn_cast<FunctionDecl>(V->getDeclContext());
  if (!F || !F->getBody() || hasLostStatements(F))
    return false;
  if (Searched.insert(F).second)
    ChangeFinder(Changed).TraverseStmt(F->getBody());
  return !Changed.count(V);
}

int64_t Values::wrapped(int64_t Value, QualType Type) const {
  if (!Type->isIntegralOrEnumerationType() || Type->isDependentType())
    return Value;
  unsigned Bits = Context.getIntWidth(Type);
  if (Bits >= 64)
    return Value;
  if (Type->isUnsignedIntegerOrEnumerationType())
    return Value & ((int64_t(1) << Bits) - 1);
  return llvm::SignExtend64(Value, Bits);
}

std::optional<int64_t> Values::evaluate(const Expr *E) {
  if (!E || Depth >= MostDepth || E->isValueDependent())
    return std::nullopt;
  ++Depth;
  auto Leave = llvm::make_scope_exit([&] { --Depth; });
  return compute(E);
}

std::optional<int64_t> Values::constant(const Expr *E) {
  if (auto It = Constants.find(E); It != Constants.end())
    return It->second;
  return Constants[E] = constantValue(E, Context);
}

std::optional<int64_t> Values::compute(const Expr *E) {
  E = evaluated(E);
  if (auto Value = constant(E))
    return Value;
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
      return evaluate(C->getSubExpr());
    case CK_IntegralCast:
      if (auto Value = evaluate(C->getSubExpr()))
        return wrapped(*Value, C->getType());
      return std::nullopt;
    case CK_IntegralToBoolean:
      if (auto Value = evaluate(C->getSubExpr()))
        return *Value != 0;
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    return builtin(P);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? variable(V) : std::nullopt;
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    auto Part = component(M->getMemberDecl()->getNameAsString());
    if (Part && !M->isArrow())
      if (auto All = extent(M->getBase()))
        return (*All)[*Part];
    return std::nullopt;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B);
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    auto Value = evaluate(U->getSubExpr());
    if (!Value)
      return std::nullopt;
    switch (U->getOpcode()) {
    case UO_Plus:
      return Value;
    case UO_Minus:
      return wrapped(-*Value, E->getType());
    case UO_Not:
      return wrapped(~*Value, E->getType());
    case UO_LNot:
      return *Value == 0;
    default:
      return std::nullopt;
    }
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    auto Which = evaluate(C->getCond());
    if (!Which)
      return std::nullopt;
    return evaluate(*Which ? C->getTrueExpr() : C->getFalseExpr());
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  return std::nullopt;
}

std::optional<int64_t> Values::binary(const BinaryOperator *B) {
  if (B->isAssignmentOp() || B->getOpcode() == BO_Comma)
    return std::nullopt;
  auto L = evaluate(B->getLHS());
  if (B->isLogicalOp()) {
    bool Absorbs = B->getOpcode() == BO_LOr;
    if (L && (*L != 0) == Absorbs)
      return Absorbs;
    auto R = evaluate(B->getRHS());
    if (R && (*R != 0) == Absorbs)
      return Absorbs;
    if (L && R)
      return !Absorbs;
    return std::nullopt;
  }
  auto R = evaluate(B->getRHS());
  if (!L || !R)
    return std::nullopt;
  auto Result = [&](int64_t Value) { return wrapped(Value, B->getType()); };
  switch (B->getOpcode()) {
  case BO_Add:
    return Result(int64_t(uint64_t(*L) + uint64_t(*R)));
  case BO_Sub:
    return Result(int64_t(uint64_t(*L) - uint64_t(*R)));
  case BO_Mul:
    return Result(int64_t(uint64_t(*L) * uint64_t(*R)));
  case BO_Div:
  case BO_Rem:
    if (*R == 0 || *R == -1)
      return std::nullopt;
    return B->getOpcode() == BO_Div ? *L / *R : *L % *R;
  case BO_Shl:
  case BO_Shr:
    if (*R < 0 || *R > 62 || *L < 0)
      return std::nullopt;
    return Result(B->getOpcode() == BO_Shl ? *L << *R : *L >> *R);
  case BO_And:
    return *L & *R;
  case BO_Or:
    return *L | *R;
  case BO_Xor:
    return *L ^ *R;
  case BO_LT:
    return *L < *R;
  case BO_GT:
    return *L > *R;
  case BO_LE:
    return *L <= *R;
  case BO_GE:
    return *L >= *R;
  case BO_EQ:
    return *L == *R;
  case BO_NE:
    return *L != *R;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Values::variable(const VarDecl *V) {
  if (auto It = Bound.find(V); It != Bound.end()) {
    AskedForUnknown |= !It->second;
    AskedForBound |= V != Own;
    return It->second;
  }
  if (V->getName() == "warpSize" && V->getType().isConstQualified() &&
      isToolkits(V))
    return 32;
  if (!V->hasInit() || isa<ParmVarDecl>(V) || V->getType()->isReferenceType() ||
      !unchanged(V))
    return std::nullopt;
  auto Value = evaluate(V->getInit());
  return Value ? std::optional(wrapped(*Value, V->getType())) : Value;
}

/// `threadIdx.x` and its kin, as Clang's CUDA headers make them.
std::optional<int64_t> Values::builtin(const PseudoObjectExpr *P) {
  const auto R = specialRegister(P);
  if (R && R->isOf("threadIdx")) {
    AskedForThread = true;
    return Thread ? std::optional<int64_t>((*Thread)[R->Axis]) : std::nullopt;
  }
  if (R && R->isOf("blockDim")) {
    AskedForBlock |= 1u << R->Axis;
    return Block ? std::optional<int64_t>((*Block)[R->Axis]) : std::nullopt;
  }
  return std::nullopt;
}

/// `min`, `max`, and functions that are one expression.
std::optional<int64_t> Values::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (auto Q = groupQuery(C))
    return group(*Q);
  if (!F || !F->getIdentifier() || isa<CXXMethodDecl>(F))
    return std::nullopt;
  bool Min = F->getName() == "min", Max = F->getName() == "max";
  // The toolkit's and the standard library's, not a helper of that name.
  bool Believed = isToolkits(F) || F->isInStdNamespace();
  if ((Min || Max) && Believed && C->getNumArgs() == 2) {
    auto L = evaluate(C->getArg(0)), R = evaluate(C->getArg(1));
    if (!L || !R)
      return std::nullopt;
    return Min ? std::min(*L, *R) : std::max(*L, *R);
  }
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition) || Definition->isVariadic() || F->isWeak())
    return std::nullopt;
  const Expr *Result = onlyReturn(Definition);
  if (!Result || C->getNumArgs() != Definition->getNumParams())
    return std::nullopt;
  llvm::SmallVector<std::optional<int64_t>, 4> Arguments;
  for (const Expr *A : C->arguments())
    Arguments.push_back(evaluate(A));
  auto Outer = Bound;
  for (auto [Parameter, Value] :
       llvm::zip_equal(Definition->parameters(), Arguments))
    Bound[Parameter] = Value;
  auto Value = evaluate(Result);
  Bound = std::move(Outer);
  return Value;
}

std::optional<Extent3> Values::extent(const Expr *E) {
  if (!E || Depth >= MostDepth || E->isValueDependent())
    return std::nullopt;
  ++Depth;
  auto Leave = llvm::make_scope_exit([&] { --Depth; });
  E = evaluated(E);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return extent(C->getSubExpr());
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && V->hasInit() && !isa<ParmVarDecl>(V) && unchanged(V)
               ? extent(V->getInit())
               : std::nullopt;
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    auto Which = evaluate(C->getCond());
    if (!Which)
      return std::nullopt;
    return extent(*Which ? C->getTrueExpr() : C->getFalseExpr());
  }
  llvm::ArrayRef<const Expr *> Parts;
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (C->getNumArgs() == 1 && C->getConstructor()->isCopyOrMoveConstructor())
      return extent(C->getArg(0));
    if (!isDim3(C->getType()))
      return std::nullopt;
    Parts = {C->getArgs(), C->getNumArgs()};
  } else if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (!hasComponentsInOrder(L->getType()))
      return std::nullopt;
    Parts = {L->getInits(), L->getNumInits()};
  } else {
    return std::nullopt;
  }
  Extent3 All{1, 1, 1};
  if (Parts.size() > All.size())
    return std::nullopt;
  for (unsigned I = 0; I != Parts.size(); ++I) {
    if (!Parts[I]->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    auto Value = evaluate(Parts[I]);
    if (!Value || *Value < 0 || *Value > UINT32_MAX)
      return std::nullopt;
    All[I] = *Value;
  }
  return All;
}

} // namespace kpipe
