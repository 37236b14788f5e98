// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of the bytes between the beginning of a shared variable and a place in
// it, for every thread and every iteration. Follows pointers and references
// that are made once.
#ifndef KPIPE_CODE_SHAREDREACH_H
#define KPIPE_CODE_SHAREDREACH_H

#include "Ranges.h"

namespace kpipe {

class SharedReach {
public:
  using Bytes = std::optional<Range64>;

  /// \param Known what is known of all threads.
  /// \param Axes most threads of a block on each axis.
  SharedReach(const clang::VarDecl *Buffer, clang::ASTContext &Context,
              Values &Known, Extent3 Axes)
      : Buffer(Buffer), Context(Context), Known(Known),
        Bounds(Context, Known, Axes) {}

  /// The first byte of what an lvalue names, or of what a pointer points to.
  Bytes lvalue(const clang::Expr *E);
  Bytes pointer(const clang::Expr *E);
  std::optional<int64_t> sizeOf(clang::QualType T) const;

  /// The loops around what is asked about.
  void enter(const clang::ForStmt *Loop) {
    Loops.push_back(Loop);
    Bounds.setLoops(Loops);
  }
  void leave() {
    Loops.pop_back();
    Bounds.setLoops(Loops);
  }

private:
  const clang::VarDecl *Buffer;
  clang::ASTContext &Context;
  Values &Known;
  Ranges Bounds;
  llvm::SmallVector<const clang::ForStmt *, 4> Loops;
  unsigned Depth = 0;

  Bytes moved(const Bytes &From, const clang::Expr *By, clang::QualType Element,
              int Sign);
  Bytes variable(const clang::VarDecl *V);
};

} // namespace kpipe

#endif // KPIPE_CODE_SHAREDREACH_H
