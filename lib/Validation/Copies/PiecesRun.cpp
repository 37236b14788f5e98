// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PiecesRun.h.
#include "PiecesRun.h"
#include "AskedPointer.h"
#include "Code/AstUtils.h"
#include "Code/ThreadDependence.h"
#include "Validation/Interpreter/ThreadRun.h"
#include "Validation/Trees/VariableChanges.h"
#include "WordsStored.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned PieceSamples = 10, PieceTiles = 2, StepsOfPieces = 60000000;

class PiecesRun final : public ThreadRun {
public:
  PiecesRun(const ASTContext &Context, const FunctionDecl *F,
            const RemappedBranch &Branch, const Stmt *Loop, StoredBy Stores)
      : ThreadRun(Context, F, Loop, watched(Stores), StepsOfPieces),
        Branch(Branch), Loop(Loop), Stores(std::move(Stores)) {
    ThreadDependence Threads(F, nullptr);
    for (const DeclRefExpr *D : changesIn(F->getBody()).Found)
      if (Threads.dependent(D))
        Divided.insert(cast<VarDecl>(D->getDecl()));
  }

  /// One thread in the tiles of one problem. False if nobody knows.
  bool follow(const Sample &S, std::array<StoredWords, PieceTiles> &Pieces,
              std::array<StoredWords, PieceTiles> &Authors, bool &Holds) {
    begin(S);
    Number = S.Number;
    Holds = true;
    if (Branch.InFront && !asked(Holds))
      return false;
    const auto *For = dyn_cast<ForStmt>(Loop);
    auto Silent = [](const Expr *, const RunValue &) {};
    if (For && For->getInit() && !run(For->getInit(), Silent))
      return false;
    for (unsigned T = 0; T != PieceTiles && Holds; ++T) {
      if (!tile(Pieces[T], Authors[T], Holds))
        return false;
      if (For && For->getInc() && !run(For->getInc(), Silent))
        return false;
    }
    return true;
  }

private:
  const RemappedBranch &Branch;
  const Stmt *const Loop;
  const StoredBy Stores;
  /// Variables that threads may change apart from one another.
  llvm::DenseSet<const VarDecl *> Divided;
  unsigned Number = 0;

  static llvm::DenseSet<const Expr *> watched(const StoredBy &Stores) {
    llvm::DenseSet<const Expr *> All;
    for (const auto &[Store, Parts] : Stores)
      All.insert(Store);
    return All;
  }

  const Stmt *body() const {
    if (const auto *F = dyn_cast<ForStmt>(Loop))
      return F->getBody();
    if (const auto *W = dyn_cast<WhileStmt>(Loop))
      return W->getBody();
    return cast<DoStmt>(Loop)->getBody();
  }

  bool tile(StoredWords &Pieces, StoredWords &Authors, bool &Holds) {
    auto Silent = [](const Expr *, const RunValue &) {};
    for (const Stmt *S : body()->children()) {
      if (S == Branch.If) {
        if (!Branch.InFront && !asked(Holds))
          return false;
        if (Holds && (!words(Branch.If->getThen(), Pieces, true) ||
                      !words(Branch.If->getElse(), Authors, false)))
          return false;
      } else if (isa<DeclStmt, Expr>(S) && !mayStore(S)) {
        if (!run(S, Silent))
          return false;
      } else {
        forget(S);
      }
    }
    return true;
  }

  /// The condition: of pointers it is assumed, and noted.
  bool asked(bool &Holds) {
    llvm::SmallVector<const Expr *, 8> Left{Branch.Condition};
    while (!Left.empty()) {
      const Expr *E = Left.pop_back_val()->IgnoreParenImpCasts();
      const auto *B = dyn_cast<BinaryOperator>(E);
      if (B && B->getOpcode() == BO_LAnd) {
        Left.push_back(B->getLHS());
        Left.push_back(B->getRHS());
      } else if (const Expr *Pointer = askedPointer(E, Context)) {
        RunValue At = value(Pointer);
        if (!At.isAddress())
          return false;
        Holds &= At.Number % 16 == 0;
        AlignedBases.insert(At.Base);
      } else {
        std::optional<bool> True =
            condition(E, [](const Expr *, const RunValue &) {});
        if (!True || Invalid)
          return false;
        Holds &= *True;
      }
    }
    return true;
  }

  llvm::DenseSet<const VarDecl *> AlignedBases;

