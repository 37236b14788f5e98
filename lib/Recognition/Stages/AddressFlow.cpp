// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AddressFlow.h. What an expression of an unknown kind is made of is what
// it has in it.

#include "AddressFlow.h"
#include "Code/AstUtils.h"
#include "Code/InlineAssembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace kpipe {

AddressFlow::AddressFlow(const Scope &In, const StagedBuffer &B, bool Apart)
    : In(&In), Context(In.context()), Buffer(B.Var), NumbersApart(Apart),
      Bits(std::make_shared<const Stmt *>(nullptr)),
      Known(std::make_shared<std::map<Question, Done, Before>>()) {
  if (Buffer->getType()->isPointerType())
    Held[Buffer] = Address;
  for (const VarDecl *V : B.Views)
    if (V->getType()->isReferenceType())
      Places.insert(V);
    else
      Held[V] = Address;
}

/// A closure's code has its maker's variables.
AddressFlow::AddressFlow(const AddressFlow &Caller, const FunctionDecl *Callee)
    : In(nullptr), Context(Caller.Context), Buffer(Caller.Buffer),
      NumbersApart(Caller.NumbersApart), Callee(Callee),
      Depth(Caller.Depth + 1), Held(Caller.Held), Places(Caller.Places),
      Bits(Caller.Bits), Known(Caller.Known) {}

void AddressFlow::run(llvm::ArrayRef<const Stmt *> Code) {
  do {
    Changed = false;
    for (const Stmt *S : Code)
      TraverseStmt(S);
  } while (Changed);
}

llvm::SmallVector<const VarDecl *, 8> AddressFlow::holders() const {
  llvm::SmallVector<const VarDecl *, 8> All;
  for (const auto &[V, What] : Held)
    if (What != Nothing && V != Buffer)
      All.push_back(V);
  llvm::sort(All, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation() < B->getLocation();
  });
  return All;
}

/// Wide enough and of the right kind for an address, also for the 32-bit ones
/// of shared memory. Asked where nothing else is known of what is stored.
bool AddressFlow::mayHold(QualType T) const {
  T = Context.getBaseElementType(T.getNonReferenceType());
  const auto *R = T->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition())
    return !(T->isVoidType() || T->isFloatingType() || T->isBooleanType() ||
             (T->isIntegerType() && Context.getTypeSize(T) < 32));
  return R->isLambda() || R->isUnion() ||
         llvm::any_of(R->fields(),
                      [&](const FieldDecl *F) {
                        return F->getType()->isReferenceType() ||
                               mayHold(F->getType());
                      }) ||
         llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &B) {
           return mayHold(B.getType());
         });
}

bool AddressFlow::isOwn(const VarDecl *V) const {
  return !Callee || Callee->Encloses(V->getDeclContext());
}

void AddressFlow::hold(const VarDecl *V, unsigned What) {
  if (!What || V == Buffer)
    return;
  unsigned &Has = Held[V];
  found((Has | What) != Has);
  Has |= What;
  if (!isOwn(V))
    found(Outer.insert(V).second);
}

void AddressFlow::found(bool Something) {
  if (!Something)
    return;
  Changed = true;
  Results.clear();
}

void AddressFlow::away(const Stmt *S) {
  if (!Away)
    Away = S;
}

const VarDecl *AddressFlow::storageOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
             A && A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      E = A->getBase();
    else
      break;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

void AddressFlow::store(const Expr *LValue, unsigned What) {
  if (!What)
    return;
  const VarDecl *V = storageOf(LValue);
  if (V && V->hasLocalStorage()) {
    hold(V, What);
    if (!V->getType()->isReferenceType())
      return;
  }
  if (!In)
    return away(LValue);
  for (const MemoryRoot &R : In->ofLValue(LValue))
    if (R.Where == Space::Local && R.Var)
      hold(R.Var, What);
    else
      away(LValue);
}

bool AddressFlow::VisitVarDecl(const VarDecl *V) {
  const Expr *Init = V->getInit();
  if (!Init)
    return true;
  if (!V->getType()->isReferenceType()) {
    hold(V, either(Init));
  } else {
    if (isPlace(Init))
      found(Places.insert(V).second);
    hold(V, content(Init));
  }
  return true;
}

