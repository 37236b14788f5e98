// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where single bits of a staged array's address are asked for: what they decide
// is otherwise in another stage. See WordsOfAddresses.h.
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "WordsOfAddresses.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace kpipe {

/// Anything but sums, which move with the address.
static bool looksAtBits(const BinaryOperator *B) {
  return B->getLHS()->getType()->isIntegerType() &&
         B->getRHS()->getType()->isIntegerType() &&
         !llvm::is_contained({BO_Add, BO_Sub, BO_Assign, BO_AddAssign,
                              BO_SubAssign, BO_Comma, BO_LAnd, BO_LOr},
                             B->getOpcode());
}

static bool hasBitOpcode(llvm::StringRef Text) {
  static const llvm::Regex Opcode("(^|[[:space:];{])(and|or|xor|not|cnot|shl|"
                                  "shr|shf|lop3|bfe|bfi|prmt|brev|rem|div)\\.");
  return Opcode.match(withoutComments(Text));
}

const Stmt *WordsOfAddresses::bitsIn(const Stmt *S, const CallFrame &In) {
  if (!S)
    return nullptr;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && looksAtBits(B))
    for (const Expr *E : {B->getLHS(), B->getRHS()})
      if ((E->isGLValue() ? parts(E, In) : number(E, In)) != Share(0))
        return B;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S);
      A && A->getNumOutputs() && hasBitOpcode(A->getAsmString()) &&
      !assembly(A, In))
    return A;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    const auto Args = argumentsOf(C);
    const Expr *Object = objectOf(C);
    const bool Given =
        (Object && parts(Object, In) != Share(0)) ||
        llvm::any_of(Args, [&](const Expr *A) {
          return (A->isGLValue() ? parts(A, In) : number(A, In)) != Share(0);
        });
    if (Given && F && !F->isWeak() && F->hasBody(Body) && !In.calls(Body) &&
        !In.isTooDeep())
      if (const Stmt *Found =
              bitsIn(Body->getBody(), CallFrame{Body, &In, Args, Object,
                                                In.Index, In.Depth + 1}))
        return Found;
  }
  for (const Stmt *Kid : S->children())
    if (const Stmt *Found = bitsIn(Kid, In))
      return Found;
  return nullptr;
}

} // namespace kpipe
