// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of both texts in a few tiles of a problem: which bytes it copies,
// and which rows it has the copy engine bring. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_ROWRUNS_H
#define KPIPE_LIB_VALIDATION_ROWRUNS_H

#include "BulkCode.h"
#include "TileRuns.h"
#include <map>
#include <string>

namespace kpipe {

/// Bytes that stand together in both memories. Variables of both texts are told
/// by name and line, which both have alike.
struct CopiedRow {
  std::string From;
  int64_t Number = 0, Bytes = 0;
  /// The access itself says that its place is aligned to 16 bytes.
  bool Aligned = false;
};
using RowsOf = std::map<std::pair<std::string, int64_t>, CopiedRow>;

class RowRun : public TileRun {
public:
  RowRun(const clang::ASTContext &Context, const clang::FunctionDecl *F,
         const clang::Stmt *Loop, llvm::DenseSet<const clang::Expr *> Watched);
  std::array<RowsOf, TmaTiles> Rows;

protected:
  static constexpr int64_t PieceOfRow = 16;
  std::string nameOf(const clang::VarDecl *V) const;
  bool add(const RunValue &To, const RunValue &From, int64_t Bytes,
           bool Aligned);
  std::optional<RunValue> given(const clang::VarDecl *V) override;

private:
  /// Variables that threads may change apart from one another.
  llvm::DenseSet<const clang::VarDecl *> Divided;
};

/// The author's copies.
class ThreadsRows final : public RowRun {
public:
  ThreadsRows(const clang::ASTContext &Context, const clang::FunctionDecl *F,
              const BulkCode &Code, StoredBy Stores);

private:
  const BulkCode &Code;
  const StoredBy Stores;

  bool special(const clang::Stmt *S, bool &Good) override;
  bool copied(const StoredParts &Parts, const RunValue &To);
};

/// The thread that issues.
class EngineRows final : public RowRun {
public:
  EngineRows(const clang::ASTContext &Context, const clang::FunctionDecl *G,
             const BulkCode &Code)
      : RowRun(Context, G, Code.EngineLoop, {}), Code(Code) {}

  /// Before a thread is followed: does it initialise the mbarrier, and does
  /// what is asked hold? False if nobody knows.
  bool ask(const Sample &S, bool &Inits, bool &Holds);
  bool Issues = false; ///< the thread that was followed last
  /// Of pointers that were asked for, in the thread that was asked last.
  bool isAsked(llvm::StringRef Base) const {
    return AlignedBases.count(Base.str());
  }

private:
  const BulkCode &Code;
  std::set<std::string> AlignedBases;

  bool special(const clang::Stmt *S, bool &Good) override;
  bool row(const clang::CallExpr *C, int64_t &Brought);
  bool asked(bool &Holds);
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ROWRUNS_H
