// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are a name for a copy or a wait: `cp_async16(to, from)`,
// `cp_async_wait<0>()`. Their bodies are read, and what they do to their
// parameters is done to the arguments.
#include "AsyncCalls.h"
#include "AstUtils.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Nothing but declarations and operations, one after the other.
bool isPlain(const FunctionDecl *F, const AsyncOps &Ops) {
  const auto *Body = dyn_cast<CompoundStmt>(F->getBody());
  return Body && llvm::all_of(Body->body(), [&](const Stmt *S) {
           if (const auto *R = dyn_cast<ReturnStmt>(S))
             return !R->getRetValue();
           return isa<DeclStmt>(S) || isa<NullStmt>(S) ||
                  llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
                    return Op.Statement == S;
                  });
         });
}

class Arguments {
public:
  explicit Arguments(const CallExpr *C) {
    llvm::append_range(Given, givenTo(C));
  }

  /// The argument that E is in the function: a parameter's name, also of a
  /// local that is nothing else, converted at most.
  const Expr *of(const Expr *E) const {
    for (unsigned Steps = 0; E && Steps != 8; ++Steps) {
      E = E->IgnoreParenCasts();
      if (const auto *C = dyn_cast<CallExpr>(E)) {
        const FunctionDecl *Callee = C->getDirectCallee();
        if (!Callee || !Callee->getIdentifier() || C->getNumArgs() != 1 ||
            Callee->getName() != "__cvta_generic_to_shared")
          return nullptr;
        E = C->getArg(0);
        continue;
      }
      const auto *D = dyn_cast<DeclRefExpr>(E);
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      if (const auto *P = dyn_cast_or_null<ParmVarDecl>(V)) {
        unsigned N = P->getFunctionScopeIndex();
        return N < Given.size() && !isa<CXXDefaultArgExpr>(Given[N])
                   ? Given[N]
                   : nullptr;
      }
      E = V ? V->getInit() : nullptr;
    }
    return nullptr;
  }

  /// The same where there is one; false if it is no argument's.
  bool replace(const Expr *&E) const { return !E || (E = of(E)); }

private:
  llvm::SmallVector<const Expr *, 8> Given;
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
  Arguments Given(C);
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
    if (Op.Kind == AsyncKind::Other || Op.Object || Op.Group ||
        Op.BytesGiven || !Given.replace(Op.To) || !Given.replace(Op.From) ||
        !Given.replace(Op.Kept) || !Given.replace(Op.Zeros) ||
        !Given.replace(Op.KeptIf) || !Given.replace(Op.Predicate))
      return {Unknown};
    All.push_back(Op);
  }
  return All;
}

} // namespace kpipe
