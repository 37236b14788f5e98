// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk that collects effects, see Effects.h. It follows evaluation order
// closely enough to know which variables are surely written before they are
// read; loops and branches are joined conservatively.

#include "Effects.h"
#include "InlineAssembly.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace kpipe {

bool copiesBits(const CXXRecordDecl *R) {
  if (!R->getIdentifier())
    return false;
  llvm::StringRef N = R->getName();
  return N == "__half" || N == "__half2" || N == "__nv_bfloat16" ||
         N == "__nv_bfloat162";
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
         Writes.empty() &&
         llvm::none_of(Memory, [](const MemoryAccess &A) {
           return A.Root.Where != Space::Constant;
         });
}

namespace {

class Collector {
public:
  Collector(const Scope &In, Effects &Out) : In(&In), Out(Out) {}

  void stmt(const Stmt *S);
  void value(const Expr *E); ///< evaluates E and drops or uses the value

  VarSet Assigned; ///< surely written so far

private:
  enum Mode { Read, Write, ReadWrite };

  const Scope *In;
  Effects &Out;
  const Expr *OuterCall = nullptr; ///< the call in the analysed statement
  unsigned Breakable = 0, Continuable = 0;

  void event(EventKind Kind, const Stmt *At, const llvm::Twine &Name = "") {
    Out.Events.push_back({Kind, OuterCall ? OuterCall : At, Name.str()});
  }
  void readVar(const VarDecl *V) {
    Out.Reads.insert(V);
    if (!Assigned.count(V))
      Out.Exposed.insert(V);
  }
  void writeVar(const VarDecl *V, bool Whole) {
    Out.Writes.insert(V);
    if (Whole)
      Assigned.insert(V);
  }
  void address(const Expr *E); ///< evaluates what E's place depends on
  void access(const Expr *E, Mode M, bool ReadOnly = false,
              bool Atomic = false);
  /// The same for an lvalue that is evaluated already.
  void evaluated(const Expr *E, Mode M, bool ReadOnly = false,
                 bool Atomic = false);
  void record(const Roots &R, const Expr *At, Mode M, bool Whole,
              bool ReadOnly, bool Atomic, bool Volatile);
  void throughPointer(const Expr *Pointer, Mode M, bool ReadOnly = false,
                      bool Atomic = false);
  void call(const CallExpr *C);
  void construct(const CXXConstructExpr *C);
  void enter(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Args,
             const Expr *At);
  void unknownArguments(llvm::ArrayRef<const Expr *> Args,
                        const FunctionDecl *F);
  void assembly(const GCCAsmStmt *A);
  template <typename First, typename Second>
  void branch(First Then, Second Else) {
    VarSet Before = Assigned;
    Then();
    VarSet AfterThen = Assigned;
    Assigned = Before;
    Else();
    VarSet Both;
    for (const VarDecl *V : Assigned)
      if (AfterThen.count(V))
        Both.insert(V);
    Assigned = Both;
  }
  template <typename Body> void maybe(Body Run) {
    branch(Run, [] {});
  }
};

bool isWholeVariable(const Expr *E, const VarDecl *V) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D && D->getDecl() == V && !V->getType()->isReferenceType() &&
         !V->getType()->isArrayType();
}

void Collector::record(const Roots &R, const Expr *At, Mode M, bool Whole,
                       bool ReadOnly, bool Atomic, bool Volatile) {
  bool Single = R.size() == 1;
  for (const MemoryRoot &Root : R) {
    if (Root.Where == Space::Local) {
      if (!Root.Var)
        continue;
      if (M != Write)
        readVar(Root.Var);
      if (M != Read)
        writeVar(Root.Var, Whole && Single);
      continue;
    }
    for (bool IsWrite : {false, true}) {
      if ((IsWrite && M == Read) || (!IsWrite && M == Write))
        continue;
      MemoryAccess A;
      A.Root = Root;
      A.Write = IsWrite;
      A.Atomic = Atomic;
      A.Volatile = Volatile;
      A.ReadOnly = ReadOnly;
      A.At = OuterCall ? OuterCall : At;
      Out.Memory.push_back(A);
    }
  }
}

void Collector::access(const Expr *E, Mode M, bool ReadOnly, bool Atomic) {
  address(E);
  evaluated(E, M, ReadOnly, Atomic);
}

void Collector::evaluated(const Expr *E, Mode M, bool ReadOnly, bool Atomic) {
  Roots R = In->ofLValue(E);
  bool Whole = R.size() == 1 && R[0].Var && isWholeVariable(E, R[0].Var);
  record(R, E, M, Whole, ReadOnly, Atomic,
         E->getType().isVolatileQualified());
}

