// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that may differ among the threads of a block, see ThreadDependence.h.
// All variables begin as the same for all threads; the function is read again
// until nothing is added.

#include "ThreadDependence.h"
#include "Effects.h"
#include "HeldPointers.h"
#include "KnownFunctions.h"
#include "OfArguments.h"
#include "UsesOfVariables.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

const Expr *conditionOf(const Stmt *S) {
  if (const auto *I = dyn_cast<IfStmt>(S))
    return I->getCond();
  if (const auto *W = dyn_cast<SwitchStmt>(S))
    return W->getCond();
  if (const auto *L = dyn_cast<ForStmt>(S))
    return L->getCond();
  if (const auto *L = dyn_cast<WhileStmt>(S))
    return L->getCond();
  if (const auto *L = dyn_cast<DoStmt>(S))
    return L->getCond();
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(S))
    return C->getCond();
  if (const auto *L = dyn_cast<CXXForRangeStmt>(S))
    return L->getRangeInit();
  const auto *B = dyn_cast<BinaryOperator>(S);
  return B && B->isLogicalOp() ? B->getLHS() : nullptr;
}

static bool hasGoto(const Stmt *S) {
  return S && (isa<GotoStmt, IndirectGotoStmt>(S) ||
               llvm::any_of(S->children(), hasGoto));
}

ThreadDependence::ThreadDependence(const FunctionDecl *F,
                                   const CallIndex *Calls, unsigned Depth,
                                   bool Loads)
    : Of(F), Calls(Calls), LoadsCount(Loads && F->hasAttr<CUDAGlobalAttr>()) {
  takeParameters(F, Calls, Depth);
  if (LoadsCount)
    takeCommon(F);
  // Who comes where a goto leads is not followed.
  Divergent.push_back(hasGoto(F->getBody()));
  do {
    Changed = false;
    TraverseStmt(F->getBody());
  } while (Changed);
  Divergent.pop_back();
}

/// May some threads of a block wait for one another while others do not? Then
/// a store may stand between the loads of two threads and race with neither.
static bool meetsInParts(const FunctionDecl *F, const CallIndex *Calls) {
  const Effects All =
      effectsOf(F->getBody(), Scope(F->getASTContext(), F, Calls));
  return llvm::any_of(
             All.Memory,
             [](const MemoryAccess &M) { return M.Atomic || M.Volatile; }) ||
         llvm::any_of(All.Events, [](const Event &E) {
           return llvm::is_contained(
               {EventKind::NamedBarrier, EventKind::WarpSync, EventKind::Fence,
                EventKind::GridSync, EventKind::UnknownCall,
                EventKind::UnknownAsm},
               E.Kind);
         });
}

void ThreadDependence::takeCommon(const FunctionDecl *F) {
  // What threads share as well, for whoever asks about loads.
  SharedIsCommon = !meetsInParts(F, Calls);
  const UsesOfVariables Uses = usesIn(F->getBody());
  for (const ParmVarDecl *P : F->parameters()) {
    const QualType T = P->getType();
    const bool NeverStored = T.isRestrictQualified() && T->isPointerType() &&
                             T->getPointeeType().isConstQualified();
    if ((SharedIsCommon || NeverStored) && T->isPointerType() &&
        !T->getPointeeType().isVolatileQualified() && !Uses.Changes.count(P) &&
        !Uses.Handed.count(P))
      Common.insert(P);
  }
}

/// Are all calls of F to be found in Calls?
static bool allCallsKnown(const FunctionDecl *F, const CallIndex *Calls) {
  return Calls && Calls->hasAll(F) && Calls->Calls.count(F->getCanonicalDecl());
}

