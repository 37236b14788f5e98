// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an expression to the elements behind it, see ProductReads.h.
#include "ProductReads.h"
#include "Recognition/TileCopies/CopyLoops.h"
#include "SeenCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MostDepth = 16;
/// Greater factors might wrap around.
constexpr int64_t MostFactor = 1 << 20;

/// Subscripts of an element, outermost first, and members as numbers.
struct Steps {
  llvm::SmallVector<const Expr *, 4> Subscripts;
  llvm::SmallVector<int64_t, 2> Members;
};

Steps stepsTo(const Expr *E) {
  Steps S;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      S.Subscripts.insert(S.Subscripts.begin(), A->getIdx());
      E = A->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      S.Members.push_back(F ? F->getFieldIndex() : -1);
      E = M->getBase();
    } else {
      return S;
    }
  }
}

bool isShared(const VarDecl *V) {
  return V->hasAttr<CUDASharedAttr>() && V->getType()->isArrayType();
}

const VarDecl *variableOf(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

} // namespace

std::optional<LinearIndex>
ProductReads::index(const Expr *E, const Renaming &Names, unsigned Depth) {
  E = E->IgnoreParens();
  const ASTContext &Context = Facts.In->context();
  if (Depth > MostDepth || !E->getType()->isIntegerType())
    return std::nullopt;
  LinearIndex Sum;
  if (auto Value = Known.evaluate(E)) {
    Sum.Constant = *Value;
    return Sum;
  }
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    // A narrower type would wrap around.
    QualType From = C->getSubExpr()->getType();
    if (!From->isIntegerType() || Context.getIntWidth(C->getType()) <
                                      std::min(Context.getIntWidth(From), 32u))
      return std::nullopt;
    return index(C->getSubExpr(), Names, Depth + 1);
  }
  if (const VarDecl *V = variableOf(E)) {
    for (const auto &[Name, Stands] : Names)
      if (Name == V)
        return Stands;
    for (const TurnsOf &L : Loops)
      if (L.Loop == V) {
        Sum.Terms.push_back({V, 1});
        return Sum;
      }
    if (!Known.unchanged(V))
      return std::nullopt;
    if (V->hasInit() && !isa<ParmVarDecl>(V))
      return index(V->getInit(), Names, Depth + 1);
    if (!isa<ParmVarDecl>(V))
      return std::nullopt;
    Sum.Rest = V->getNameAsString();
    return Sum;
  }
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E); P && isSpecialRegister(P)) {
    llvm::raw_string_ostream OS(Sum.Rest);
    P->getSyntacticForm()->printPretty(OS, nullptr, Context.getPrintingPolicy());
    return Sum;
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B)
    return std::nullopt;
  auto Left = index(B->getLHS(), Names, Depth + 1);
  auto Right = index(B->getRHS(), Names, Depth + 1);
  if (!Left || !Right)
    return std::nullopt;
  auto isConstant = [](const LinearIndex &I) {
    return I.Terms.empty() && I.Rest.empty();
  };
  switch (B->getOpcode()) {
  case BO_Add:
  case BO_Sub:
    Sum = std::move(*Left);
    Sum.add(*Right, B->getOpcode() == BO_Add ? 1 : -1);
    break;
  case BO_Mul:
    if (!isConstant(*Left))
      std::swap(Left, Right);
    if (!isConstant(*Left) || std::abs(Left->Constant) > MostFactor)
      return std::nullopt;
    if (Left->Constant)
      Sum.add(*Right, Left->Constant);
    break;
  default:
    // What does not change with the loops is as good as a name.
    if (!Left->Terms.empty() || !Right->Terms.empty())
      return std::nullopt;
    Sum.Rest = "(" + Left->Rest + " + " + std::to_string(Left->Constant) + ") " +
               B->getOpcodeStr().str() + " (" + Right->Rest + " + " +
               std::to_string(Right->Constant) + ")";
  }
  if (llvm::any_of(Sum.Terms, [](const LinearIndex::Term &T) {
        return std::abs(T.Factor) > MostFactor;
      }))
    return std::nullopt;
  return Sum;
}

/// What the loops that filled a local array, or around the one value of a
/// variable, stand for where Use reads it: nothing if one turn of them may have
/// been kept for several of Use's.
std::optional<ProductReads::Renaming>
ProductReads::renamed(const GivenValue &G, const Expr *Use, const CodePlace &At,
                      const Renaming &Names) {
  if (!G.At.InBody || !G.At.Certain || !G.At.Counted || G.At.Order > At.Order)
    return std::nullopt;
  Renaming All = Names;
  llvm::SmallVector<const VarDecl *, 3> Filled;
  if (G.To) {
    Steps To = stepsTo(G.To), From = stepsTo(Use);
    if (To.Members != From.Members ||
        To.Subscripts.size() != From.Subscripts.size())
      return std::nullopt;
    for (auto [Place, Read] : llvm::zip_equal(To.Subscripts, From.Subscripts)) {
      const VarDecl *V = variableOf(Place);
      auto Stands = index(Read, Names);
      if (!V || !Stands || llvm::is_contained(Filled, V))
        return std::nullopt;
      Filled.push_back(V);
      All.push_back({V, std::move(*Stands)});
    }
  }
  for (const ForStmt *F : G.At.Loops) {
    const VarDecl *V = describeCopyLoop(F, *Facts.In).Index;
    if (!llvm::is_contained(At.Loops, F) && !llvm::is_contained(Filled, V))
      return std::nullopt;
  }
  // Each subscript is the variable of a loop that does not hold the use.
  for (const VarDecl *V : Filled)
    if (llvm::none_of(G.At.Loops, [&](const ForStmt *F) {
          return !llvm::is_contained(At.Loops, F) &&
                 describeCopyLoop(F, *Facts.In).Index == V;
        }))
      return std::nullopt;
  return All;
}