bool AddressFlow::VisitCXXForRangeStmt(const CXXForRangeStmt *R) {
  const Expr *Range = R->getRangeInit();
  const VarDecl *V = R->getLoopVariable();
  if (!Range || !V)
    return true;
  const bool Parts = Range->isGLValue() && isPlace(Range);
  if (Parts && V->getType()->isReferenceType())
    found(Places.insert(V).second);
  // An object may have the address in it, and hand out pointers.
  hold(V, Range->isGLValue() ? content(Range) : value(Range));
  return true;
}

bool asksForBits(const BinaryOperator *B) {
  if (!B->getLHS()->getType()->isIntegerType())
    return false;
  return B->isComparisonOp() || B->isMultiplicativeOp() || B->isShiftOp() ||
         B->isBitwiseOp() || B->isShiftAssignOp() ||
         llvm::is_contained({BO_MulAssign, BO_DivAssign, BO_RemAssign,
                             BO_AndAssign, BO_XorAssign, BO_OrAssign},
                            B->getOpcode());
}

/// The distance of two addresses is the same in every stage.
bool AddressFlow::isDistance(const Expr *E) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenCasts());
  return B && B->getOpcode() == BO_Sub && either(B->getLHS()) & Address &&
         either(B->getRHS()) & Address;
}

bool AddressFlow::VisitBinaryOperator(const BinaryOperator *B) {
  if (!*Bits && asksForBits(B))
    for (const Expr *E : {B->getLHS(), B->getRHS()})
      if (either(E) & Address && !isDistance(E))
        *Bits = B;
  if (B->isAssignmentOp())
    store(B->getLHS(), either(B->getRHS()));
  return true;
}

bool AddressFlow::VisitReturnStmt(const ReturnStmt *R) {
  const Expr *E = R->getRetValue();
  if (!Callee || !E)
    return true;
  if (E->isGLValue() && isPlace(E))
    ReturnsPlace = true;
  Returned |= either(E);
  return true;
}

/// Is an operand named elsewhere than as an address, `[%4]`?
static bool isValueOperand(const std::string &Text, unsigned Operand) {
  const llvm::Regex Bare("(^|[^[])%" + std::to_string(Operand) + "([^0-9]|$)");
  return Bare.match(Text);
}

bool AddressFlow::VisitGCCAsmStmt(const GCCAsmStmt *A) {
  const std::string Text = A->getAsmString();
  const AsmEffect Effect = classifyAsm(Text);
  unsigned What = Nothing;
  bool Stores = false;
  for (unsigned I = 0; I != A->getNumInputs(); ++I)
    if (unsigned Has = either(A->getInputExpr(I))) {
      What |= Has;
      Stores |= isValueOperand(Text, A->getNumOutputs() + I);
    }
  // What is loaded from the address is a value, not an address.
  if (!What || Effect.ReadsShared || Effect.ReadsGlobal || Effect.OnlyMatrix)
    return true;
  static const llvm::Regex OfBits("(^|[^a-z0-9_.])(and|or|xor|not|shl|shr|lop3|"
                                  "shf|bfe|bfi|prmt|brev|rem|div)\\.");
  if (!*Bits && A->getNumOutputs() && OfBits.match(Text))
    *Bits = A;
  const bool Products = llvm::StringRef(Text).contains("mma");
  for (unsigned I = 0; I != A->getNumOutputs(); ++I)
    if (!Products || mayHold(A->getOutputExpr(I)->getType()))
      store(A->getOutputExpr(I), What);
  if (Stores && (Effect.WritesShared || Effect.WritesGlobal))
    away(A);
  return true;
}

/// Of a reference or a pointer that was made before the loop: what the variable
/// that it means holds.
unsigned AddressFlow::ofRoots(const Expr *LValue) {
  unsigned Has = Nothing;
  if (In)
    for (const MemoryRoot &R : In->ofLValue(LValue))
      if (R.Where == Space::Local && R.Var)
        Has |= Held.lookup(R.Var);
  return Has;
}

unsigned AddressFlow::pointee(const Expr *Pointer, const Expr *At) {
  return (either(Pointer) & Way ? Any : Nothing) | ofRoots(At);
}

