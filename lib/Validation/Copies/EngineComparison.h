// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's tree of a kernel beside that of one whose tile the copy engine
// brings: what is alike in both, and what there is anew however it brings it.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_ENGINECOMPARISON_H
#define KPIPE_LIB_VALIDATION_ENGINECOMPARISON_H

#include "Validation/Trees/PairedNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// Does T call the primitive of that name?
bool callsPrimitive(const Tree &T, llvm::StringRef Name);

class EngineComparison : protected PairedNames {
protected:
  explicit EngineComparison(const clang::ASTContext &Context)
      : Context(Context) {}

  const clang::ASTContext &Context;
  unsigned Full = 0, Bit = 0; ///< variables of the new text's own

  /// The mbarrier, who initialises it, the block's barrier, a bit, in this
  /// order.
  bool isNew(const Tree &T, size_t Place);
  /// How many of these there are.
  size_t newInFront() const { return Bit ? 4 : 3; }
  /// One thread expects bytes, and has them copied by calls of Copy.
  bool isIssue(const Tree &T, llvm::StringRef Copy) const;
  bool isWait(const Tree &T) const;
  bool isFlip(const Tree &T) const;
  /// It does nothing but store, multiples of so many bytes.
  bool isCopy(const Tree &T, unsigned Multiple) const;

  static bool isNumber(const Tree &T, llvm::StringRef Value);
  static bool names(const Tree &T, unsigned Local);
  static bool isBarrier(const Tree &T);
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ENGINECOMPARISON_H