void Collector::throughPointer(const Expr *Pointer, Mode M, bool ReadOnly,
                               bool Atomic) {
  value(Pointer);
  QualType Pointee = Pointer->getType()->getPointeeType();
  record(In->ofPointer(Pointer), Pointer, M, false, ReadOnly, Atomic,
         !Pointee.isNull() && Pointee.isVolatileQualified());
}

/// An lvalue's place: indices and pointers are evaluated, the object is not.
void Collector::address(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    value(A->getBase());
    value(A->getIdx());
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    M->isArrow() ? value(M->getBase()) : address(M->getBase());
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      value(U->getSubExpr());
    else
      value(U);
  } else if (const auto *C = dyn_cast<CastExpr>(E)) {
    address(C->getSubExpr());
  } else if (isa<DeclRefExpr>(E) || isa<StringLiteral>(E) ||
             isa<CXXThisExpr>(E)) {
    // no evaluation
  } else {
    value(E);
  }
}

void Collector::value(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
      return access(C->getSubExpr(), Read);
    case CK_ArrayToPointerDecay:
      return address(C->getSubExpr());
    case CK_FunctionToPointerDecay:
    case CK_BuiltinFnToFnPtr:
      return;
    default:
      return C->getSubExpr()->isGLValue() && !C->isGLValue()
                 ? access(C->getSubExpr(), Read)
                 : value(C->getSubExpr());
    }
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      value(B->getRHS());
      return access(B->getLHS(), B->isCompoundAssignmentOp() ? ReadWrite
                                                             : Write);
    }
    value(B->getLHS());
    if (B->isLogicalOp())
      return maybe([&] { value(B->getRHS()); });
    return value(B->getRHS());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->isIncrementDecrementOp())
      return access(U->getSubExpr(), ReadWrite);
    if (U->getOpcode() == UO_AddrOf)
      return address(U->getSubExpr());
    return U->getOpcode() == UO_Deref ? address(U) : value(U->getSubExpr());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    value(C->getCond());
    return branch([&] { value(C->getTrueExpr()); },
                  [&] { value(C->getFalseExpr()); });
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return construct(C);
  if (const auto *A = dyn_cast<AtomicExpr>(E)) {
    for (const Expr *Sub : llvm::ArrayRef(A->getSubExprs(), A->getNumSubExprs()))
      Sub->getType()->isPointerType()
          ? throughPointer(Sub, ReadWrite, false, true)
          : value(Sub);
    return;
  }
  if (isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(E)) {
    for (const Stmt *Child : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
        value(Sub);
    return event(EventKind::UnknownCall, E,
                 isa<CXXNewExpr>(E) ? "new" : "delete");
  }
  if (isa<PseudoObjectExpr>(E)) {
    // threadIdx.x and its kin are property reads of special registers.
    return;
  }
  if (isa<UnaryExprOrTypeTraitExpr>(E) || isa<LambdaExpr>(E) ||
      isa<DeclRefExpr>(E) || isa<CXXThisExpr>(E))
    return;
  if (isa<RecoveryExpr>(E))
    return event(EventKind::Invalid, E);
  if (isa<ArraySubscriptExpr>(E) || isa<MemberExpr>(E))
    return address(E);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return value(S->getReplacement());
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return value(D->getExpr());
  if (const auto *S = dyn_cast<StmtExpr>(E))
    return stmt(S->getSubStmt());
  for (const Stmt *Child : E->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
      Sub->isGLValue() && isa<InitListExpr>(E) ? access(Sub, Read) : value(Sub);
}

void Collector::construct(const CXXConstructExpr *C) {
  const CXXConstructorDecl *K = C->getConstructor();
  bool Copies = K->isTrivial() ||
                (K->isCopyOrMoveConstructor() && copiesBits(K->getParent()));
  if (Copies && C->getNumArgs() == 1) {
    const Expr *Arg = C->getArg(0);
    return Arg->isGLValue() ? access(Arg, Read) : value(Arg);
  }
  if (K->isTrivial() || K->isDefaulted())
    return;
  llvm::SmallVector<const Expr *, 4> Args(C->arguments());
  enter(K, Args, C);
}

void Collector::unknownArguments(llvm::ArrayRef<const Expr *> Args,
                                 const FunctionDecl *F) {
  for (unsigned I = 0; I != Args.size(); ++I) {
    const Expr *Arg = Args[I];
    QualType T = F && I < F->getNumParams() ? F->getParamDecl(I)->getType()
                                            : Arg->getType();
    if (T->isPointerType() && Arg->getType()->isPointerType()) {
      throughPointer(Arg, T->getPointeeType().isConstQualified() ? Read
                                                                 : ReadWrite);
    } else if (T->isReferenceType() && Arg->isGLValue()) {
      access(Arg, T->getPointeeType().isConstQualified() ? Read : ReadWrite);
    } else if (Arg->isGLValue()) {
      access(Arg, Read);
    } else {
      value(Arg);
    }
  }
}

/// Evaluates the arguments, then walks the callee's body with them bound.
void Collector::enter(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Args,
                      const Expr *At) {
  const FunctionDecl *Definition = nullptr;
  if (!F || !F->hasBody(Definition) || In->contains(Definition)) {
    unknownArguments(Args, F);
    if (!F || !touchesOnlyArguments(F))
      event(EventKind::UnknownCall, At, F ? F->getNameAsString() : "?");
    return;
  }
  for (unsigned I = 0; I != Args.size(); ++I) {
    bool ByReference = I < Definition->getNumParams() &&
                       Definition->getParamDecl(I)->getType()->isReferenceType();
    if (ByReference && Args[I]->isGLValue())
      address(Args[I]);
    else if (Args[I]->isGLValue())
      access(Args[I], Read);
    else
      value(Args[I]);
  }
  Scope Callee(*In, Definition, Args);
  const Scope *OuterIn = In;
  const Expr *PreviousCall = OuterCall;
  unsigned B = Breakable, C = Continuable;
  if (!OuterCall)
    OuterCall = At;
  In = &Callee;
  Breakable = Continuable = 1;
  VarSet AssignedBefore = Assigned;
  if (const auto *K = dyn_cast<CXXConstructorDecl>(Definition))
    for (const CXXCtorInitializer *Init : K->inits())
      if (Init->getInit())
        value(Init->getInit());
  for (const ParmVarDecl *P : Definition->parameters())
    Assigned.insert(P);
  size_t EventsBefore = Out.Events.size();
  stmt(Definition->getBody());
  // What stands after an early return is not surely written.
  size_t Returns = 0;
  for (size_t I = EventsBefore; I != Out.Events.size(); ++I)
    Returns += Out.Events[I].Kind == EventKind::Return;
  const auto *Block = dyn_cast<CompoundStmt>(Definition->getBody());
  bool EndsIn = Block && !Block->body_empty() &&
                isa<ReturnStmt>(Block->body_back());
  if (Returns > (EndsIn ? 1 : 0))
    Assigned = std::move(AssignedBefore);
  // A return ends the callee, not the caller.
  llvm::erase_if(Out.Events, [&, I = size_t(0)](const Event &E) mutable {
    return I++ >= EventsBefore && E.Kind == EventKind::Return;
  });
  In = OuterIn;
  OuterCall = PreviousCall;
  Breakable = B;
  Continuable = C;
}

void Collector::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  llvm::SmallVector<const Expr *, 4> Args(C->arguments());
  if (!F) {
    unknownArguments(Args, nullptr);
    return event(EventKind::UnknownCall, C, "a function pointer");
  }
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C)) {
    const Expr *Object = M->getImplicitObjectArgument();
    if (Object && !Object->getType()->isPointerType())
      Object->isGLValue() ? address(Object) : value(Object);
    if (const auto *Method = dyn_cast<CXXMethodDecl>(F);
        Method && Method->isVirtual() && !Method->hasAttr<FinalAttr>() &&
        !Method->getParent()->isEffectivelyFinal()) {
      if (Object)
        Object->isGLValue() ? evaluated(Object, ReadWrite)
                            : throughPointer(Object, ReadWrite);
      unknownArguments(Args, F);
      return event(EventKind::UnknownCall, C,
                   "the virtual function '" + F->getNameAsString() + "'");
    }
  }
  if (const auto *M = dyn_cast<CXXMethodDecl>(F);
      M && isa<CXXOperatorCallExpr>(C)) {
    // a = b on trivially copyable classes is an assignment like any other
    if (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator())
      if (M->isTrivial() || M->isDefaulted() || !M->hasBody() ||
          copiesBits(M->getParent())) {
        Args[1]->isGLValue() ? access(Args[1], Read) : value(Args[1]);
        return access(Args[0], Write);
      }
    // Other member operators read the object, and write it unless const.
    // A closure's own state changes only where it is mutable.
    if (Args[0]->isGLValue() && !(M->getParent()->isLambda() && M->isConst()))
      access(Args[0], M->isConst() ? Read : ReadWrite);
    Args.erase(Args.begin());
  } else if (const auto *Method = dyn_cast<CXXMethodDecl>(F);
             Method && !Method->isStatic() &&
             !isa<CXXConversionDecl>(Method)) {
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(C))
      if (const Expr *Object = Call->getImplicitObjectArgument())
        if (Object->isGLValue())
          evaluated(Object, Method->isConst() ? Read : ReadWrite);
  }
  auto EvaluateAll = [&] {
    for (const Expr *A : Args)
      A->isGLValue() ? access(A, Read) : value(A);
  };
  switch (classifyCall(F)) {
  case CallKind::Pure:
    // References are to values here; nothing is written through them.
    return EvaluateAll();
  case CallKind::Assertion:
    EvaluateAll();
    return event(EventKind::Assertion, C);
  case CallKind::ReadOnlyLoad:
    for (unsigned I = 1; I < Args.size(); ++I)
      value(Args[I]);
    return throughPointer(Args[0], Read, true);
  case CallKind::CachedStore:
    for (unsigned I = 1; I < Args.size(); ++I)
      Args[I]->isGLValue() ? access(Args[I], Read) : value(Args[I]);
    return throughPointer(Args[0], Write);
  case CallKind::CachedLoad:
  case CallKind::VolatileLoad:
    throughPointer(Args[0], Read);
    if (classifyCall(F) == CallKind::VolatileLoad)
      Out.Memory.back().Volatile = true;
    return;
  case CallKind::Atomic:
    for (unsigned I = 1; I < Args.size(); ++I)
      Args[I]->getType()->isPointerType() ? throughPointer(Args[I], ReadWrite)
                                          : value(Args[I]);
    if (!Args.empty() && Args[0]->getType()->isPointerType())
      throughPointer(Args[0], ReadWrite, false, true);
    return;
  case CallKind::BlockBarrier:
    EvaluateAll();
    return event(EventKind::BlockBarrier, C, F->getName());
  case CallKind::ValueBarrier:
    EvaluateAll();
    return event(EventKind::ValueBarrier, C, F->getName());
  case CallKind::NamedBarrier:
    EvaluateAll();
    return event(EventKind::NamedBarrier, C, F->getName());
  case CallKind::WarpSync:
    EvaluateAll();
    return event(EventKind::WarpSync, C, F->getName());
  case CallKind::Fence:
    return event(EventKind::Fence, C, F->getName());
  case CallKind::GridSync:
    return event(EventKind::GridSync, C, F->getName());
  case CallKind::AsyncCopy:
    for (const Expr *A : Args)
      if (A->getType()->isPointerType())
        throughPointer(A, A->getType()->getPointeeType().isConstQualified()
                              ? Read
                              : Write);
      else
        A->isGLValue() ? address(A) : value(A);
    return event(EventKind::AsyncCopy, C, F->getName());
  case CallKind::KpipePrimitive:
    unknownArguments(Args, F);
    return event(EventKind::KpipePrimitive, C, F->getName());
  case CallKind::Output:
    unknownArguments(Args, F);
    return event(EventKind::Output, C, F->getName());
  case CallKind::WmmaLoad:
    for (unsigned I = 2; I < Args.size(); ++I)
      value(Args[I]);
    throughPointer(Args[1], Read);
    return Args[0]->isGLValue() ? access(Args[0], Write)
                                : throughPointer(Args[0], Write);
  case CallKind::WmmaStore:
    for (unsigned I = 2; I < Args.size(); ++I)
      value(Args[I]);
    Args[1]->isGLValue() ? access(Args[1], Read)
                         : throughPointer(Args[1], Read);
    return throughPointer(Args[0], Write);
  case CallKind::WmmaCompute:
    for (unsigned I = 1; I < Args.size(); ++I)
      if (Args[I]->isGLValue())
        access(Args[I], Read);
      else if (Args[I]->getType()->isPointerType())
        throughPointer(Args[I], Read);
      else
        value(Args[I]);
    return Args[0]->isGLValue() ? access(Args[0], Write)
                                : throughPointer(Args[0], Write);
  case CallKind::Ordinary:
    return enter(F, Args, C);
  }
}

