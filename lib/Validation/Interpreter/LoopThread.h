// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of a block on its way to a loop and through its tiles, in one of
// several runs of the loop. What changes between the runs has other values in
// each; what the host decides, and what memory holds that nobody writes, stays.
// Only those statements of the body are run that are asked for.
#ifndef KPIPE_VALIDATION_LOOPTHREAD_H
#define KPIPE_VALIDATION_LOOPTHREAD_H

#include "ThreadRun.h"
#include "WayToLoop.h"

namespace kpipe {

class LoopThread final : public ThreadRun {
public:
  /// \param Watched stores to report; \param Barriers: and barriers.
  LoopThread(const TileLoop &Loop, const clang::ASTContext &Context,
             llvm::DenseSet<const clang::Expr *> Watched, bool Barriers,
             unsigned MostSteps);

  enum class Course {
    Ends,     ///< it was seen to the end of the tiles that are asked for
    Absent,   ///< the thread does not reach the loop
    Broken,   ///< nobody knows how it goes on
    Senseless ///< the program has no meaning for these values
  };
  /// \param Report gets what is to be reported, before the loop (\param
  /// OnTheWay) and in it; \param EndOfTile whether it got all of a tile.
  Course follow(const WayToLoop &Way, const Sample &S, unsigned Run,
                unsigned MostTiles, Stored OnTheWay, Stored Report,
                llvm::function_ref<void(bool All)> EndOfTile);

  /// The thread came to the loop by conditions that are known, and what it
  /// passed on the way was all reported.
  bool isWayKnown() const { return WayKnown; }
  bool isBarrier(const clang::Stmt *S) const { return waits(S); }

private:
  const TileLoop &Loop;
  const bool Barriers;
  const WayToLoop *Way = nullptr;
  Sample Of;
  unsigned RunNumber = 0;
  bool WayKnown = false;
  /// Fields that the function may change.
  llvm::DenseSet<const clang::FieldDecl *> Changing;
  bool ObjectChanges = false; ///< the function's own object, by its functions

  Course enter(Stored Report);
  Course tiles(unsigned Most, Stored Report,
               llvm::function_ref<void(bool All)> EndOfTile);
  /// A value that the host may give, or that another run may have.
  RunValue chosen(llvm::StringRef Name, clang::QualType Type, bool ByRun) const;
  std::optional<RunValue> given(const clang::VarDecl *V) override;
  RunValue lookBack(const clang::Expr *E);
  /// What the call of the function gives, if that can be told.
  RunValue argument(const clang::ParmVarDecl *P);
  RunValue held(const clang::Expr *E) override;
  bool waits(const clang::Stmt *S) const override;
  RunValue memberOf(const clang::MemberExpr *M);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_LOOPTHREAD_H
