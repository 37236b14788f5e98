// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TileRuns.h. The copy engine's pattern is that of the CUDA Programming
// Guide: of an address in a tile, bits 4 to 6 change with bits 7 to 9.
#include "TileRuns.h"
#include "Code/AstUtils.h"
#include "Validation/Trees/VariableChanges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

TileRun::TileRun(const ASTContext &Context, const FunctionDecl *F,
                 const Stmt *Loop, llvm::DenseSet<const Expr *> Watched)
    : ThreadRun(Context, F, Loop, std::move(Watched), StepsOfTiles),
      Function(F), Loop(cast<ForStmt>(Loop)) {
  for (const DeclRefExpr *D : changesIn(F->getBody()).Found)
    Changed.insert(cast<VarDecl>(D->getDecl()));
}

bool TileRun::follow(const Sample &S) {
  begin(S);
  Number = S.Number;
  auto Silent = [](const Expr *, const RunValue &) {};
  if (Loop->getInit() && !run(Loop->getInit(), Silent))
    return false;
  for (Tile = 0; Tile != TmaTiles; ++Tile) {
    for (const Stmt *One : Loop->getBody()->children())
      if (!statement(One))
        return false;
    if (Loop->getInc() && !run(Loop->getInc(), Silent))
      return false;
  }
  return true;
}

std::optional<int64_t> TileRun::numberOf(unsigned Parameter) {
  const RunValue V = variable(Function->getParamDecl(Parameter));
  return V.isNumber() ? std::optional(V.Number) : std::nullopt;
}

bool TileRun::statement(const Stmt *S) {
  bool Good = true;
  if (special(S, Good))
    return Good;
  auto Silent = [](const Expr *, const RunValue &) {};
  if (isa<DeclStmt>(S) && !mayStore(S))
    return run(S, Silent);
  forget(S);
  return true;
}

bool TileRun::authorsCopy(
    const Stmt *S, llvm::ArrayRef<const Stmt *> Copies, bool &Good,
    llvm::function_ref<bool(const Expr *, const RunValue &)> Copied) {
  while (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt();
  if (!llvm::is_contained(Copies, originOf(S)))
    return false;
  missedStores();
  bool All = true;
  Good = run(S, [&](const Expr *Store, const RunValue &Place) {
    All &= Copied(Store, Place);
  });
  Good = Good && All && !missedStores();
  return true;
}

std::optional<RunValue> TileRun::given(const VarDecl *V) {
  const QualType T = V->getType();
  if (T->isPointerType() && Changed.count(V))
    return RunValue();
  if (!isa<ParmVarDecl>(V)) {
    // Wherever the host's numbers lead, it is in the same matrix.
    if (!T->isPointerType() || !V->hasLocalStorage() || !V->getInit() ||
        !Context.getSourceManager().isBeforeInTranslationUnit(
            V->getLocation(), Loop->getBeginLoc()))
      return std::nullopt;
    const bool Was = std::exchange(LooksBack, true);
    const RunValue X = initialValue(V);
    LooksBack = Was;
    return X;
  }
  if (T->isPointerType())
    return RunValue::addressOf(V);
  if (!T->isIntegralOrEnumerationType())
    return std::nullopt;
  unsigned Key = 7;
  for (char C : V->getName())
    Key = Key * 31 + static_cast<unsigned char>(C);
  // Two of them agree in some samples at most.
  return Numbers.fitted(
      RunValue::of(64 + 8 * int64_t((Key >> Number) % (23 + 2 * Number)), true),
      T);
}

llvm::DenseSet<const Expr *> storesIn(const StoredBy &Stores) {
  llvm::DenseSet<const Expr *> All;
  for (const auto &[Store, Parts] : Stores)
    All.insert(Store);
  return All;
}

ThreadsCopy::ThreadsCopy(const ASTContext &Context, const FunctionDecl *F,
                         const TmaCode &Code, StoredBy Stores)
    : TileRun(Context, F, Code.AuthorLoop, storesIn(Stores)), Code(Code),
      Stores(std::move(Stores)) {}

bool ThreadsCopy::special(const Stmt *S, bool &Good) {
  return authorsCopy(S, Code.Copies, Good,
                     [&](const Expr *Store, const RunValue &Place) {
                       return copied(Stores.find(Store)->second, Place);
                     });
}

bool ThreadsCopy::copied(const StoredParts &Parts, const RunValue &To) {
  const Expr *E = Parts.Value->IgnoreParens();
  while (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() != CK_LValueToRValue && C->getCastKind() != CK_NoOp)
      return false;
    E = C->getSubExpr()->IgnoreParens();
  }
  if (const auto *K = dyn_cast<CXXConstructExpr>(E);
      K && K->getNumArgs() == 1 &&
      K->getConstructor()->isCopyOrMoveConstructor())
    E = K->getArg(0)->IgnoreParens();
  while (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() != CK_LValueToRValue && C->getCastKind() != CK_NoOp)
      break;
    E = C->getSubExpr()->IgnoreParens();
  }
  // Of 16 bytes, so that each is aligned to as many, or no program's.
  if (!E->isGLValue() || Parts.Bytes != BytesOfPiece ||
      Context.getTypeAlignInChars(E->getType()).getQuantity() < BytesOfPiece)
    return false;
  const RunValue From = place(E);
  if (!From.isAddress() || !To.isAddress())
    return false;
  const auto Base = parameter(From.Base);
  return Base && To.Number % BytesOfPiece == 0 &&
         Pieces[Tile]
             .try_emplace({To.Base, To.Number}, PieceSource{*Base, From.Number})
             .second;
}