void ThreadDependence::takeParameters(const FunctionDecl *F,
                                      const CallIndex *Calls, unsigned Depth) {
  if (F->hasAttr<CUDAGlobalAttr>())
    return;
  if (Depth >= 4 || !allCallsKnown(F, Calls)) {
    Vars.insert(F->param_begin(), F->param_end());
    return;
  }
  for (const CallExpr *C : Calls->Calls.find(F->getCanonicalDecl())->second) {
    const FunctionDecl *From = Calls->CallerOf.lookup(C);
    const HeldPointers::Call Made = calleeOf(C);
    std::optional<ThreadDependence> Caller;
    if (From && From != F && From->getBody())
      Caller.emplace(ThreadDependence(From, Calls, Depth + 1, false));
    for (unsigned I = 0; I != F->getNumParams(); ++I) {
      const ParmVarDecl *P = F->getParamDecl(I);
      if (!Caller || P->getType()->isReferenceType() ||
          I >= Made.Arguments.size() || Caller->dependent(Made.Arguments[I]))
        Vars.insert(P);
    }
  }
}

bool ThreadDependence::leavesApart(const Stmt *Loop) const {
  // Some threads may leave the loop, or a turn of it, before others do. What
  // leaves a loop within it does not leave this one.
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const ThreadDependence &Of;
    const Stmt *Whole;
    bool Under = false, Found = false;
    unsigned Loops = 0, Switches = 0;
    Finder(const ThreadDependence &Of, const Stmt *Whole)
        : Of(Of), Whole(Whole) {}
    bool TraverseStmt(const Stmt *S) override {
      const bool Outer = Under;
      const bool Loop =
          S != Whole &&
          isa_and_nonnull<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
      const bool Switch = S != Whole && isa_and_nonnull<SwitchStmt>(S);
      // What a loop does not run does not leave the loop around it.
      if (S && !isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
        Under |= Of.dependent(conditionOf(S));
      const bool Leaves =
          !Loops && (isa_and_nonnull<ContinueStmt>(S) ||
                     (!Switches && isa_and_nonnull<BreakStmt>(S)));
      Found |=
          (Under && Leaves) || isa_and_nonnull<GotoStmt, IndirectGotoStmt>(S);
      Loops += Loop;
      Switches += Switch;
      if (!Found)
        ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      Loops -= Loop;
      Switches -= Switch;
      Under = Outer;
      return !Found;
    }
  } F(*this, Loop);
  F.TraverseStmt(Loop);
  return F.Found;
}

bool ThreadDependence::divides(const Stmt *S) const {
  const bool Loops =
      isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(S);
  // How often a closure's body runs cannot be told here.
  return dependent(conditionOf(S)) || isa<LambdaExpr, CXXForRangeStmt>(S) ||
         (Loops && leavesApart(S));
}

bool ThreadDependence::traverseControl(const Stmt *S) {
  Divergent.push_back(divides(S));
  const bool More = Base::TraverseStmt(S);
  Divergent.pop_back();
  return More;
}

bool ThreadDependence::TraverseStmt(const Stmt *S) {
  if (!S)
    return true;
  // What a declaration or a return has a use for is not a statement.
  if (!isa<Expr, DeclStmt, ReturnStmt, AsmStmt>(S))
    llvm::for_each(S->children(), [&](const Stmt *Kid) { leaveUnnamed(Kid); });
  // Loops without a condition are left by jumps.
  if (conditionOf(S) || isa<ForStmt, CXXForRangeStmt, LambdaExpr>(S))
    return traverseControl(S);
  return Base::TraverseStmt(S);
}

void ThreadDependence::note(const VarDecl *V) {
  // Memory that all threads share is the same for all.
  if (!V->hasAttr<CUDASharedAttr>() || !SharedIsCommon)
    Changed |= Vars.insert(V).second;
}

void ThreadDependence::assign(const Expr *Whole, const Expr *Target,
                              const Expr *Value) {
  llvm::SmallVector<const Expr *, 2> Indices;
  const DeclRefExpr *D = ownerIn(Target, Indices);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V)
    return;
  // `add(++n)` hands n away.
  if (!Whole->isLValue() || Unnamed.count(Whole))
    Plain.insert(D);
  // Each thread may have another element.
  const bool Elsewhere = llvm::any_of(
      Indices, [&](const Expr *Index) { return dependent(Index); });
  if (dependent(Value) || Elsewhere || V->getType()->isReferenceType() ||
      llvm::is_contained(Divergent, true))
    note(V);
}

