// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May a copy of a thread be in flight where a loop's turns begin? A loop whose
// turns begin and end with nothing in flight is one stage: what it copies it
// waits for. Data flow over Clang's control-flow graph.
#ifndef KPIPE_CODE_INFLIGHT_H
#define KPIPE_CODE_INFLIGHT_H

#include "AsyncOps.h"
#include "clang/Analysis/CFG.h"
#include <map>
#include <memory>

namespace kpipe {

/// What a thread may have started and not waited for, on one pipeline or
/// barrier, or on none.
struct Started {
  bool Copies = false;  ///< that no commit or arrival covers
  unsigned Groups = 0;  ///< committed; 2 stands for more
  bool Counted = false; ///< copies that an arrival covers
  bool Unknown = false; ///< something was done that is not understood
  bool clean() const { return !Copies && !Counted && !Groups && !Unknown; }
  bool join(const Started &O);
};

class InFlight {
public:
  /// \param Code where functions that Body calls are read.
  /// \param Depth of the calls that led to Body.
  /// \param Entry what the caller has in flight, on no pipeline.
  InFlight(const clang::FunctionDecl *Body, const AsyncOps &Ops,
           AsyncCode &Code, unsigned Depth = 0, const Started &Entry = {});

  /// Is nothing in flight whenever the loop's condition is asked? False where
  /// that is not known.
  bool isCleanAt(const clang::Stmt *Loop) const;

  /// Is nothing in flight where a call is made, or the function ends?
  bool isCleanBefore(const clang::CallExpr *C) const;
  bool isCleanAtEnd() const;

  /// How many groups a turn of the loop leaves in flight, 2 standing for more;
  /// 0 where it leaves none or that is not known.
  unsigned leftByTurns(const clang::Stmt *Loop) const;

private:
  /// By what counts the copies; null where the thread itself does.
  using State = std::map<std::pair<const clang::VarDecl *, unsigned>, Started>;
  AsyncCode &Code;
  unsigned Depth;
  std::unique_ptr<clang::CFG> Graph;
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const AsyncOp *, 2>> At;
  llvm::DenseMap<const clang::CFGBlock *, State> Before;

  State behind(const clang::CFGBlock *B,
               const clang::Stmt *Until = nullptr) const;
  void apply(const AsyncOp &Op, State &All) const;
  void apply(const AsyncOp &Op, Started &S) const;
  void helper(const clang::FunctionDecl *Body, Started &S) const;
  static bool isClean(const State &S);
  static bool join(State &Into, const State &From);
};

} // namespace kpipe

#endif // KPIPE_CODE_INFLIGHT_H