bool TileRun::enginesCopies(
    const Stmt *S, llvm::ArrayRef<const Stmt *> Waits, const IfStmt *Issue,
    bool &Issues, bool &Good,
    llvm::function_ref<bool(const CallExpr *, int64_t &)> Copy) {
  S = originOf(S);
  if (llvm::is_contained(Waits, S))
    return true;
  if (S != Issue)
    return false;
  auto Holds =
      condition(Issue->getCond(), [](const Expr *, const RunValue &) {});
  Good = Holds.has_value();
  Issues = Holds.value_or(false);
  if (!Issues)
    return true;
  int64_t Expected = 0, Brought = 0;
  for (const Stmt *One : Issue->getThen()->children()) {
    const auto *C = cast<CallExpr>(originOf(One));
    if (C->getNumArgs() == 2) {
      const RunValue N = value(C->getArg(1));
      Good &= N.isNumber();
      Expected += N.Number;
    } else {
      Good &= Copy(C, Brought);
    }
  }
  Good &= Expected == Brought;
  return true;
}

bool EngineCopies::special(const Stmt *S, bool &Good) {
  return enginesCopies(
      S, Code.Waits, Code.Issue, Issues, Good,
      [this](const CallExpr *C, int64_t &Brought) { return box(C, Brought); });
}

const ChosenMatrix *EngineCopies::matrixOf(const Expr *Map) const {
  const auto *D = dyn_cast<DeclRefExpr>(Map->IgnoreParenImpCasts());
  for (const ChosenMatrix &M : Matrices)
    if (D && M.Map->getCanonicalDecl() == D->getDecl()->getCanonicalDecl())
      return &M;
  return nullptr;
}

bool EngineCopies::box(const CallExpr *C, int64_t &Brought) {
  const ChosenMatrix *M =
      C->getNumArgs() == 5 ? matrixOf(C->getArg(1)) : nullptr;
  if (!M)
    return false;
  const auto Pitch = pitchOf(*M, [&](unsigned P) { return numberOf(P); });
  const RunValue To = place(C->getArg(0)), Column = value(C->getArg(2)),
                 Row = value(C->getArg(3));
  const int64_t Element = elementBytes(M->Base), Width = Element * M->Columns,
                Lines = Width / BytesOfPiece;
  if (!Pitch || !To.isAddress() || !Column.isNumber() || !Row.isNumber() ||
      !Element || (Width != 64 && Width != 128) || M->Rows < 2)
    return false;
  // In front of the matrix it brings zeros; pieces of rows begin at multiples.
  if (Column.Number < 0 || Row.Number < 0 ||
      Column.Number * Element % BytesOfPiece || To.Number % 1024 ||
      !fits(To, Width * M->Rows))
    return false;
  for (int64_t R = 0; R != M->Rows; ++R)
    for (int64_t B = 0; B != Width; B += BytesOfPiece) {
      const int64_t At = To.Number + R * Width + B,
                    Place = At ^ ((At >> 7) & (Lines - 1)) << 4,
                    From =
                        ((Row.Number + R) * *Pitch + Column.Number) * Element +
                        B;
      if (!Pieces[Tile]
               .try_emplace({To.Base, Place}, PieceSource{M->Base, From})
               .second)
        return false;
    }
  Brought += Width * M->Rows;
  return true;
}

int64_t EngineCopies::elementBytes(unsigned Parameter) const {
  const QualType T = Function->getParamDecl(Parameter)->getType();
  return T->isPointerType() && hasSize(T->getPointeeType())
             ? Context.getTypeSizeInChars(T->getPointeeType()).getQuantity()
             : 0;
}

bool EngineCopies::fits(const RunValue &To, int64_t Bytes) const {
  return To.Number + Bytes <=
             Context.getTypeSizeInChars(To.Base->getType()).getQuantity() &&
         Context.getDeclAlign(To.Base).getQuantity() % 1024 == 0;
}

} // namespace kpipe