bool ThreadDependence::VisitVarDecl(const VarDecl *V) {
  if (dependent(V->getInit()))
    note(V);
  return true;
}

bool ThreadDependence::VisitBinaryOperator(const BinaryOperator *B) {
  if (B->isAssignmentOp())
    assign(B, B->getLHS(), B->getRHS());
  if (B->getOpcode() == BO_Comma) {
    leaveUnnamed(B->getLHS());
    if (Unnamed.count(B))
      leaveUnnamed(B->getRHS());
  }
  return true;
}

bool ThreadDependence::VisitUnaryOperator(const UnaryOperator *U) {
  if (U->isIncrementDecrementOp())
    assign(U, U->getSubExpr(), nullptr);
  return true;
}

void ThreadDependence::leaveUnnamed(const Stmt *S) {
  if (const auto *W = dyn_cast_or_null<ExprWithCleanups>(S))
    S = W->getSubExpr();
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    Unnamed.insert(E->IgnoreParens());
}

bool ThreadDependence::VisitImplicitCastExpr(const ImplicitCastExpr *C) {
  if (C->getCastKind() == CK_LValueToRValue) {
    leaveUnnamed(C->getSubExpr());
    readsFrom(C->getSubExpr());
  }
  return true;
}

/// `(k & 1 ? w : x)` reads one of them.
void ThreadDependence::readsFrom(const Expr *E) {
  llvm::SmallVector<const Expr *, 2> Indices;
  if (const auto *Either = dyn_cast<ConditionalOperator>(E->IgnoreParens())) {
    readsFrom(Either->getTrueExpr());
    readsFrom(Either->getFalseExpr());
  } else if (const DeclRefExpr *D = ownerIn(E, Indices))
    Plain.insert(D);
}

/// May V not be changed, not even a part of it?
static bool staysConst(const VarDecl *V) {
  const QualType T = V->getType();
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return T.isConstant(V->getASTContext()) && !(R && R->hasMutableFields());
}

// A name that is handed away may be changed by who has it.
bool ThreadDependence::VisitDeclRefExpr(const DeclRefExpr *D) {
  const auto *V = dyn_cast<VarDecl>(D->getDecl());
  if (V && V->hasLocalStorage() && !staysConst(V) && !Plain.count(D) &&
      !Vars.count(V) && !keepsValue(V))
    note(V);
  return true;
}

bool ThreadDependence::VisitCallExpr(const CallExpr *C) {
  // A result that is a reference names an argument.
  if (!madeOfArguments(C) || C->isGLValue())
    return true;
  for (const Expr *Argument : C->arguments())
    if (const DeclRefExpr *D = localObjectOf(Argument))
      Plain.insert(D);
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
    if (const DeclRefExpr *D = localObjectOf(M->getImplicitObjectArgument()))
      Plain.insert(D);
  return true;
}

// An accessor of an object may have a name for it and change nothing.
bool ThreadDependence::keepsValue(const VarDecl *V) {
  if (!isa<ParmVarDecl>(V) || V->getDeclContext() != Of ||
      V->getType()->isReferenceType())
    return false;
  if (!Written) {
    const Scope In(Of->getASTContext(), Of, Calls);
    const Effects All = effectsOf(Of->getBody(), In);
    Written = All.Writes;
    AllSeen = llvm::none_of(All.Events, [](const Event &E) {
      return E.Kind == EventKind::UnknownCall ||
             E.Kind == EventKind::UnknownAsm || E.Kind == EventKind::Invalid;
    });
    // Who writes where an address leads, writes its variable.
    AllSeen &= llvm::none_of(All.Memory, [](const MemoryAccess &A) {
      return A.Write && A.Root.Where == Space::Unknown;
    });
  }
  return AllSeen && !Written->count(V);
}

bool ThreadDependence::TraversePseudoObjectExpr(const PseudoObjectExpr *P) {
  return TraverseStmt(P->getSyntacticForm());
}

bool ThreadDependence::TraverseOpaqueValueExpr(const OpaqueValueExpr *O) {
  return TraverseStmt(O->getSourceExpr());
}

} // namespace kpipe
