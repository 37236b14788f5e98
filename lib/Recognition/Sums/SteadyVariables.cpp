// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables keep their values throughout a tile, see SteadySums.h.
#include "Code/AstUtils.h"
#include "Code/GroupQueries.h"
#include "Code/Jumps.h"
#include "Code/KnownFunctions.h"
#include "Code/Scope.h"
#include "Code/Sugar.h"
#include "Code/UsesOfVariables.h"
#include "ExpressionSums.h"
#include "SteadySums.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What an update adds; null for `++`, nothing if it is no addition.
std::optional<const Expr *> addedBy(const Expr *Update) {
  Update = evaluated(Update);
  if (const auto *U = dyn_cast<UnaryOperator>(Update))
    return U->isIncrementOp() ? std::optional<const Expr *>(nullptr)
                              : std::nullopt;
  if (const auto *C = dyn_cast<CompoundAssignOperator>(Update);
      C && C->getOpcode() == BO_AddAssign)
    return C->getRHS();
  return std::nullopt;
}

/// Is what an update makes a signed number as wide as the variable? Then it
/// becomes no less by wrapping around: nobody may let it overflow. `k += 32u`
/// for an int may.
bool addsAsSigned(const Expr *Update, const VarDecl *V,
                  const ASTContext &Context) {
  const QualType T = V->getType();
  if (!T->isSignedIntegerType() ||
      Context.getIntWidth(T) < Context.getIntWidth(Context.IntTy))
    return false;
  const auto *C = dyn_cast<CompoundAssignOperator>(evaluated(Update));
  return !C || Context.hasSameUnqualifiedType(C->getComputationResultType(), T);
}

/// A variable that wraps around by such steps has been beyond all arrays
/// before.
constexpr int64_t LongestStep = 0xffff;

} // namespace

SteadySums::SteadySums(const LoopFacts &Facts)
    : Facts(Facts), Context(Facts.In->context()), Known(Context),
      Threads(
          ThreadDependence::withLoads(Facts.Tile.Function, Facts.In->calls())) {
  const UsesOfVariables All = usesIn(Facts.Tile.Function->getBody()),
                        Here = usesIn(Facts.Tile.Loop);
  Handed = All.Handed;
  for (const auto &[V, Where] : All.Changes)
    if (!Here.Changes.count(V) && !Handed.count(V) && !isIn(V, Facts.Tile.Loop))
      Settled.insert(V);
  // Another loop may step in the middle of its body.
  if (Facts.Tile.Kind != LoopKind::For)
    return;
  for (const HeaderVar &H : Facts.Tile.HeaderVars) {
    auto Changed = Here.Changes.find(H.Var);
    const bool Alone = Changed == Here.Changes.end() ||
                       llvm::all_of(Changed->second, [&](const Expr *E) {
                         return (H.Update && E == evaluated(H.Update)) ||
                                (Facts.Tile.Init && E == Facts.Tile.Init);
                       });
    if (Alone && !Handed.count(H.Var) && H.Var->hasLocalStorage() &&
        !H.Var->getType()->isReferenceType())
      Advanced.insert(H.Var);
  }
}

bool SteadySums::isIn(const VarDecl *V, const Stmt *S) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    VarSet Found;
    bool VisitVarDecl(const VarDecl *V) override {
      Found.insert(V);
      return true;
    }
  };
  auto [All, New] = Declared.try_emplace(S);
  if (New) {
    Finder F;
    F.TraverseStmt(S);
    All->second = std::move(F.Found);
  }
  return All->second.count(V) != 0;
}

