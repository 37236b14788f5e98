// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are a name for a copy or a wait: `cp_async16(to, from)`,
// `cp_async_wait<0>()`. Their bodies are read, and what they do to their
// parameters is done to the arguments. Others load whole tiles, with loops and
// conditions: their operations are understood where they stand, or not at all.
#include "AstUtils.h"
#include "AsyncCalls.h"
#include "ComputesOnly.h"
#include "Conversions.h"
#include "GivenPlaces.h"
#include "GroupQueries.h"
#include "KnownFunctions.h"
#include "MbarrierOps.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Declares names for values, and does nothing on the way to them.
bool onlyNames(const DeclStmt *S) {
  return llvm::all_of(S->decls(), [](const Decl *D) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V)
      return true;
    return V->hasLocalStorage() &&
           (!V->getInit() || computesOnly(V->getInit()));
  });
}

/// Nothing but declarations and operations, one after the other. What a
/// constant decides is decided.
bool isPlain(const Stmt *S, const AsyncOps &Ops, const ASTContext &Context) {
  if (!S || isa<NullStmt>(S) || llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
        return Op.Statement == S;
      }))
    return true;
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return llvm::all_of(Block->body(), [&](const Stmt *One) {
      return isPlain(One, Ops, Context);
    });
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    auto Live = If->isConstexpr() && !If->getInit()
                    ? If->getNondiscardedCase(Context)
                    : std::nullopt;
    return Live && isPlain(*Live, Ops, Context);
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S))
    return !R->getRetValue() && isa<CompoundStmt>(Ops.parent(S)) &&
           !Ops.parent(Ops.parent(S));
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && onlyNames(D);
}

class Arguments {
public:
  Arguments(const CallExpr *C, const ASTContext &Context) : Context(Context) {
    llvm::append_range(Given, givenTo(C));
  }

  /// The argument that an address, or a number to be compared with 0, is in the
  /// function: a parameter's name, also of a local that is nothing else. What
  /// is converted on the way must stay what it was, as the argument's text
  /// stands without that.
  const Expr *of(const Expr *E, bool IsPlace) const {
    for (unsigned Steps = 0; E && Steps != 8; ++Steps) {
      E = without(E, IsPlace);
      const auto *C = dyn_cast_or_null<CallExpr>(E);
      if (C && IsPlace) {
        if (!isShared(C))
          return nullptr;
        E = C->getArg(0);
        continue;
      }
      const auto *D = dyn_cast_or_null<DeclRefExpr>(E);
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      if (const auto *P = dyn_cast_or_null<ParmVarDecl>(V)) {
        unsigned N = P->getFunctionScopeIndex();
        return N < Given.size() && !isa<CXXDefaultArgExpr>(Given[N]) &&
                       without(Given[N], IsPlace)
                   ? Given[N]
                   : nullptr;
      }
      // A variable of another type converts as well.
      if (V && !IsPlace && V->getInit() &&
          !Context.hasSameUnqualifiedType(V->getType(),
                                          V->getInit()->getType()))
        return nullptr;
      E = V ? V->getInit() : nullptr;
    }
    return nullptr;
  }

  /// A number of bytes, also where a local has it: what the function begins
  /// with it keeps, see changesNames().
  const Expr *bytes(const Expr *E) const {
    const auto *D =
        E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    const bool Same =
        V && V->isLocalVarDecl() && !V->isStaticLocal() && V->getInit() &&
        Context.hasSameUnqualifiedType(V->getType(), V->getInit()->getType());
    return Same ? V->getInit() : E;
  }

  /// Is a number of bytes that the function takes just what it was given?
  bool isSameNumber(const Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    const unsigned N = P ? P->getFunctionScopeIndex() : 0;
    if (!P || N >= Given.size() || !P->getType()->isIntegerType())
      return false;
    const Expr *A = Given[N]->IgnoreParenImpCasts();
    return A->getType()->isIntegerType() &&
           Context.getIntWidth(P->getType()) >= 32 &&
           Context.getIntWidth(A->getType()) <=
               Context.getIntWidth(P->getType());
  }

  /// The same where there is one; false if it is no argument's.
  bool place(const Expr *&E) const { return !E || (E = of(E, true)); }
  bool truth(const Expr *&E) const { return !E || (E = of(E, false)); }

  /// The pipeline or the barrier that a reference of the function's is.
  bool object(AsyncOp &Op) const {
    if (!Op.Object)
      return true;
    const auto *P = dyn_cast<ParmVarDecl>(Op.Object);
    const unsigned N = P ? P->getFunctionScopeIndex() : Given.size();
    std::optional<unsigned> Element;
    if (N >= Given.size() || !P->getType()->isReferenceType() || Op.Element ||
        Op.Parity)
      return false;
    Op.Object = namedBy(Given[N], Element, Context);
    Op.Element = Element.value_or(0);
    return Op.Object && Element;
  }

  /// The group that a parameter of the function's is, or a copy of it.
  bool group(const Expr *&Group) const {
    if (!Group)
      return true;
    const auto *D = dyn_cast<DeclRefExpr>(Group->IgnoreParenImpCasts());
    const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    const unsigned N = P ? P->getFunctionScopeIndex() : Given.size();
    if (N >= Given.size() || isa<CXXDefaultArgExpr>(Given[N]))
      return false;
    Group = withoutCopies(Given[N]);
    return isa<DeclRefExpr>(Group) || isa<CallExpr>(Group);
  }

