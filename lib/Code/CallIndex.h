// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All calls of a translation unit, and what they do not show.
#ifndef KPIPE_CODE_CALLINDEX_H
#define KPIPE_CODE_CALLINDEX_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Calls of each function with a body in this translation unit: tells what the
/// pointer parameters of a `__device__` function can be.
using CallerMap = llvm::DenseMap<const clang::FunctionDecl *,
                                 llvm::SmallVector<const clang::CallExpr *, 2>>;

/// Every call expression of the unit, by callee, in source order; ones in
/// uninstantiated templates are left out. `CallerOf` maps each to the function
/// that it stands in.
struct CallIndex {
  CallerMap Calls;
  /// Functions that are named otherwise than to call them: not all of their
  /// calls are visible.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> AddressTaken;
  /// Are all calls of F, which is no kernel, among Calls?
  bool hasAll(const clang::FunctionDecl *F) const;
  /// Device code puts a pointer into an object of the unit that is no local
  /// pointer variable: what is loaded from memory need not be the host's.
  bool StoresPointers = false;
  llvm::DenseMap<const clang::CallExpr *, const clang::FunctionDecl *> CallerOf;
  /// The functions that name a reference member, which is done by everything
  /// but binding it. Null: it is named outside of functions.
  llvm::DenseMap<const clang::FieldDecl *,
                 llvm::SmallSetVector<const clang::FunctionDecl *, 4>>
      NamedIn;

  /// A variable that stands for a member of the object which the member function
  /// F is called on; the same one each time. isMember() tells it from others.
  const clang::VarDecl *memberOf(const clang::FunctionDecl *F,
                                 const clang::FieldDecl *Member) const;

private:
  mutable llvm::DenseMap<
      std::pair<const clang::FunctionDecl *, const clang::FieldDecl *>,
      const clang::VarDecl *>
      Members;
};

/// Does V stand for a member of `*this`? It has no declaration to be captured
/// or renamed.
inline bool isMember(const clang::VarDecl *V) {
  return llvm::isa<clang::ImplicitParamDecl>(V);
}

CallIndex indexCalls(clang::ASTContext &Context);

/// What runs a function, itself included.
struct Runners {
  std::vector<const clang::FunctionDecl *> Kernels;   ///< in source order
  std::vector<const clang::FunctionDecl *> Functions; ///< that are no kernels
  /// Nothing else does. Members and operators may be called in more ways.
  bool AreAll = true;

  /// They are all, and instances of one kernel.
  bool areOneKernel() const;
};
Runners runnersOf(const clang::FunctionDecl *F, const CallIndex &Calls);

/// Kernels from which F is reached, in source order; F itself if it is one.
std::vector<const clang::FunctionDecl *>
kernelsAround(const clang::FunctionDecl *F, const CallIndex &Calls);

} // namespace kpipe

#endif // KPIPE_CODE_CALLINDEX_H