void Collector::assembly(const GCCAsmStmt *A) {
  for (unsigned I = 0; I != A->getNumInputs(); ++I)
    value(A->getInputExpr(I));
  for (unsigned I = 0; I != A->getNumOutputs(); ++I)
    access(A->getOutputExpr(I),
           llvm::StringRef(A->getOutputConstraint(I)).starts_with("+")
               ? ReadWrite
               : Write);
  AsmEffect E = classifyAsm(A->getAsmString());
  auto Touch = [&](Space Where, bool Write, bool ReadOnly = false) {
    MemoryAccess M;
    M.Root.Where = Where;
    M.Write = Write;
    M.ReadOnly = ReadOnly;
    M.At = OuterCall;
    if (!M.At && A->getNumInputs()) // a place for messages
      M.At = A->getInputExpr(0);
    Out.Memory.push_back(M);
  };
  if (E.ReadsShared)
    Touch(Space::Shared, false);
  if (E.ReadsGlobal)
    Touch(Space::Global, false, E.OnlyReadOnly);
  if (E.WritesShared)
    Touch(Space::Shared, true);
  if (E.WritesGlobal)
    Touch(Space::Global, true);
  switch (E.Kind) {
  case CallKind::Pure:
    return;
  case CallKind::BlockBarrier:
    return event(EventKind::BlockBarrier, A, E.Opcode);
  case CallKind::NamedBarrier:
    return event(EventKind::NamedBarrier, A, E.Opcode);
  case CallKind::Fence:
    return event(EventKind::Fence, A, E.Opcode);
  case CallKind::AsyncCopy:
    return event(EventKind::AsyncCopy, A, E.Opcode);
  case CallKind::GridSync:
    return event(EventKind::GridSync, A, E.Opcode);
  case CallKind::WarpSync:
    return event(EventKind::WarpSync, A, E.Opcode);
  case CallKind::Atomic:
    return Touch(Space::Unknown, true);
  case CallKind::Assertion:
    return event(EventKind::Assertion, A, E.Opcode);
  default:
    return event(EventKind::UnknownAsm, A, E.Opcode);
  }
}

