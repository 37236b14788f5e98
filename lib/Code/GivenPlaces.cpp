// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters, locals that hold one value, and members, see GivenPlaces.h.
#include "GivenPlaces.h"
#include "AstUtils.h"
#include "BulkPlaces.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace kpipe {

void GivenPlaces::enter(const CallExpr *C, const FunctionDecl *Body) {
  Frame Now;
  Now.In = Body;
  const auto *M = dyn_cast<CXXMethodDecl>(Body);
  if (M && !M->isStatic())
    if (const Expr *On = calledOn(C))
      Now.Object = resolve(On);
  auto Arguments = givenTo(C);
  for (unsigned I = 0; I != Body->getNumParams(); ++I)
    Now.Given[Body->getParamDecl(I)] =
        I < Arguments.size() &&
                !givesNewValue(Body->getBody(), Body->getParamDecl(I))
            ? resolve(Arguments[I])
            : nullptr;
  Frames.push_back(std::move(Now));
}

void GivenPlaces::enter(const FunctionDecl *Body) {
  Frame Now;
  Now.In = Body;
  Frames.push_back(std::move(Now));
}

/// The address that a call makes a number or a handle of; null for others.
const Expr *GivenPlaces::argumentOf(const Expr *E, unsigned Depth) const {
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Body = nullptr;
  if (!F || C->getNumArgs() != 1 || isa<CXXMethodDecl>(F))
    return nullptr;
  if (F->getIdentifier() &&
      (F->getName() == "__cvta_generic_to_shared" ||
       (F->getName() == "barrier_native_handle" && isToolkits(F))))
    return C->getArg(0);
  // A function of the author's that does no more than that.
  if (!F->hasBody(Body) || Depth > 6)
    return nullptr;
  const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
  if (!Block || Block->body_empty())
    return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Block->body_back());
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  Value = Value ? Value->IgnoreParenCasts() : nullptr;
  // `uint32_t address = ...; return address;`
  if (const auto *D = dyn_cast_or_null<DeclRefExpr>(Value);
      D && Block->size() == 2) {
    const auto *Named = dyn_cast<DeclStmt>(Block->body_front());
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!Named || !Named->isSingleDecl() || Named->getSingleDecl() != V ||
        !V->getInit())
      return nullptr;
    Value = V->getInit()->IgnoreParenCasts();
  } else if (Block->size() != 1) {
    return nullptr;
  }
  const auto *Inner = dyn_cast_or_null<CallExpr>(Value);
  const Expr *Of = Inner ? argumentOf(Inner, Depth + 1) : nullptr;
  if (!Of)
    return nullptr;
  Of = Of->IgnoreParenCasts();
  // Of a reference: the argument is the place, and so is its name here.
  if (const auto *U = dyn_cast<UnaryOperator>(Of);
      U && U->getOpcode() == UO_AddrOf &&
      Body->getParamDecl(0)->getType()->isReferenceType())
    Of = U->getSubExpr()->IgnoreParenCasts();
  const auto *D = dyn_cast<DeclRefExpr>(Of);
  return D && D->getDecl() == Body->getParamDecl(0) ? C->getArg(0) : nullptr;
}

/// A member that is all of its object: a class around one mbarrier.
const Expr *GivenPlaces::ofMember(const MemberExpr *M) const {
  const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
  if (!Field || !isa<CXXThisExpr>(M->getBase()->IgnoreParenCasts()) ||
      Frames.empty())
    return nullptr;
  const RecordDecl *Of = Field->getParent();
  if (Of->isInvalidDecl() || !Of->isCompleteDefinition() || Of->isUnion() ||
      !hasSize(Field->getType()) || !Frames.back().Object)
    return nullptr;
  // In the very class that the function is called on: bases have offsets.
  QualType Object = Frames.back().Object->getType();
  if (Object->isPointerType())
    Object = Object->getPointeeType();
  if (Object->getAsCXXRecordDecl() != Of)
    return nullptr;
  const bool Whole =
      Context.getTypeSizeInChars(Field->getType()) ==
          Context.getASTRecordLayout(Of).getSize() &&
      Context.getFieldOffset(Field) == 0;
  return Whole ? Frames.back().Object : nullptr;
}

/// One step outwards; Done: E is where it ends, null if it cannot be told.
const Expr *GivenPlaces::step(const Expr *E, bool &Done) const {
  if (const Expr *Of = argumentOf(E, 0))
    return Of;
  Done = true;
  if (Frames.empty())
    return E;
  const Frame &Now = Frames.back();
  if (isa<CXXThisExpr>(E))
    return Now.Object;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return ofMember(M);
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (V && isa<ParmVarDecl>(V))
    return Now.Given.lookup(V);
  // The address of what a reference was given for, or of a member.
  const auto *U = dyn_cast<UnaryOperator>(E);
  if (U && U->getOpcode() == UO_AddrOf) {
    const Expr *Sub = U->getSubExpr()->IgnoreParenCasts();
    const auto *Of = dyn_cast<DeclRefExpr>(Sub);
    if (isa<MemberExpr>(Sub) ||
        (Of && Of->getDecl()->getType()->isReferenceType())) {
      Done = false;
      return Sub;
    }
    return nullptr;
  }
  // `*this`
  if (U && U->getOpcode() == UO_Deref &&
      isa<CXXThisExpr>(U->getSubExpr()->IgnoreParenCasts()))
    return Now.Object;
  // Its own: what a lambda captures may be changed around it.
  if (V && V->hasLocalStorage() && V->getInit() &&
      V->getDeclContext() == Now.In &&
      !givesNewValue(Now.In->getBody(), V)) {
    Done = false;
    return V->getInit();
  }
  return constantValue(E, Context) ? E : nullptr;
}

const Expr *GivenPlaces::resolve(const Expr *E) const {
  for (unsigned Steps = 0; E && Steps != 16; ++Steps) {
    bool Done = false;
    E = step(E->IgnoreParenCasts(), Done);
    if (Done)
      return E;
  }
  return nullptr;
}

static const Expr *withoutParts(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      E = S->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else
      return E;
  }
}

const Expr *GivenPlaces::objectOf(const Expr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(withoutParts(E));
  if (Frames.empty() || !D)
    return D;
  const Expr *Of =
      Frames.back().Given.lookup(dyn_cast<VarDecl>(D->getDecl()));
  return Of ? dyn_cast<DeclRefExpr>(withoutParts(Of)) : nullptr;
}

} // namespace kpipe
