// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of statements for one thread: arithmetic on data, and bytes that
// copies store. Knows no blocks; a count tells whether it asked for the thread.
#ifndef KPIPE_METRICS_TILEWORK_H
#define KPIPE_METRICS_TILEWORK_H

#include "Code/Values.h"
#include "DataFlow.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kpipe {

/// What is counted in one walk, for one thread.
struct Work {
  double Operations = 0;
  double Bytes = 0;

  void add(const Work &W, double Times = 1) {
    Operations += W.Operations * Times;
    Bytes += W.Bytes * Times;
  }
  bool operator==(const Work &W) const {
    return Operations == W.Operations && Bytes == W.Bytes;
  }
};

/// Values that a counted loop's variable takes.
struct Trips {
  const clang::VarDecl *Index = nullptr;
  llvm::SmallVector<int64_t, 16> Values;
};

/// Walks statements; one for all threads of a loop, as it keeps what is the
/// same for each.
class TileWork {
public:
  TileWork(const clang::ASTContext &Context, const DataFlow &Data,
           const llvm::DenseMap<const clang::Stmt *, unsigned> &Copies)
      : Context(Context), Data(Data), Copies(Copies), Known(Context) {}

  /// The work of the statements, or nothing if it cannot be told.
  std::optional<Work> count(llvm::ArrayRef<const clang::Stmt *> Items,
                            std::optional<Extent3> Block,
                            std::optional<Extent3> Thread);
  bool askedForThread() const { return Known.AskedForThread; }

private:
  const clang::ASTContext &Context;
  const DataFlow &Data;
  const llvm::DenseMap<const clang::Stmt *, unsigned> &Copies;
  Values Known;
  unsigned Calls = 0, Steps = 0;
  /// Work, and trips of loops, that are the same for every thread and every
  /// call.
  llvm::DenseMap<const clang::Stmt *, Work> SameWork;
  llvm::DenseMap<const clang::ForStmt *, Trips> SameTrips;
  /// A condition or header asked for a loop variable whose value is left open.
  bool NeedsIndex = false;
  std::optional<int64_t> value(const clang::Expr *E);
  bool walk(const clang::Stmt *S, Work &Sum);
  bool count(const clang::Stmt *S, Work &Sum);
  bool branch(const clang::IfStmt *I, Work &Sum);

  /// One of two, the larger one if the condition depends on more than is
  /// known: a full tile is what is asked about.
  bool either(const clang::Expr *Cond, const clang::Stmt *Then,
              const clang::Stmt *Else, Work &Sum);

  /// Would the condition have a value if the thread were known?
  bool onlyThread(const clang::Expr *Cond);
  bool loop(const clang::ForStmt *F, Work &Sum);

  /// Runs Find and tells whether what it found holds everywhere.
  template <typename T> bool holdsEverywhere(T Find) {
    bool Thread = Known.AskedForThread, Bound = Known.AskedForBound;
    Known.AskedForThread = Known.AskedForBound = false;
    bool Found = Find();
    bool Everywhere = Found && !Known.AskedForThread && !Known.AskedForBound;
    Known.AskedForThread |= Thread;
    Known.AskedForBound |= Bound;
    return Everywhere;
  }

  std::optional<Trips> trips(const clang::ForStmt *F);
  std::optional<Trips> findTrips(const clang::ForStmt *F);

  /// The value of a loop variable after its update.
  std::optional<int64_t> next(const clang::Expr *Update, int64_t At);
  bool expr(const clang::Expr *E, Work &Sum);
  void operation(const clang::BinaryOperator *B, Work &Sum) const;
  bool call(const clang::CallExpr *C, Work &Sum);
};

} // namespace kpipe

#endif // KPIPE_METRICS_TILEWORK_H
