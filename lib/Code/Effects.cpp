// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of statements, and what is asked of effects. The walk is
// EffectCollector.h's.
#include "EffectCollector.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool copiesBits(const CXXRecordDecl *R) {
  if (!R->getIdentifier())
    return false;
  llvm::StringRef N = R->getName();
  return isToolkits(R) &&
         (N == "__half" || N == "__half2" || N == "__nv_bfloat16" ||
         N == "__nv_bfloat162");
}

bool Effects::has(EventKind Kind) const {
  return llvm::any_of(Events, [&](const Event &E) { return E.Kind == Kind; });
}

static bool any(const Effects &E, Space Where, bool Write) {
  return llvm::any_of(E.Memory, [&](const MemoryAccess &A) {
    return (A.Root.Where == Where || A.Root.Where == Space::Unknown) &&
           (A.Write == Write || A.Atomic);
  });
}
bool Effects::readsShared() const { return any(*this, Space::Shared, false); }
bool Effects::writesShared() const { return any(*this, Space::Shared, true); }
bool Effects::readsGlobal() const { return any(*this, Space::Global, false); }
bool Effects::writesGlobal() const { return any(*this, Space::Global, true); }

bool Effects::isPure() const {
  for (const Event &E : Events)
    if (E.Kind != EventKind::Assertion)
      return false;
  return llvm::none_of(Memory, [](const MemoryAccess &A) {
    return A.Write || A.Atomic || A.Volatile;
  });
}

bool Effects::isOnlyBlockBarrier() const {
  return Events.size() == 1 && Events[0].Kind == EventKind::BlockBarrier &&
         Writes.empty() && llvm::none_of(Memory, [](const MemoryAccess &A) {
           return A.Root.Where != Space::Constant;
         });
}

void EffectCollector::declaration(const DeclStmt *S) {
  for (const Decl *D : S->decls()) {
    if (D->isInvalidDecl())
      event(EventKind::Invalid, S);
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V || V->hasAttr<CUDASharedAttr>())
      continue;
    if (const Expr *Init = V->getInit())
      V->getType()->isReferenceType() && Init->isGLValue() ? address(Init)
                                                           : value(Init);
    if (V->getType()->isVariablyModifiedType())
      unknownCall(S, msg::variable_length_array);
    if (const auto *Parts = dyn_cast<DecompositionDecl>(V))
      for (const BindingDecl *B : Parts->bindings())
        if (const VarDecl *Held = B->getHoldingVar(); Held && Held->getInit())
          operand(Held->getInit()); // get<I>(...)
    Out.Declared.insert(V);
    writeVar(V, true);
    // It runs at the end of the scope, which moves with the declaration.
    if (V->needsDestruction(In->context()) == QualType::DK_cxx_destructor)
      unknownCall(S, msg::destructor);
    if (V->hasAttr<CleanupAttr>())
      unknownCall(S, msg::cleanup);
  }
}

void EffectCollector::choice(const IfStmt *I) {
  if (I->isConsteval()) { // it has no condition
    stmt(I->getThen());
    stmt(I->getElse());
    return unknownCall(I, {msg::unsupported_statement, "if consteval"});
  }
  stmt(I->getInit());
  stmt(I->getConditionVariableDeclStmt());
  value(I->getCond());
  if (I->isConstexpr()) {
    if (auto Taken = I->getNondiscardedCase(In->context()))
      return *Taken ? stmt(*Taken) : void();
  }
  return branch([&] { stmt(I->getThen()); }, [&] { stmt(I->getElse()); });
}

void EffectCollector::loop(const ForStmt *F) {
  stmt(F->getInit());
  if (F->getCond())
    value(F->getCond());
  turn([&] {
    stmt(F->getBody());
    if (F->getInc())
      value(F->getInc());
  });
}

void EffectCollector::loop(const WhileStmt *W) {
  stmt(W->getConditionVariableDeclStmt());
  value(W->getCond());
  turn([&] { stmt(W->getBody()); });
}

