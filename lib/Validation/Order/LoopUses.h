// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every access of a tile loop, and which parts of a planned pipeline make it:
// the load that runs ahead, the half that stores, the compute.
#ifndef KPIPE_VALIDATION_LOOPUSES_H
#define KPIPE_VALIDATION_LOOPUSES_H

#include "Accesses.h"
#include "OrderViolation.h"
#include "StoreHalf.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <vector>

namespace kpipe {

/// An access of the loop, and the parts of the pipeline that make it.
struct Use {
  Access A;
  unsigned Item = 0;
  bool Load = false, Store = false, Compute = false;
  /// An asynchronous copy's write, which lands some time after its issue.
  bool Lands = false;
};

/// A statement directly in the loop's body.
struct UsedItem {
  const clang::Stmt *S = nullptr;
  bool Barrier = false, InLoad = false, InCompute = false;
  /// There is a way through it that passes no barrier.
  bool Through = true;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Mentioned;
};

class LoopUses {
public:
  LoopUses(const TileLoop &Loop, const PipelinePlan &Plan,
           const CodeIndex &Index);
  LoopUses(const LoopUses &) = delete; // frames point to it

  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const CodeIndex &Index;
  const bool Ring; ///< the staged arrays have several stages
  const ApartNames Apart;
  CallFrame In;
  std::vector<UsedItem> Items; ///< the header's conditions last
  std::vector<Use> Uses;
  StmtSet Moved; ///< every node of the body, which goes into the lambdas
  /// The first access of a load that holds a barrier.
  std::optional<Access> BarrierInLoad;

  bool same(const Storage &A, const Storage &B) const {
    return mayBeSame(A, B, Loop.Function, Index);
  }
  bool conflict(const Access &A, const Access &B) const {
    return (A.Write || B.Write) && same(A.Where, B.Where);
  }
  bool isHeader(const clang::VarDecl *V) const {
    return llvm::any_of(Loop.HeaderVars,
                        [&](const HeaderVar &H) { return H.Var == V; });
  }
  bool isPrivate(const clang::VarDecl *V) const {
    return llvm::is_contained(Loop.PrivateToLoad, V);
  }
  /// Do the calls of the function give V for the parameter that B is?
  static bool isGiven(const StagedBuffer &B, const clang::VarDecl *V) {
    return llvm::any_of(B.Given,
                        [&](const GivenArray &G) { return G.Array == V; });
  }
  bool isStaged(const Storage &P) const {
    return P.Where == Storage::Kind::Shared &&
           (!P.Var || llvm::any_of(Loop.Buffers, [&](const StagedBuffer &B) {
             return B.Var == P.Var || isGiven(B, P.Var) || (B.Block && P.Var->hasExternalStorage());
           }));
  }

  /// Not declared in the body or the header.
  bool outside(const clang::VarDecl *V) const {
    return !OwnLocals.count(V) && !isHeader(V);
  }

  /// Each part of the pipeline that mentions V writes it first: no value of it
  /// passes from one to another.
  bool writtenFirst(const clang::VarDecl *V) const;
  /// The same of an array, element by element.
  bool elementsFirst(const clang::VarDecl *V) const;
  OrderViolation violation(const Access &A, const Access &B,
                           Message What) const;

private:
  llvm::SmallPtrSet<const clang::VarDecl *, 8> OwnLocals; ///< of the body

  void addItem(const BodyItem &I);
  void collectItem(unsigned I, const StoreHalf &Half);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_LOOPUSES_H
