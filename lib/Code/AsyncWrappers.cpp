// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are a name for a copy or a wait: `cp_async16(to, from)`,
// `cp_async_wait<0>()`. Their bodies are read, and what they do to their
// parameters is done to the arguments.
#include "AstUtils.h"
#include "AsyncCalls.h"
#include "ComputesOnly.h"
#include "Conversions.h"
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

/// Nothing but declarations and operations, one after the other.
bool isPlain(const FunctionDecl *F, const AsyncOps &Ops) {
  const auto *Body = dyn_cast<CompoundStmt>(F->getBody());
  return Body && llvm::all_of(Body->body(), [&](const Stmt *S) {
           if (const auto *R = dyn_cast<ReturnStmt>(S))
             return !R->getRetValue();
           if (const auto *D = dyn_cast<DeclStmt>(S))
             return onlyNames(D);
           return isa<NullStmt>(S) ||
                  llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
                    return Op.Statement == S;
                  });
         });
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
        const FunctionDecl *Callee = C->getDirectCallee();
        if (!Callee || !Callee->getIdentifier() || C->getNumArgs() != 1 ||
            Callee->getName() != "__cvta_generic_to_shared")
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

  /// The same where there is one; false if it is no argument's.
  bool place(const Expr *&E) const { return !E || (E = of(E, true)); }
  bool truth(const Expr *&E) const { return !E || (E = of(E, false)); }

  /// Is each argument that does something evaluated once by what the call
  /// becomes, as it is by the call? \param All what the call does.
  bool areEvaluatedOnce(llvm::ArrayRef<AsyncOp> All) const {
    return llvm::all_of(Given, [&](const Expr *A) {
      if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(A))
        return computesOnly(Default->getExpr());
      if (computesOnly(A))
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

SomeOps opsOfWrapper(const CallExpr *C, AsyncCode &Code) {
  const FunctionDecl *F = C->getDirectCallee();
  const AsyncOps *Inside = F ? Code.of(F) : nullptr;
  if (!Inside || Inside->All.empty())
    return {};
  AsyncOp Unknown;
  Unknown.At = C;
  const FunctionDecl *Body = nullptr;
  F->hasBody(Body);
  if (isa<CXXMethodDecl>(Body) || !isPlain(Body, *Inside) ||
      changesNames(Body->getBody()))
    return {Unknown};
  Arguments Given(C, Code.Context);
  SomeOps All;
  for (AsyncOp Op : Inside->All) {
    Op.At = C;
    if (Op.Kept)
      readKept(Op, Op.Kept, /*OfZeros=*/false, Code.Context);
    else if (Op.Zeros)
      readKept(Op, Op.Zeros, /*OfZeros=*/true, Code.Context);
    if (Op.KeptIf)
      Op.Kept = Op.Zeros = nullptr;
    if (Op.Bytes)
      Op.BytesGiven = nullptr;
    if (Op.Kind == AsyncKind::Other || Op.Object || Op.Group || Op.BytesGiven ||
        !Given.place(Op.To) || !Given.place(Op.From) || !Given.truth(Op.Kept) ||
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