const VarDecl *SteadySums::countsUp(const ForStmt *F) {
  const VarDecl *V = updatedVariable(F->getInc());
  auto By = V ? addedBy(F->getInc()) : std::nullopt;
  if (!By || !V->hasLocalStorage() || V->getType()->isReferenceType())
    return nullptr;
  if (*By) {
    auto Step = Known.evaluate(*By);
    if (Step && *Step > LongestStep && !addsAsSigned(F->getInc(), V, Context))
      return nullptr;
    // Also by the name of one: `const size_t step = blockDim.x;`
    auto Plain = [](const Expr *E) {
      return evaluated(evaluated(E)->IgnoreImpCasts());
    };
    const Expr *Stride = Plain(*By);
    const auto *D = dyn_cast<DeclRefExpr>(Stride);
    const auto *Name = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (Name && Name->hasLocalStorage() && !isa<ParmVarDecl>(Name) &&
        Name->getInit() && Known.unchanged(Name) &&
        Name->getType()->isIntegerType() &&
        Context.getIntWidth(Name->getType()) >= 32)
      Stride = Plain(Name->getInit());
    const auto *Register = dyn_cast<PseudoObjectExpr>(Stride);
    const auto *Asked = dyn_cast<CallExpr>(Stride);
    const auto Size = Asked ? groupQuery(Asked) : std::nullopt;
    if (!(Step && *Step > 0) && !(Register && isSpecialRegister(Register)) &&
        !(Size && !Size->Rank))
      return nullptr;
  }
  const UsesOfVariables Uses = usesIn(F);
  auto Changed = Uses.Changes.find(V);
  if (Changed == Uses.Changes.end())
    return nullptr;
  for (const Expr *E : Changed->second)
    if (E != evaluated(F->getInc()) && E != F->getInit())
      return nullptr;
  // Who has its address may change it meanwhile.
  return Handed.count(V) ? nullptr : V;
}

bool SteadySums::isSteady(const VarDecl *V,
                          llvm::ArrayRef<const ForStmt *> Around) {
  if (V->getType()->isReferenceType() || V->getType().isVolatileQualified())
    return false;
  if (!V->hasLocalStorage())
    return false;
  return Known.unchanged(V) || Advanced.count(V) || Settled.count(V) ||
         chosen(V) || llvm::any_of(Around, [&](const ForStmt *F) {
           return countsUp(F) == V;
         });
}

/// What V was given, if that is still its value; null if not.
const Expr *SteadySums::given(const VarDecl *V,
                              llvm::ArrayRef<const ForStmt *> Around) {
  const Expr *Init = V->getInit();
  if (!Init || isa<ParmVarDecl>(V) || !V->hasLocalStorage() ||
      !V->getType()->isIntegerType() || !Known.unchanged(V) ||
      isStale(Init, V, Around))
    return nullptr;
  return Init;
}

bool SteadySums::isStale(const Expr *E, const VarDecl *V,
                         llvm::ArrayRef<const ForStmt *> Around) {
  const bool InTile = isIn(V, bodyOf(Facts.Tile.Loop));
  return namesAny(E, [&](const VarDecl *U) {
    return ((Advanced.count(U) || Settled.count(U)) && !Known.unchanged(U) &&
            !InTile) ||
           llvm::any_of(Around, [&](const ForStmt *F) {
             return countsUp(F) == U && !isIn(V, F->getBody());
           });
  });
}

std::optional<SteadySums::Choice> SteadySums::chosen(const VarDecl *V) const {
  const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Facts.Tile.Loop));
  if (!Body || !V->hasInit() || !V->hasLocalStorage() || Handed.count(V) ||
      !V->getType()->isIntegerType() || V->getType().isVolatileQualified())
    return std::nullopt;
  for (const auto &[S, Next] :
       llvm::zip(Body->body(), llvm::drop_begin(Body->body()))) {
    const auto *D = dyn_cast<DeclStmt>(S);
    if (!D || !llvm::is_contained(D->decls(), V))
      continue;
    const auto *If = dyn_cast<IfStmt>(Next);
    if (!If || *std::prev(D->decl_end()) != V || If->getElse() ||
        If->getInit() || If->getConditionVariable())
      return std::nullopt;
    const Stmt *Then = If->getThen();
    if (const auto *C = dyn_cast<CompoundStmt>(Then))
      Then = C->size() == 1 ? C->body_front() : nullptr;
    const auto *Set = dyn_cast_or_null<BinaryOperator>(Then);
    const auto Changes = usesIn(Body).Changes.lookup(V);
    if (!Set || Set->getOpcode() != BO_Assign ||
        !llvm::equal(Changes, llvm::ArrayRef<const Expr *>(Set)))
      return std::nullopt;
    return Choice{If->getCond(), Set->getRHS(), V->getInit(), V->getType(), V};
  }
  return std::nullopt;
}