void EffectCollector::loop(const DoStmt *D) {
  // A break in it may skip what follows, as in a loop that never runs.
  turn([&] { stmt(D->getBody()); });
  value(D->getCond());
}

void EffectCollector::loop(const CXXForRangeStmt *F) {
  for (const Stmt *Part :
       {F->getInit(), static_cast<const Stmt *>(F->getRangeStmt()),
        static_cast<const Stmt *>(F->getBeginStmt()),
        static_cast<const Stmt *>(F->getEndStmt())})
    stmt(Part);
  value(F->getCond());
  turn([&] {
    stmt(F->getLoopVarStmt());
    stmt(F->getBody());
    value(F->getInc());
  });
}

void EffectCollector::stmt(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    return value(E);
  switch (S->getStmtClass()) {
  case Stmt::DeclStmtClass:
    return declaration(cast<DeclStmt>(S));
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(S)->body())
      stmt(Child);
    return;
  case Stmt::AttributedStmtClass:
    return stmt(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::IfStmtClass:
    return choice(cast<IfStmt>(S));
  case Stmt::ForStmtClass:
    return loop(cast<ForStmt>(S));
  case Stmt::WhileStmtClass:
    return loop(cast<WhileStmt>(S));
  case Stmt::DoStmtClass:
    return loop(cast<DoStmt>(S));
  case Stmt::CXXForRangeStmtClass:
    return loop(cast<CXXForRangeStmt>(S));
  case Stmt::SwitchStmtClass: {
    const auto *W = cast<SwitchStmt>(S);
    stmt(W->getInit());
    stmt(W->getConditionVariableDeclStmt());
    value(W->getCond());
    ++Breakable;
    maybe([&] { stmt(W->getBody()); });
    --Breakable;
    return;
  }
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return stmt(cast<SwitchCase>(S)->getSubStmt());
  case Stmt::ReturnStmtClass:
    if (const Expr *E = cast<ReturnStmt>(S)->getRetValue())
      E->isGLValue() ? address(E) : value(E);
    return event(EventKind::Return, S);
  case Stmt::BreakStmtClass:
    if (!Breakable)
      event(EventKind::Break, S);
    return;
  case Stmt::ContinueStmtClass:
    if (!Continuable)
      event(EventKind::Continue, S);
    return;
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
  case Stmt::LabelStmtClass:
    return event(EventKind::Goto, S);
  case Stmt::GCCAsmStmtClass:
    return assembly(cast<GCCAsmStmt>(S));
  case Stmt::NullStmtClass:
    return;
  case Stmt::MSAsmStmtClass:
    return event(EventKind::UnknownAsm, S, "__asm");
  default:
    // What is not known here may do anything.
    for (const Stmt *Child : S->children())
      stmt(Child);
    unknownCall(S, {msg::unsupported_statement, S->getStmtClassName()});
  }
}

llvm::SmallVector<const VarDecl *, 8> inOrder(const VarSet &Variables) {
  llvm::SmallVector<const VarDecl *, 8> All(Variables.begin(), Variables.end());
  llvm::sort(All, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation() < B->getLocation();
  });
  return All;
}

Effects effectsOf(const Stmt *S, const Scope &In) {
  Effects Out;
  EffectCollector C(In, Out);
  C.stmt(S);
  Out.Kills = C.Assigned;
  return Out;
}

Effects inSequence(llvm::ArrayRef<const Effects *> Parts) {
  Effects All;
  for (const Effects *P : Parts) {
    All.Memory.append(P->Memory.begin(), P->Memory.end());
    All.Events.append(P->Events.begin(), P->Events.end());
    for (const VarDecl *V : P->Exposed)
      if (!All.Kills.count(V))
        All.Exposed.insert(V);
    All.Reads.insert(P->Reads.begin(), P->Reads.end());
    All.Writes.insert(P->Writes.begin(), P->Writes.end());
    All.Kills.insert(P->Kills.begin(), P->Kills.end());
    All.Declared.insert(P->Declared.begin(), P->Declared.end());
  }
  return All;
}

} // namespace kpipe
