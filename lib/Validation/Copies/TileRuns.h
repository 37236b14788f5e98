// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of both texts in a few tiles of a problem: what it copies, and
// what it has the copy engine bring. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_TILERUNS_H
#define KPIPE_LIB_VALIDATION_TILERUNS_H

#include "TmaCode.h"
#include "Validation/Interpreter/ThreadRun.h"
#include "WordsStored.h"
#include <array>
#include <map>

namespace kpipe {

constexpr unsigned TmaTiles = 2, StepsOfTiles = 80000000;
constexpr int64_t BytesOfPiece = 16;

/// 16 bytes: of which parameter's memory, from which byte on.
struct PieceSource {
  unsigned Base = 0;
  int64_t Number = 0;
  bool operator==(const PieceSource &O) const {
    return Base == O.Base && Number == O.Number;
  }
};
/// By array and byte.
using PiecesOf =
    std::map<std::pair<const clang::VarDecl *, int64_t>, PieceSource>;

/// What both texts are given alike.
class TileRun : public ThreadRun {
public:
  TileRun(const clang::ASTContext &Context, const clang::FunctionDecl *F,
          const clang::Stmt *Loop, llvm::DenseSet<const clang::Expr *> Watched);

  /// One thread in the tiles of one problem. False if nobody knows.
  bool follow(const Sample &S);
  std::optional<int64_t> numberOf(unsigned Parameter);

protected:
  const clang::FunctionDecl *const Function;
  const clang::ForStmt *const Loop;
  unsigned Number = 0, Tile = 0;
  /// Variables of the function that do not keep their value.
  llvm::DenseSet<const clang::VarDecl *> Changed;

  /// A statement directly in the loop.
  virtual bool special(const clang::Stmt *S, bool &Good) = 0;

  bool statement(const clang::Stmt *S);
  /// Runs S if it is one of the author's copies: each of its stores, with the
  /// place, is Copied. \returns whether it is one; Good is what came of it.
  bool authorsCopy(
      const clang::Stmt *S, llvm::ArrayRef<const clang::Stmt *> Copies,
      bool &Good,
      llvm::function_ref<bool(const clang::Expr *, const RunValue &)> Copied);
  /// Runs S if it is a wait, or the statement in which one thread expects bytes
  /// and has Copy bring them. \returns whether it is; Good: what came of it,
  /// and as many were expected as brought. Issues: this is the thread.
  bool enginesCopies(
      const clang::Stmt *S, llvm::ArrayRef<const clang::Stmt *> Waits,
      const clang::IfStmt *Issue, bool &Issues, bool &Good,
      llvm::function_ref<bool(const clang::CallExpr *, int64_t &)> Copy);
  /// The parameter with the pointer that a base is, by number.
  std::optional<unsigned> parameter(const clang::VarDecl *Base) const {
    const auto *P = llvm::dyn_cast_or_null<clang::ParmVarDecl>(Base);
    return P ? std::optional(P->getFunctionScopeIndex()) : std::nullopt;
  }

  std::optional<RunValue> given(const clang::VarDecl *V) override;
};

/// What a run of the author's copies watches.
llvm::DenseSet<const clang::Expr *> storesIn(const StoredBy &Stores);

/// The author's copies.
class ThreadsCopy final : public TileRun {
public:
  ThreadsCopy(const clang::ASTContext &Context, const clang::FunctionDecl *F,
              const TmaCode &Code, StoredBy Stores);
  std::array<PiecesOf, TmaTiles> Pieces;

private:
  const TmaCode &Code;
  const StoredBy Stores;

  bool special(const clang::Stmt *S, bool &Good) override;
  bool copied(const StoredParts &Parts, const RunValue &To);
};

/// A matrix of which it is known what its parameters are.
struct ChosenMatrix {
  const clang::ParmVarDecl *Map = nullptr;
  unsigned Base = 0, Rows = 0, Columns = 0;
  std::vector<std::pair<int64_t, std::vector<unsigned>>> Pitch;
};

template <typename NumberOf>
std::optional<int64_t> pitchOf(const ChosenMatrix &M, NumberOf Number) {
  int64_t Sum = 0;
  for (const auto &[Factor, Product] : M.Pitch) {
    int64_t Term = Factor;
    for (unsigned P : Product) {
      const std::optional<int64_t> N = Number(P);
      if (!N)
        return std::nullopt;
      Term *= *N;
    }
    Sum += Term;
  }
  return Sum;
}

/// The thread that issues, and what the copy engine makes of that.
class EngineCopies final : public TileRun {
public:
  EngineCopies(const clang::ASTContext &Context, const clang::FunctionDecl *G,
               const TmaCode &Code, llvm::ArrayRef<ChosenMatrix> Matrices)
      : TileRun(Context, G, Code.EngineLoop, {}), Code(Code),
        Matrices(Matrices) {}
  std::array<PiecesOf, TmaTiles> Pieces;
  bool Issues = false; ///< the thread that was followed last

private:
  const TmaCode &Code;
  const llvm::ArrayRef<ChosenMatrix> Matrices;

  bool special(const clang::Stmt *S, bool &Good) override;
  const ChosenMatrix *matrixOf(const clang::Expr *Map) const;
  bool box(const clang::CallExpr *C, int64_t &Brought);
  int64_t elementBytes(unsigned Parameter) const;
  bool fits(const RunValue &To, int64_t Bytes) const;
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TILERUNS_H