  bool words(const Stmt *S, StoredWords &To, bool Pieces) {
    bool Good = true;
    missedStores();
    const bool Ran = run(S, [&](const Expr *Store, const RunValue &Place) {
      const StoredParts &Parts = Stores.find(Store)->second;
      std::optional<WordSource> From = source(Parts.Value);
      if (!From || !Place.isAddress()) {
        Good = false;
        return;
      }
      if (Pieces)
        Good &= Place.Number % 16 == 0 &&
                Context.getDeclAlign(Place.Base).getQuantity() % 16 == 0 &&
                (!From->Base || (From->Number % 16 == 0 &&
                                 AlignedBases.count(From->Base)));
      for (unsigned B = 0; B != Parts.Bytes; B += 4) {
        WordSource Word = *From;
        if (Word.Base)
          Word.Number += B;
        Good &=
            To.try_emplace({Place.Base, Place.Number + B}, Word).second;
      }
    });
    return Ran && Good && !missedStores();
  }

  /// Where a stored value comes from.
  std::optional<WordSource> source(const Expr *E) {
    E = copiedFrom(E);
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      // condition() would end the run that reports this store.
      RunValue First = value(C->getCond());
      if (!First.isNumber())
        return std::nullopt;
      return source(First.Number ? C->getTrueExpr() : C->getFalseExpr());
    }
    if (isAllZero(E, Context))
      return WordSource{};
    RunValue At = E->isGLValue() ? place(E)
                  : isReadOnlyLoad(E)
                      ? value(cast<CallExpr>(E)->getArg(0))
                      : RunValue();
    if (!At.isAddress())
      return std::nullopt;
    return WordSource{At.Base, At.Number};
  }

  /// Lengths of matrices: whole tiles, pieces, and neither.
  std::optional<RunValue> given(const VarDecl *V) override {
    QualType T = V->getType();
    const bool Outside =
        isa<ParmVarDecl>(V) || V->hasAttr<CUDAConstantAttr>();
    // Wherever it was moved in front of the loop, it is a place of its own.
    if (isa<ParmVarDecl>(V) && T->isPointerType())
      return Divided.count(V) ? RunValue() : RunValue::addressOf(V);
    if (!Outside || !T->isIntegralOrEnumerationType())
      return std::nullopt;
    unsigned Key = 7;
    for (char C : V->getName())
      Key = Key * 31 + static_cast<unsigned char>(C);
    const int64_t Odd = 5 + 2 * (Key % 23);
    const bool Half = (Key >> 3 ^ Key) & 1;
    // The block's index is 0 in every third of them.
    const int64_t N = Number == 0   ? 1024
                      : Number == 1 ? 4 * Odd
                      : Number == 2 ? 64 + 4 * int64_t(Key % 5)
                      : Number == 3 ? 2 * Odd
                      : Number == 4 ? 32 + 2 * Odd
                      : Number == 5 ? (Half ? Odd : 4 * Odd)
                      : Number == 6 ? 16 + 4 * int64_t(Key % 3)
                      : Number == 7 ? 64 * (1 + int64_t(Key % 4))
                      : Number == 8 ? 100 + 4 * int64_t(Key % 31)
                                    : (Half ? 4 * Odd : Odd);
    return Numbers.fitted(RunValue::of(N, true), T);
  }
};

/// The loop whose body the branch stands in.
const Stmt *loopAround(const Stmt *Branch, const Stmt *Body) {
  const auto Path = pathTo(Branch, Body);
  if (Path.size() < 3 || !isa<CompoundStmt>(Path[Path.size() - 2]))
    return nullptr;
  const Stmt *Loop = Path[Path.size() - 3];
  return isa<ForStmt, WhileStmt, DoStmt>(Loop) ? Loop : nullptr;
}

} // namespace

bool bringTheSame(const ASTContext &Context, const FunctionDecl *F,
                  const RemappedBranch &Branch,
                  std::array<unsigned, 3> Block) {
  const Stmt *Loop = loopAround(Branch.If, F->getBody());
  std::optional<StoredBy> Stores = storesOf(Branch.If, Context);

  if (!Loop || !Stores || !changesNothing(Branch.Condition, Context))
    return false;
  PiecesRun Run(Context, F, Branch, Loop, std::move(*Stores));
  unsigned Compared = 0;
  for (unsigned N = 0; N != PieceSamples; ++N) {
    std::array<StoredWords, PieceTiles> Pieces, Authors;
    std::optional<bool> Holds;
    const unsigned Threads = Block[0] * Block[1] * Block[2];
    for (unsigned T = 0; T != Threads; ++T) {
      bool Here = true;
      if (!Run.follow({N,
                       Block,
                       {T % Block[0], T / Block[0] % Block[1],
                        T / Block[0] / Block[1]}},
                      Pieces, Authors, Here) ||
          Run.spent() || (Holds && *Holds != Here))
        return false;
      Holds = Here;
      if (!Here && T)
        break; // it is asked of all threads alike
    }
    if (!Holds.value_or(false))
      continue;
    ++Compared;
    if (Pieces != Authors || Pieces[0].empty())
      return false;
  }
  return Compared != 0;
}

} // namespace kpipe
