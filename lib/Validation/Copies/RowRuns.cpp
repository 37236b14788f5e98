// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowRuns.h.
#include "RowRuns.h"
#include "AskedPointer.h"
#include "Code/AstUtils.h"
#include "Code/ThreadDependence.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

RowRun::RowRun(const ASTContext &Context, const FunctionDecl *F,
               const Stmt *Loop, llvm::DenseSet<const Expr *> Watched)
    : TileRun(Context, F, Loop, std::move(Watched)) {
  ThreadDependence Threads(F, nullptr);
  for (const DeclRefExpr *D : changesIn(F->getBody()).Found)
    if (Threads.dependent(D))
      Divided.insert(cast<VarDecl>(D->getDecl()));
}

std::string RowRun::nameOf(const VarDecl *V) const {
  const SourceManager &SM = Context.getSourceManager();
  return (V->getName() + ":" +
          llvm::Twine(SM.getExpansionLineNumber(V->getLocation())))
      .str();
}

bool RowRun::add(const RunValue &To, const RunValue &From, int64_t Bytes,
                 bool Aligned) {
  if (!To.isAddress() || !From.isAddress() || Bytes <= 0 ||
      !To.Base->hasAttr<CUDASharedAttr>() ||
      !To.Base->getType()->isConstantArrayType() || To.Number < 0 ||
      To.Number + Bytes >
          Context.getTypeSizeInChars(To.Base->getType()).getQuantity())
    return false;
  return Rows[Tile]
      .try_emplace({nameOf(To.Base), To.Number},
                   CopiedRow{nameOf(From.Base), From.Number, Bytes, Aligned})
      .second;
}

/// A pointer that all threads have alike is a place of its own, wherever it was
/// moved in front of the loop. Lengths are whole pieces, and not.
std::optional<RunValue> RowRun::given(const VarDecl *V) {
  const QualType T = V->getType();
  if (T->isPointerType() && !Divided.count(V) && V->hasLocalStorage()) {
    if (isa<ParmVarDecl>(V))
      return LooksBack && Changed.count(V) ? RunValue()
                                           : RunValue::addressOf(V);
    if (Context.getSourceManager().isBeforeInTranslationUnit(
            V->getLocation(), Loop->getBeginLoc()) &&
        !ThreadDependence(Function, nullptr).dependent(V->getInit()))
      return RunValue::addressOf(V);
  }
  if (!isa<ParmVarDecl>(V) || !T->isIntegralOrEnumerationType())
    return TileRun::given(V);
  unsigned Key = 7;
  for (char C : V->getName())
    Key = Key * 31 + static_cast<unsigned char>(C);
  const int64_t Whole = 64 + 64 * int64_t((Key >> Number % 8) % 7);
  constexpr int64_t Rest[] = {0, 16, 8, 4, 2, 1, 32};
  return Numbers.fitted(
      RunValue::of(Whole + (Number ? Rest[(Number + Key) % 7] : 0), true), T);
}

ThreadsRows::ThreadsRows(const ASTContext &Context, const FunctionDecl *F,
                         const BulkCode &Code, StoredBy Stores)
    : RowRun(Context, F, Code.AuthorLoop, storesIn(Stores)), Code(Code),
      Stores(std::move(Stores)) {}

bool ThreadsRows::special(const Stmt *S, bool &Good) {
  return authorsCopy(S, Code.Copies, Good,
                     [&](const Expr *Store, const RunValue &Place) {
                       return copied(Stores.find(Store)->second, Place);
                     });
}

bool ThreadsRows::copied(const StoredParts &Parts, const RunValue &To) {
  const Expr *E = copiedFrom(Parts.Value);
  const QualType T = E->getType();
  const bool Loads = !E->isGLValue() && isReadOnlyLoad(E);
  if ((!E->isGLValue() && !Loads) || !hasSize(T) ||
      Context.getTypeSizeInChars(T).getQuantity() != Parts.Bytes ||
      !T.isTriviallyCopyableType(Context))
    return false;
  const RunValue From = Loads ? value(cast<CallExpr>(E)->getArg(0)) : place(E);
  return add(To, From, Parts.Bytes,
             Parts.Bytes % PieceOfRow == 0 &&
                 Context.getTypeAlignInChars(T).getQuantity() >= PieceOfRow);
}

bool EngineRows::ask(const Sample &S, bool &Inits, bool &Holds) {
  begin(S);
  Number = S.Number;
  auto Silent = [](const Expr *, const RunValue &) {};
  const auto Init = condition(Code.Init->getCond(), Silent);
  Inits = Init.value_or(false);
  Holds = true;
  return Init && (!Code.Condition || asked(Holds)) && !Invalid;
}

/// Of pointers it is assumed, and noted.
bool EngineRows::asked(bool &Holds) {
  AlignedBases.clear();
  llvm::SmallVector<const Expr *, 8> Left{Code.Condition};
  while (!Left.empty()) {
    const Expr *E = Left.pop_back_val()->IgnoreParenImpCasts();
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (B && B->getOpcode() == BO_LAnd) {
      Left.push_back(B->getLHS());
      Left.push_back(B->getRHS());
    } else if (const Expr *Pointer = askedPointer(E, Context)) {
      const RunValue At = value(Pointer);
      if (!At.isAddress())
        return false;
      Holds &= At.Number % PieceOfRow == 0;
      AlignedBases.insert(nameOf(At.Base));
    } else {
      const auto True = condition(E, [](const Expr *, const RunValue &) {});
      if (!True)
        return false;
      Holds &= *True;
    }
  }
  return true;
}

bool EngineRows::special(const Stmt *S, bool &Good) {
  return enginesCopies(
      S, Code.Waits, Code.Issue, Issues, Good,
      [this](const CallExpr *C, int64_t &Brought) { return row(C, Brought); });
}

bool EngineRows::row(const CallExpr *C, int64_t &Brought) {
  if (C->getNumArgs() != 4)
    return false;
  const RunValue To = place(C->getArg(0)), From = value(C->getArg(1)),
                 Bytes = value(C->getArg(2));
  if (!Bytes.isNumber() || Bytes.Number % PieceOfRow || !To.isAddress() ||
      To.Number % PieceOfRow ||
      Context.getDeclAlign(To.Base).getQuantity() % PieceOfRow)
    return false;
  Brought += Bytes.Number;
  return add(To, From, Bytes.Number, false);
}

} // namespace kpipe
