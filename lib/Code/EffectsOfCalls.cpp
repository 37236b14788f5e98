// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of calls: of functions with a body, of those that are known by name,
// of all others, and of inline assembly.
#include "AstUtils.h"
#include "EffectCollector.h"
#include "InlineAssembly.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

void EffectCollector::construct(const CXXConstructExpr *C) {
  const CXXConstructorDecl *K = C->getConstructor();
  bool Copies = K->isTrivial() ||
                (K->isCopyOrMoveConstructor() && copiesBits(K->getParent()));
  if (Copies && C->getNumArgs() == 1) {
    const Expr *Arg = C->getArg(0);
    return Arg->isGLValue() ? access(Arg, Read) : value(Arg);
  }
  if (K->isTrivial())
    return;
  llvm::SmallVector<const Expr *, 4> Args(C->arguments());
  enter(K, Args, C);
}

void EffectCollector::unknownArguments(llvm::ArrayRef<const Expr *> Args,
                                       const FunctionDecl *F) {
  for (unsigned I = 0; I != Args.size(); ++I) {
    const Expr *Arg = Args[I];
    QualType T = F && I < F->getNumParams() ? F->getParamDecl(I)->getType()
                                            : Arg->getType();
    if (T->isPointerType() && Arg->getType()->isPointerType()) {
      throughPointer(Arg,
                     T->getPointeeType().isConstQualified() ? Read : ReadWrite);
    } else if (T->isReferenceType() && Arg->isGLValue()) {
      access(Arg, T->getPointeeType().isConstQualified() ? Read : ReadWrite);
    } else if (Arg->isGLValue()) {
      access(Arg, Read);
    } else {
      value(Arg);
    }
  }
}

static void dropLocalsOf(const FunctionDecl *F, VarSet &Names) {
  llvm::SmallVector<const VarDecl *, 8> Own;
  for (const VarDecl *V : Names)
    if (V->getDeclContext() == F)
      Own.push_back(V);
  for (const VarDecl *V : Own)
    Names.erase(V);
}

/// Evaluates the arguments, then walks the callee's body with them bound.
void EffectCollector::enter(const FunctionDecl *F,
                            llvm::ArrayRef<const Expr *> Args, const Expr *At,
                            const Expr *Object) {
  const FunctionDecl *Definition = nullptr;
  // A weak definition gives way to another unit's.
  if (!F || !F->hasBody(Definition) || In->contains(Definition) ||
      Definition->isWeak()) {
    if (Object) {
      const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
      Mode Access = M && M->isConst() ? Read : ReadWrite;
      Object->getType()->isPointerType()
          ? record(In->ofPointer(Object), Object, Access, false, false, false,
                   Object->getType()->getPointeeType().isVolatileQualified())
          : evaluated(Object, Access);
    }
    unknownArguments(Args, F);
    if (!F || !touchesOnlyArguments(F))
      Definition ? notEntered(At, Definition)
      : F        ? undefined(At, F)
                 : unknownCall(At, msg::unknown_callee);
    return;
  }
  for (unsigned I = 0; I != Args.size(); ++I) {
    bool ByReference =
        I < Definition->getNumParams() &&
        Definition->getParamDecl(I)->getType()->isReferenceType();
    if (ByReference && Args[I]->isGLValue())
      address(Args[I]);
    else if (Args[I]->isGLValue())
      access(Args[I], Read);
    else
      value(Args[I]);
  }
  Scope Callee(*In, Definition, Args, Object);
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
  bool EndsIn =
      Block && !Block->body_empty() && isa<ReturnStmt>(Block->body_back());
  // Nor is a variable that a closure has a copy of and may write.
  const auto *M = dyn_cast<CXXMethodDecl>(Definition);
  bool OwnCopies = M && M->getParent()->isLambda() && !M->isConst();
  if (Returns > (EndsIn ? 1 : 0) || OwnCopies)
    Assigned = std::move(AssignedBefore);
  // Each call has variables of its own, which end with it.
  for (VarSet *Names : {&Out.Reads, &Out.Writes, &Out.Exposed, &Out.Declared,
                        &Assigned})
    dropLocalsOf(Definition, *Names);
  // A return ends the callee, not the caller.
  llvm::erase_if(Out.Events, [&, I = size_t(0)](const Event &E) mutable {
    return I++ >= EventsBefore && E.Kind == EventKind::Return;
  });
  In = OuterIn;
  OuterCall = PreviousCall;
  Breakable = B;
  Continuable = C;
}

void EffectCollector::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  // `log2(WIDTH)` of a constexpr function is computed by the compiler.
  if (F && F->isConstexpr() && !C->isValueDependent() &&
      C->isEvaluatable(In->context()))
    return;
  llvm::SmallVector<const Expr *, 4> Args(C->arguments());
  if (!F) {
    const Expr *Callee = C->getCallee()->IgnoreParens();
    operand(Callee);
    if (const auto *B = dyn_cast<BinaryOperator>(Callee); B && B->isPtrMemOp())
      B->getLHS()->isGLValue() && B->getOpcode() == BO_PtrMemD
          ? evaluated(B->getLHS(), ReadWrite)
          : throughPointer(B->getLHS(), ReadWrite);
    unknownArguments(Args, nullptr);
    return unknownCall(C, msg::function_pointer);
  }
  // What a member function is called on, by pointer or as an object.
  const Expr *Object = nullptr;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C)) {
    Object = M->getImplicitObjectArgument();
  } else if (Method && isa<CXXOperatorCallExpr>(C)) {
    // a = b on trivially copyable classes is an assignment like any other
    if (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator())
      if (Method->isTrivial() || copiesBits(Method->getParent()) ||
          (!Method->hasBody() && isToolkits(Method->getParent()))) {
        Args[1]->isGLValue() ? access(Args[1], Read) : value(Args[1]);
        return access(Args[0], Write);
      }
    Object = Args[0];
    Args.erase(Args.begin());
  } else if (Method) {
    Object = calledOn(C); // a static one is called on nothing below
  }
  if (Object)
    operand(Object);
  if (Method && Method->isStatic())
    Object = nullptr;
  if (Method && Object && Method->isVirtual() &&
      !Method->hasAttr<FinalAttr>() &&
      !Method->getParent()->isEffectivelyFinal()) {
    Object->isGLValue()
        ? evaluated(Object, ReadWrite)
        : record(In->ofPointer(Object), Object, ReadWrite, false, false, false,
                 false);
    unknownArguments(Args, F);
    return unknownCall(C, {msg::virtual_callee, F->getNameAsString()});
  }
  // A destructor runs those of the members as well.
  if (isa<CXXDestructorDecl>(F))
    return unknownCall(C, msg::destructor);
  // The closure holds what it captured, whatever its body names.
  if (Method && Object && Method->getParent()->isLambda() &&
      Object->isGLValue())
    evaluated(Object, Method->isConst() ? Read : ReadWrite);
  known(C, F, Args, Object);
}