/// Is an lvalue a part of the buffer, or reached through its address?
bool AddressFlow::isPlace(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl())) {
      const auto *Whole = dyn_cast<VarDecl>(B->getDecomposedDecl());
      return Whole && Places.count(Whole);
    }
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V &&
           ((V == Buffer && !V->getType()->isPointerType()) || Places.count(V));
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return either(A->getBase()) & Address;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() || !M->getBase()->isGLValue()
               ? either(M->getBase()) & Address
               : isPlace(M->getBase());
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref
               ? either(U->getSubExpr()) & Address
               : U->getSubExpr()->isGLValue() && isPlace(U->getSubExpr());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return resultOf(C).ReturnsPlace || (!C->getDirectCallee() && ofChildren(C));
  if (isa<LambdaExpr, StmtExpr>(E))
    return false;
  return llvm::any_of(E->children(), [&](const Stmt *Kid) {
    const auto *Part = dyn_cast_or_null<Expr>(Kid);
    return Part && Part->isGLValue() && isPlace(Part);
  });
}

/// What the object that a glvalue designates has in it. Elements of the buffer
/// have nothing.
unsigned AddressFlow::content(const Expr *E) {
  E = E->IgnoreParens();
  if (!E->isGLValue())
    return value(E);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      V = dyn_cast<VarDecl>(B->getDecomposedDecl());
    if (!V || V == Buffer)
      return V && V->getType()->isPointerType() ? Address : Nothing;
    return Held.lookup(V) |
           (V->getType()->isReferenceType() && !Places.count(V) ? ofRoots(E)
                                                                : Nothing);
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = A->getBase()->IgnoreParenImpCasts();
    return Base->getType()->isArrayType() ? content(Base)
                                          : pointee(A->getBase(), E);
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const unsigned Has =
        M->isArrow() ? pointee(M->getBase(), E) : either(M->getBase());
    // An object's numbers are not its pointers.
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (NumbersApart && F && F->getType()->isIntegerType() &&
        llvm::any_of(F->getParent()->fields(), [](const FieldDecl *Other) {
          return Other->getType()->isAnyPointerType();
        }))
      return Nothing;
    return F && !F->getParent()->isUnion() && !mayHold(F->getType()) ? Nothing
                                                                     : Has;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return pointee(U->getSubExpr(), E);
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return content(C->getTrueExpr()) | content(C->getFalseExpr());
  return value(E);
}

/// Of values what they have in them, of objects what they hold.
unsigned AddressFlow::either(const Expr *E) {
  return E->isGLValue() ? content(E) : value(E);
}

unsigned AddressFlow::ofChildren(const Stmt *S) {
  unsigned Has = Nothing;
  for (const Stmt *Kid : S->children())
    if (const auto *E = dyn_cast_or_null<Expr>(Kid))
      Has |= either(E);
    else if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Kid);
             Block && !Block->body_empty()) // ({ …; a; })
      if (const auto *Last = dyn_cast<Expr>(Block->body_back()))
        Has |= either(Last);
  return Has;
}

/// What a value has in it.
unsigned AddressFlow::value(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *F = dyn_cast<FullExpr>(E))
    return either(F->getSubExpr());
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Of = C->getSubExpr();
    switch (C->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return given(Of);
    case CK_PointerToBoolean:
    case CK_ToVoid:
      return Nothing;
    default:
      return either(Of);
    }
  }
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(E))
    return Nothing;
  if (isa<CXXThisExpr>(E))
    return This;
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf && U->getSubExpr()->isGLValue())
      return given(U->getSubExpr());
    return U->getOpcode() == UO_LNot ? unsigned(Nothing)
                                     : either(U->getSubExpr());
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isComparisonOp() || B->isLogicalOp())
      return Nothing;
    if (B->getOpcode() == BO_Comma || B->getOpcode() == BO_Assign)
      return either(B->getRHS());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return either(C->getTrueExpr()) | either(C->getFalseExpr());
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const Done D = resultOf(C);
    return D.Returned | (D.ReturnsPlace && !E->isGLValue() ? Address : Nothing);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    unsigned Has = Nothing;
    const bool Copies = C->getConstructor()->isCopyOrMoveConstructor();
    for (const Expr *A : C->arguments())
      Has |= Copies ? either(A) : given(A);
    return Has;
  }
  if (const auto *L = dyn_cast<LambdaExpr>(E)) {
    unsigned Has = Nothing;
    for (const Expr *Init : L->capture_inits())
      if (Init)
        Has |= given(Init);
    return Has;
  }
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    unsigned Has = Nothing;
    for (const Expr *Init : L->inits())
      Has |= Init->isGLValue() ? given(Init) : value(Init);
    return Has;
  }
  return ofChildren(E);
}

} // namespace kpipe