  /// Is each argument that does something evaluated once by what the call
  /// becomes, as it is by the call? \param All what the call does.
  bool areEvaluatedOnce(llvm::ArrayRef<AsyncOp> All) const {
    return llvm::all_of(Given, [&](const Expr *A) {
      if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(A))
        return computesOnly(Default->getExpr());
      if (computesOnly(A) || isGroup(A))
        return true;
      if (All.size() != 1 || All[0].Kind != AsyncKind::Copy)
        return false;
      const AsyncOp &Op = All[0];
      const bool Always = !Op.Predicate && !Op.Kept && !Op.Zeros && !Op.KeptIf;
      return Always && (Op.To == A) != (Op.From == A);
    });
  }

private:
  const ASTContext &Context;
  llvm::SmallVector<const Expr *, 8> Given;

  /// A variable or `this_thread_block()`, whose copies are as good.
  static bool isGroup(const Expr *A) {
    const auto *R = A->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return R && isToolkits(R) && namesGroup(A);
  }

  /// `__cvta_generic_to_shared(p)`, or a function of the author's that returns
  /// that of its parameter.
  bool isShared(const CallExpr *C) const {
    const FunctionDecl *Callee = C->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || C->getNumArgs() != 1)
      return false;
    if (Callee->getName() == "__cvta_generic_to_shared")
      return true;
    // Where it is a class, a base of it may be meant inside.
    QualType To = Callee->getParamDecl(0)->getType();
    return To->isPointerType() && !To->getPointeeType()->isRecordType() &&
           GivenPlaces(Context).resolve(C) != C;
  }

  const Expr *without(const Expr *E, bool IsPlace) const {
    return IsPlace ? samePlace(E, Context) : sameTruth(E, Context);
  }
};

/// Is a parameter given other values in the function? Then what the body says
/// of it is not what the call says.
bool changesNames(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && updatedVariable(E))
    return true;
  const auto *B = dyn_cast<BinaryOperator>(S);
  if (B && B->isAssignmentOp())
    return true;
  return llvm::any_of(S->children(), changesNames);
}

} // namespace

static bool isInLoop(const Stmt *S, const AsyncOps &Ops) {
  for (const Stmt *Up = Ops.parent(S); Up; Up = Ops.parent(Up))
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Up))
      return true;
  return false;
}

static bool hasBlockBarrier(const Stmt *S) {
  return S && (isBlockBarrierCall(S) ||
               llvm::any_of(S->children(), hasBlockBarrier));
}

/// Does a function copy for its thread, and is all that it does so understood
/// in its own body? What waits in a loop is no load, but a tile loop, and what
/// meets the block is no part of one.
static bool isLoadHelper(const FunctionDecl *F, const AsyncOps &Ops) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (F->hasAttr<CUDAGlobalAttr>() || hasBlockBarrier(F->getBody()) ||
      (Method && (Method->isVirtual() || Method->getParent()->isLambda())))
    return false;
  return llvm::all_of(Ops.All, [&](const AsyncOp &Op) {
    switch (Op.Kind) {
    case AsyncKind::InHelper:
      return true;
    case AsyncKind::Copy:
    case AsyncKind::Commit:
      return Op.Statement && !Op.Object && !Op.Group;
    case AsyncKind::Wait:
    case AsyncKind::WaitAll:
      return Op.Statement && !Op.Object && !isInLoop(Op.At, Ops);
    default:
      return false;
    }
  });
}

SomeOps opsOfWrapper(const CallExpr *C, AsyncCode &Code) {
  const FunctionDecl *F = C->getDirectCallee();
  const AsyncOps *Inside = F ? Code.of(F) : nullptr;
  if (!Inside || Inside->All.empty())
    return {};
  const FunctionDecl *Body = nullptr;
  F->hasBody(Body);
  // Whose barrier it is only the caller knows.
  if (auto AtBarrier = opsAtMbarrier(C, Code.Context))
    return *AtBarrier;
  AsyncOp Unknown;
  Unknown.At = C;
  if (isLoadHelper(Body, *Inside)) {
    Unknown.Kind = AsyncKind::InHelper;
    Unknown.Helper = Body;
  }
  if (isa<CXXMethodDecl>(Body) ||
      !isPlain(Body->getBody(), *Inside, Code.Context) ||
      changesNames(Body->getBody()))
    return {Unknown};
  Arguments Given(C, Code.Context);
  SomeOps All;
  for (AsyncOp Op : Inside->All) {
    Op.At = C;
    if (Op.Kept)
      readKept(Op, Given.bytes(Op.Kept), /*OfZeros=*/false, Code.Context);
    else if (Op.Zeros)
      readKept(Op, Given.bytes(Op.Zeros), /*OfZeros=*/true, Code.Context);
    if (Op.KeptIf)
      Op.Kept = Op.Zeros = nullptr;
    if (const Expr *Part = Op.Kept ? Op.Kept : Op.Zeros)
      Op.OnlyTruth |= !Given.isSameNumber(Part);
    if (Op.Bytes)
      Op.BytesGiven = nullptr;
    if (Op.Kind == AsyncKind::Other || Op.Kind == AsyncKind::InHelper ||
        Op.Kind == AsyncKind::Quit || !Given.object(Op) ||
        !Given.group(Op.Group) || Op.BytesGiven || !Given.place(Op.To) ||
        !Given.place(Op.From) || !Given.truth(Op.Kept) ||
        !Given.truth(Op.Zeros) || !Given.truth(Op.KeptIf) ||
        !Given.truth(Op.Predicate))
      return {Unknown};
    All.push_back(Op);
  }
  if (!Given.areEvaluatedOnce(All))
    return {Unknown};
  return All;
}

} // namespace kpipe