SteadySum SteadySums::variable(const DeclRefExpr *D,
                               llvm::ArrayRef<const ForStmt *> Around) {
  const auto *V = cast<VarDecl>(D->getDecl());
  if (!isSteady(V, Around))
    return {};
  const bool InTurn = llvm::any_of(Around, [&](const ForStmt *F) {
    return isIn(V, F->getBody()) || countsUp(F) == V;
  });
  const auto Chosen = chosen(V);
  const bool Uniform = !InTurn && !Threads.dependent(D) &&
                       !(Chosen && Threads.dependent(Chosen->Cond));
  if (const Expr *Init = given(V, Around);
      Init &&
      Context.getIntWidth(V->getType()) == Context.getIntWidth(Init->getType()))
    if (SteadySum S = of(Init, Around); S.isModular())
      // `int begin = blockIdx.x * T` is a number of its own, and no sum that
      // wraps around.
      if (S.isExact() || !Uniform || V->getType()->isUnsignedIntegerType())
        return S;
  Part P;
  P.Var = V;
  P.Uniform = Uniform;
  P.NeverNegative = V->getType()->isUnsignedIntegerType() ||
                    (Advanced.count(V) && startsAtZeroAndGrows(V));
  return term(std::move(P), D->getType());
}

bool SteadySums::addsInHeader(const VarDecl *V) const {
  const HeaderVar *H = llvm::find_if(
      Facts.Tile.HeaderVars, [&](const HeaderVar &H) { return H.Var == V; });
  if (H == Facts.Tile.HeaderVars.end() || !H->Update ||
      !addsAsSigned(H->Update, V, Context))
    return false;
  auto By = addedBy(H->Update);
  auto Step = !By ? std::nullopt : *By ? constantValue(*By, Context) : 1;
  return Step && *Step > 0;
}

bool SteadySums::startsAtZeroAndGrows(const VarDecl *V) const {
  const auto *Init = dyn_cast_or_null<DeclStmt>(Facts.Tile.Init);
  if (!Init || !llvm::is_contained(Init->decls(), V) || !V->getInit())
    return false;
  auto First = constantValue(V->getInit(), Context);
  return First && *First >= 0 && addsInHeader(V);
}

bool SteadySums::isMadeOfSteady(const Stmt *S,
                                llvm::ArrayRef<const ForStmt *> Around) {
  if (const auto *P = dyn_cast<PseudoObjectExpr>(S))
    return isSpecialRegister(P);
  if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? Known.evaluate(D) || isSteady(V, Around)
             : isa<EnumConstantDecl, FunctionDecl>(D->getDecl());
  }
  if (const auto *M = dyn_cast<MemberExpr>(S);
      M && (M->isArrow() || !isa<FieldDecl>(M->getMemberDecl()) ||
            M->getType().isVolatileQualified() ||
            M->getMemberDecl()->getType()->isReferenceType()))
    return false;
  if (const auto *C = dyn_cast<CallExpr>(S); C && groupQuery(C))
    return true;
  if (const auto *C = dyn_cast<CallExpr>(S);
      C && !lesserOf(C, Around) && !Known.evaluate(C))
    return false;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
    return false;
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && U->getOpcode() != UO_Minus && U->getOpcode() != UO_Plus &&
      U->getOpcode() != UO_Not && U->getOpcode() != UO_LNot)
    return false;
  if (!isa<BinaryOperator, UnaryOperator, ConditionalOperator, MemberExpr,
           IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, ParenExpr,
           CastExpr, CallExpr, MaterializeTemporaryExpr, FullExpr,
           UnaryExprOrTypeTraitExpr, SubstNonTypeTemplateParmExpr>(S))
    return false;
  return llvm::all_of(S->children(), [&](const Stmt *Child) {
    return Child && isMadeOfSteady(Child, Around);
  });
}

} // namespace kpipe
