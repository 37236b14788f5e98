// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the number back to the pointer, see BulkDestinations.h.
#include "BulkDestinations.h"
#include "Code/InlineAssembly.h"
#include "Code/UsesOfVariables.h"
#include "Validation/Trees/CudaDeclarations.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// `{ return e; }`
const Expr *onlyValue(const FunctionDecl *F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
  const auto *R = Body && Body->size() == 1
                      ? dyn_cast<ReturnStmt>(Body->body_front())
                      : nullptr;
  return R ? R->getRetValue() : nullptr;
}

/// What a number is the address of; empty where that cannot be told.
Storages storageOfNumber(const Expr *E, const CallFrame &In,
                         unsigned Steps = 0) {
  if (!E || Steps == 16)
    return {};
  E = E->IgnoreParens();
  if (E->getType()->isPointerType())
    return storageOfPointer(E, In);
  auto Further = [&](const Expr *Other, const CallFrame &There) {
    return storageOfNumber(Other, There, Steps + 1);
  };
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return Further(Full->getSubExpr(), In);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return Further(C->getSubExpr(), In);
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->getOpcode() != BO_Add && B->getOpcode() != BO_Sub)
      return {};
    Storages Left = Further(B->getLHS(), In), Right = Further(B->getRHS(), In);
    if (Left.empty() == Right.empty() ||
        (B->getOpcode() == BO_Sub && Left.empty()))
      return {};
    return Left.empty() ? Right : Left;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
    if (!F || isa<CXXMethodDecl>(F))
      return {};
    if (isCudas(F))
      return F->getIdentifier() && C->getNumArgs() == 1 &&
                     F->getName() == "__cvta_generic_to_shared"
                 ? storageOfPointer(C->getArg(0), In)
                 : Storages();
    if (!F->hasBody(Definition) || In.isTooDeep() || In.calls(Definition))
      return {};
    auto Args = argumentsOf(C);
    CallFrame Callee{Definition, &In, Args, nullptr, In.Index, In.Depth + 1};
    return Further(onlyValue(Definition), Callee);
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
      V->getDeclContext() != In.Function)
    return {};
  const UsesOfVariables Uses = usesIn(In.Function->getBody());
  if (Uses.Changes.count(V) || Uses.Handed.count(V))
    return {};
  const auto *P = dyn_cast<ParmVarDecl>(V);
  if (!P)
    return V->hasInit() ? Further(V->getInit(), In) : Storages();
  const unsigned N = P->getFunctionScopeIndex();
  return In.Caller && N < In.Arguments.size()
             ? Further(In.Arguments[N], *In.Caller)
             : Storages();
}

/// The `0` of `opcode [%0], …`: the instruction alone in its assembly.
std::optional<unsigned> firstOperand(llvm::StringRef Text) {
  Text = Text.trim(" \t\r\n;");
  if (Text.contains(';') || !Text.starts_with("cp.async.bulk."))
    return std::nullopt;
  Text = Text.drop_until([](char C) { return C == ' ' || C == '\t'; }).ltrim();
  unsigned N = 0;
  if (!Text.consume_front("[") || !(Text = Text.ltrim()).consume_front("%") ||
      Text.consumeInteger(10, N) || !Text.ltrim().starts_with("]"))
    return std::nullopt;
  return N;
}

} // namespace

Storages destinationOfBulk(const GCCAsmStmt *A, const CallFrame &In) {
  Storage Any;
  Any.Where = Storage::Kind::Shared;
  const auto N = firstOperand(withoutComments(A->getAsmString()));
  if (!N || A->getNumOutputs() || *N >= A->getNumInputs())
    return {Any};
  Storages All = storageOfNumber(A->getInputExpr(*N), In);
  const bool Known = !All.empty() && llvm::all_of(All, [](const Storage &S) {
    return S.Where == Storage::Kind::Shared && S.Var;
  });
  return Known ? All : Storages{Any};
}

} // namespace kpipe