bool ProductReads::addStorage(const Expr *E, const CodePlace &At,
                              const Renaming &Names, ValueOfElements &Out,
                              unsigned Depth) {
  const VarDecl *V = namedStorage(E);
  if (!V)
    return false;
  if (isShared(V)) {
    ElementRead &Read = Out.Reads.emplace_back();
    Read.Array = V;
    Steps To = stepsTo(E);
    for (const Expr *S : To.Subscripts)
      Read.Indices.push_back(index(S, Names));
    for (int64_t M : To.Members) {
      Read.Indices.emplace_back(LinearIndex());
      Read.Indices.back()->Constant = M;
    }
    return true;
  }
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    Out.Reads.push_back({P, {}});
    return Known.unchanged(P);
  }
  const GivenValue *Only = nullptr;
  for (const GivenValue &G : Code.Given)
    if (G.Var == V) {
      if (Only)
        return false;
      Only = &G;
    }
  if (!Only)
    return false;
  const Expr *Value = Only->Value;
  if (const auto *B = dyn_cast<BinaryOperator>(Value->IgnoreParens());
      B && B->isAssignmentOp())
    Value = B->getOpcode() == BO_Assign ? B->getRHS() : nullptr;
  std::optional<Renaming> Inner =
      Value ? renamed(*Only, E, At, Names) : std::nullopt;
  return Inner && addReads(Value, Only->At, *Inner, Out, Depth + 1);
}

/// \returns false if something that E depends on is left out.
bool ProductReads::addReads(const Expr *E, const CodePlace &At,
                            const Renaming &Names, ValueOfElements &Out,
                            unsigned Depth) {
  E = E->IgnoreParens();
  if (Depth > MostDepth)
    return false;
  if (isa<FloatingLiteral>(E))
    return true;
  if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(E))
    return addStorage(E, At, Names, Out, Depth);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return addReads(C->getSubExpr(), At, Names, Out, Depth + 1);
  if (!E->getType()->isRealFloatingType())
    return false;
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Minus &&
           addReads(U->getSubExpr(), At, Names, Out, Depth + 1);
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || B->isAssignmentOp() || B->isCommaOp())
    return false;
  bool Left = addReads(B->getLHS(), At, Names, Out, Depth + 1);
  return addReads(B->getRHS(), At, Names, Out, Depth + 1) && Left;
}

std::optional<ValueOfElements> ProductReads::of(const FloatProduct &P) {
  Loops.clear();
  if (!P.At.Counted)
    return std::nullopt;
  for (const ForStmt *F : P.At.Loops) {
    CopyLoop L = describeCopyLoop(F, *Facts.In);
    int64_t Step = L.Step ? Known.evaluate(L.Step).value_or(0) : 1;
    if (!L.Trips || !L.ConstantInit || Step <= 0)
      return std::nullopt;
    Loops.push_back({L.Index, Step, L.Trips});
  }
  ValueOfElements Out;
  Out.Loops = Loops;
  Out.Complete = addReads(P.E->getLHS(), P.At, {}, Out, 0);
  Out.Complete &= addReads(P.E->getRHS(), P.At, {}, Out, 0);
  return Out;
}

bool ProductReads::isUnknown(const Expr *E, unsigned Depth) const {
  E = E->IgnoreParenImpCasts();
  if (Depth > MostDepth)
    return false;
  if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(E)) {
    const VarDecl *V = namedStorage(E);
    if (!V) // through a pointer, which points to no variable of the function
      return isa<ArraySubscriptExpr>(E);
    if (isShared(V) || isa<ParmVarDecl>(V))
      return true;
    bool Any = false;
    for (const GivenValue &G : Code.Given)
      if (G.Var == V) {
        const auto *B = dyn_cast<BinaryOperator>(G.Value->IgnoreParens());
        if (!isUnknown(B && B->isAssignmentOp() ? B->getRHS() : G.Value,
                       Depth + 1))
          return false;
        Any = true;
      }
    return Any;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref ||
           (U->getOpcode() == UO_Minus && isUnknown(U->getSubExpr(), Depth + 1));
  if (const auto *C = dyn_cast<CastExpr>(E))
    return isUnknown(C->getSubExpr(), Depth + 1);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return C->getDirectCallee() && isOpaque(C->getDirectCallee()) &&
           llvm::any_of(C->arguments(), [&](const Expr *A) {
             return A->getType()->isPointerType() || isUnknown(A, Depth + 1);
           });
  const auto *B = dyn_cast<BinaryOperator>(E);
  return B && B->getType()->isRealFloatingType() && !B->isAssignmentOp() &&
         (isUnknown(B->getLHS(), Depth + 1) ||
          isUnknown(B->getRHS(), Depth + 1));
}

} // namespace kpipe