void Collector::stmt(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    return value(E);
  switch (S->getStmtClass()) {
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls()) {
      if (D->isInvalidDecl())
        event(EventKind::Invalid, S);
      const auto *V = dyn_cast<VarDecl>(D);
      if (!V || V->hasAttr<CUDASharedAttr>())
        continue;
      if (const Expr *Init = V->getInit())
        V->getType()->isReferenceType() && Init->isGLValue() ? address(Init)
                                                             : value(Init);
      Out.Declared.insert(V);
      writeVar(V, true);
      // It runs at the end of the scope, which moves with the declaration.
      if (V->needsDestruction(In->context()) ==
          QualType::DK_cxx_destructor)
        event(EventKind::UnknownCall, S, "a destructor");
    }
    return;
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(S)->body())
      stmt(Child);
    return;
  case Stmt::AttributedStmtClass:
    return stmt(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::IfStmtClass: {
    const auto *I = cast<IfStmt>(S);
    stmt(I->getInit());
    stmt(I->getConditionVariableDeclStmt());
    value(I->getCond());
    if (I->isConstexpr()) {
      if (auto Taken = I->getNondiscardedCase(In->context()))
        return *Taken ? stmt(*Taken) : void();
    }
    return branch([&] { stmt(I->getThen()); }, [&] { stmt(I->getElse()); });
  }
  case Stmt::ForStmtClass: {
    const auto *F = cast<ForStmt>(S);
    stmt(F->getInit());
    if (F->getCond())
      value(F->getCond());
    ++Breakable, ++Continuable;
    maybe([&] {
      stmt(F->getBody());
      if (F->getInc())
        value(F->getInc());
    });
    --Breakable, --Continuable;
    return;
  }
  case Stmt::WhileStmtClass: {
    const auto *W = cast<WhileStmt>(S);
    stmt(W->getConditionVariableDeclStmt());
    value(W->getCond());
    ++Breakable, ++Continuable;
    maybe([&] { stmt(W->getBody()); });
    --Breakable, --Continuable;
    return;
  }
  case Stmt::DoStmtClass: {
    const auto *D = cast<DoStmt>(S);
    ++Breakable, ++Continuable;
    // A break in it may skip what follows, as in a loop that never runs.
    maybe([&] { stmt(D->getBody()); });
    --Breakable, --Continuable;
    return value(D->getCond());
  }
  case Stmt::CXXForRangeStmtClass: {
    const auto *F = cast<CXXForRangeStmt>(S);
    for (const Stmt *Part : {F->getInit(),
                             static_cast<const Stmt *>(F->getRangeStmt()),
                             static_cast<const Stmt *>(F->getBeginStmt()),
                             static_cast<const Stmt *>(F->getEndStmt())})
      stmt(Part);
    value(F->getCond());
    ++Breakable, ++Continuable;
    maybe([&] {
      stmt(F->getLoopVarStmt());
      stmt(F->getBody());
      value(F->getInc());
    });
    --Breakable, --Continuable;
    return;
  }
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
  default:
    for (const Stmt *Child : S->children())
      stmt(Child);
  }
}

} // namespace

Effects effectsOf(const Stmt *S, const Scope &In) {
  Effects Out;
  Collector C(In, Out);
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