void EffectCollector::memoryFunction(CallKind Kind,
                                     llvm::ArrayRef<const Expr *> Args) {
  switch (Kind) {
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
    if (Kind == CallKind::VolatileLoad)
      Out.Memory.back().Volatile = true;
    return;
  case CallKind::Atomic:
    for (unsigned I = 1; I < Args.size(); ++I)
      Args[I]->getType()->isPointerType() ? throughPointer(Args[I], ReadWrite)
                                          : value(Args[I]);
    if (!Args.empty() && Args[0]->getType()->isPointerType())
      throughPointer(Args[0], ReadWrite, false, true);
    return;
  default:
    llvm_unreachable("not an access to memory");
  }
}

/// Fragments are read and written as a whole.
void EffectCollector::wmma(CallKind Kind, llvm::ArrayRef<const Expr *> Args) {
  switch (Kind) {
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
  default:
    llvm_unreachable("not a function of wmma");
  }
}

/// What a function does by its name, else by its body.
void EffectCollector::known(const CallExpr *C, const FunctionDecl *F,
                            llvm::ArrayRef<const Expr *> Args,
                            const Expr *Object) {
  auto EvaluateAll = [&] {
    for (const Expr *A : Args)
      A->isGLValue() ? access(A, Read) : value(A);
  };
  CallKind Kind = classifyCall(F);
  if (Object && Kind != CallKind::Ordinary && Object->isGLValue())
    evaluated(Object, cast<CXXMethodDecl>(F)->isConst() ? Read : ReadWrite);
  switch (Kind) {
  case CallKind::Unknown:
    unknownArguments(Args, F);
    return unknownCall(C, {msg::unsupported_callee, F->getNameAsString()});
  case CallKind::Pure:
    // References are to values here; nothing is written through them.
    EvaluateAll();
    if (isTextureFetch(F)) {
      MemoryAccess Texture;
      Texture.Root.Where = Space::Global;
      Texture.ReadOnly = true;
      Texture.At = C;
      Out.Memory.push_back(Texture);
    }
    return;
  case CallKind::Assertion:
    EvaluateAll();
    return event(EventKind::Assertion, C);
  case CallKind::ReadOnlyLoad:
  case CallKind::CachedStore:
  case CallKind::CachedLoad:
  case CallKind::VolatileLoad:
  case CallKind::Atomic:
    return memoryFunction(Kind, Args);
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
  case CallKind::WmmaStore:
  case CallKind::WmmaCompute:
    return wmma(Kind, Args);
  case CallKind::Ordinary:
    return enter(F, Args, C, Object);
  }
}

void EffectCollector::assembly(const GCCAsmStmt *A) {
  for (unsigned I = 0; I != A->getNumInputs(); ++I)
    value(A->getInputExpr(I));
  for (unsigned I = 0; I != A->getNumOutputs(); ++I)
    access(A->getOutputExpr(I),
           llvm::StringRef(A->getOutputConstraint(I)).starts_with("+")
               ? ReadWrite
               : Write);
  AsmEffect E = classifyAsm(A->getAsmString());
  if (A->isAsmGoto())
    event(EventKind::Goto, A);
  auto Touch = [&](Space Where, bool Write, bool ReadOnly = false,
                   bool Atomic = false) {
    MemoryAccess M;
    M.Root.Where = Where;
    M.Write = Write;
    M.ReadOnly = ReadOnly;
    M.Atomic = Atomic;
    M.At = OuterCall;
    if (!M.At && A->getNumInputs()) // a place for messages
      M.At = A->getInputExpr(0);
    Out.Memory.push_back(M);
  };
  // An address of any kind may be a local variable's as well.
  if (E.ReadsShared && E.ReadsGlobal)
    Touch(Space::Unknown, false, E.OnlyReadOnly);
  else if (E.ReadsShared)
    Touch(Space::Shared, false);
  else if (E.ReadsGlobal)
    Touch(Space::Global, false, E.OnlyReadOnly);
  if (E.WritesShared && E.WritesGlobal)
    Touch(Space::Unknown, true);
  else if (E.WritesShared)
    Touch(Space::Shared, true);
  else if (E.WritesGlobal)
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
    Touch(Space::Unknown, false, false, true);
    return Touch(Space::Unknown, true, false, true);
  case CallKind::Assertion:
    return event(EventKind::Assertion, A, E.Opcode);
  default:
    event(EventKind::UnknownAsm, A, E.Opcode);
    Out.Events.back().OnlyMatrix = E.OnlyMatrix;
  }
}

} // namespace kpipe
