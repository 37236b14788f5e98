// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and constants, see ThreadMemory.h.

#include "ThreadMemory.h"
#include "Code/SpecialRegisters.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kpipe {

ThreadMemory::ThreadMemory(const ASTContext &Context,
                           const FunctionDecl *Function, const Stmt *Start)
    : Context(Context), Start(Start) {
  const SourceManager &SM = Context.getSourceManager();
  read(Function);
  for (const DeclRefExpr *D : changesIn(Function->getBody()).Found)
    if (SM.isBeforeInTranslationUnit(D->getLocation(), Start->getBeginLoc()))
      Unsteady.insert(cast<VarDecl>(D->getDecl()));
}

void ThreadMemory::read(const FunctionDecl *F) {
  if (!Functions.insert(F).second)
    return;
  VariableChanges All = changesIn(F->getBody());
  for (const DeclRefExpr *D : All.Found)
    if (!All.Written.count(D))
      Renamed.insert(cast<VarDecl>(D->getDecl()));
  Renamed.insert(All.Captured.begin(), All.Captured.end());
}

void ThreadMemory::areOwnNames(const FunctionDecl *F,
                               const llvm::DenseSet<const Expr *> &Mentions) {
  const VariableChanges All = changesIn(F->getBody());
  llvm::DenseSet<const VarDecl *> Others(All.Captured.begin(),
                                         All.Captured.end());
  for (const DeclRefExpr *D : All.Found)
    if (!All.Written.count(D) && !Mentions.count(D))
      Others.insert(cast<VarDecl>(D->getDecl()));
  for (const DeclRefExpr *D : All.Found)
    if (!Others.count(cast<VarDecl>(D->getDecl())))
      Renamed.erase(cast<VarDecl>(D->getDecl()));
}

void ThreadMemory::begin(const Sample &S) {
  Given = S;
  Invalid = false;
  Now.clear();
  Before.clear();
}

const llvm::SmallVectorImpl<const VarDecl *> &
ThreadMemory::changedBy(const Stmt *S) {
  auto [It, New] = Changed.try_emplace(S);
  if (New) {
    for (const DeclRefExpr *D : changesIn(S).Found)
      It->second.push_back(cast<VarDecl>(D->getDecl()));
  }
  return It->second;
}

void ThreadMemory::forget(const Stmt *S) {
  if (S && !LooksBack)
    for (const VarDecl *V : changedBy(S))
      Now[V] = {};
}

RunValue ThreadMemory::variable(const VarDecl *V) {
  if (!V->getType()->isReferenceType() && Renamed.count(V))
    return {};
  if (!LooksBack)
    if (auto It = Now.find(V); It != Now.end())
      return It->second;
  if (auto It = Before.find(V); It != Before.end())
    return It->second;
  RunValue X = cameWith(V);
  Before[V] = X;
  return X;
}

RunValue ThreadMemory::cameWith(const VarDecl *V) {
  QualType T = V->getType();
  if (std::optional<RunValue> X = given(V))
    return *X;
  if (!V->hasLocalStorage()) {
    if (T.isConstQualified() && V->getName() == "warpSize")
      return RunValue::of(32);
    return V->hasAttr<CUDAConstantAttr>() ? sampled(V->getName(), T)
                                          : RunValue();
  }
  const SourceManager &SM = Context.getSourceManager();
  if (Unsteady.count(V) ||
      !SM.isBeforeInTranslationUnit(V->getLocation(), Start->getBeginLoc()))
    return {};
  if (isa<ParmVarDecl>(V)) {
    if (T->isPointerType())
      return RunValue::addressOf(V);
    return T->isReferenceType() ? RunValue() : sampled(V->getName(), T);
  }
  if (!V->getInit())
    return {};
  const bool Was = LooksBack;
  LooksBack = true;
  RunValue X = initialValue(V);
  LooksBack = Was;
  // Parts of one block whose sizes the host decides do not overlap.
  if (X.isAddress() && X.Sampled)
    X = RunValue::addressOf(V);
  return X;
}

RunValue ThreadMemory::sampled(llvm::StringRef Name, QualType Type) const {
  if (!Type->isIntegralOrEnumerationType() || Type->isBooleanType())
    return {};
  unsigned Key = 7 * Given.Number;
  for (char C : Name)
    Key = Key * 31 + static_cast<unsigned char>(C);
  static constexpr int64_t Small[] = {1, 2, 3, 4, 8, 16, 17, 5};
  int64_t N = Given.Number == 0   ? 4096
              : Given.Number == 1 ? 64 * Small[Key % 8]
              : Given.Number == 2 ? Small[Key / 3 % 8]
                                  : 1000 + int64_t(Key % 97);
  return Numbers.fitted(RunValue::of(N, true), Type);
}

RunValue ThreadMemory::builtin(const PseudoObjectExpr *P) const {
  const auto R = specialRegister(P);
  if (!R)
    return {};
  switch (llvm::StringSwitch<int>(R->Vector->getName())
              .Case("threadIdx", 0)
              .Case("blockDim", 1)
              .Case("blockIdx", 2)
              .Case("gridDim", 3)
              .Default(4)) {
  case 0:
    return RunValue::of(Given.Thread[R->Axis]);
  case 1:
    return RunValue::of(Given.Block[R->Axis]);
  case 2:
    return RunValue::of(Given.Number % 3, true);
  case 3:
    return RunValue::of(8, true);
  default:
    return {};
  }
}

std::optional<int64_t> ThreadMemory::constant(const Expr *E) {
  auto [It, New] = Constants.try_emplace(E);
  if (New && !E->isValueDependent() &&
      E->getType()->isIntegralOrEnumerationType()) {
    Expr::EvalResult R;
    if (E->EvaluateAsInt(R, Context) &&
        R.Val.getInt().getSignificantBits() <= 64)
      It->second = R.Val.getInt().getExtValue();
  }
  return It->second;
}

} // namespace kpipe
