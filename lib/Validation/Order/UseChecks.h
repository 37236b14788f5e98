// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan may not do with single accesses, whatever their order: read by
// cp.async what is not global, write a ring beside its copies, change a
// variable of which a part has its own.
#ifndef KPIPE_VALIDATION_USECHECKS_H
#define KPIPE_VALIDATION_USECHECKS_H

#include "LoopUses.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

class UseChecks {
public:
  explicit UseChecks(const LoopUses &Of)
      : Of(Of), Loop(Of.Loop), Plan(Of.Plan) {}

  /// Asynchronous copies read global memory only, and what is not shown to be
  /// global may be shared or the thread's own.
  std::optional<OrderViolation> checkSources() const;
  /// What is said to be apart from a tile is.
  std::optional<OrderViolation> checkApart() const;
  /// The ring holds tile by tile what the array held only as long as nothing
  /// but the copies writes it and nothing reads it before its tile is there.
  /// \param Again the loop may be entered more than once.
  std::optional<OrderViolation> checkStaged(bool Again) const;
  /// What the parts make of a variable of their own goes by name; another name
  /// would still mean the author's variable.
  std::optional<OrderViolation> checkLocals() const;

private:
  /// Every stage is aligned to what is accessed in it.
  std::optional<OrderViolation> checkAlignment() const;
  /// Where bits of an address decide something, stages have the same ones.
  std::optional<OrderViolation> checkBits() const;
  /// In the loop nothing but the names that have a stage reaches a ring, and
  /// such a name reaches nothing else.
  std::vector<const clang::DeclRefExpr *> movedNames() const;
  std::optional<OrderViolation> checkNames() const;
  std::optional<OrderViolation> checkNumber(const clang::DeclRefExpr *D,
                                            const clang::VarDecl *V) const;
  /// Variables of which that was asked.
  mutable llvm::SmallPtrSet<const clang::VarDecl *, 16> Checked;
  /// A structured binding that is made outside of the loop has no stage.
  std::optional<OrderViolation> checkBinding(const clang::DeclRefExpr *D) const;
  /// Names behind the loop mean the stage of the last tile, which is known, and
  /// which no other block reaches by the address of its own.
  std::optional<OrderViolation> checkAfter(bool Again) const;
  /// Does the compute region give the pointer a new value in each iteration,
  /// before it uses it, and does nothing else use it?
  bool isMadeByCompute(const clang::VarDecl *V) const;
  /// What the compute region stores may stay in its tile's stage.
  bool isRenewed(const Access &A) const;
  /// What is given for a parameter is as large as a stage, and its function
  /// does nothing else with it.
  std::optional<OrderViolation> checkGiven() const;

  const LoopUses &Of;
  const TileLoop &Loop;
  const PipelinePlan &Plan;

  /// Each part has variables of its own for those that the body declares: what
  /// one changes, the others do not see.
  std::optional<OrderViolation> checkDeclaredInBody() const;
  std::optional<OrderViolation> renamed(const clang::VarDecl *V) const;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_USECHECKS_H
