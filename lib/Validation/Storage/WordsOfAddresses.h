// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are made of shared addresses: how often the address of a staged
// array is in them. One that has it once moves with the array from stage to
// stage; one in which it hangs on single bits means nothing in another stage.
// The validators' own answer, as a coefficient. Private to the validation.
#ifndef KPIPE_VALIDATION_WORDSOFADDRESSES_H
#define KPIPE_VALIDATION_WORDSOFADDRESSES_H

#include "StorageRoots.h"
#include "kpipe/TileLoop.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace kpipe {

class WordsOfAddresses {
public:
  /// \param In the loop's function. \param Loop what is not looked into; may be
  /// null.
  WordsOfAddresses(const StagedBuffer &B, const CallFrame &In,
                   const clang::Stmt *Loop)
      : Buffer(B), Outermost(In), Loop(Loop) {}

  /// How often the buffer's address is in what the variable holds when the loop
  /// begins, for a view of the buffer also later; nothing where that is no
  /// fixed number of times.
  std::optional<int> in(const clang::VarDecl *V) {
    return variable(V, Outermost);
  }

  /// Is every number with the buffer's address in it only added to, kept in
  /// local variables and given to assembly between brackets?
  bool areAddresses() {
    return areAddresses(Outermost.Function->getBody(), Outermost);
  }

  /// Does code ask for single bits of the address, itself or in a function that
  /// it calls? Returns where.
  const clang::Stmt *bitsIn(const clang::Stmt *Code) {
    return bitsIn(Code, Outermost);
  }

private:
  using Share = std::optional<int>;
  const StagedBuffer &Buffer;
  const CallFrame &Outermost;
  const clang::Stmt *Loop;
  llvm::DenseMap<const clang::VarDecl *, Share> Known;
  llvm::SmallVector<const clang::VarDecl *, 8> Open;

  Share variable(const clang::VarDecl *V, const CallFrame &In);
  Share given(const clang::VarDecl *V, const CallFrame &In);
  Share number(const clang::Expr *E, const CallFrame &In);
  Share pointer(const clang::Expr *E, const CallFrame &In);
  Share binary(const clang::BinaryOperator *B, const CallFrame &In);
  Share call(const clang::CallExpr *C, const CallFrame &In);
  Share assembly(const clang::GCCAsmStmt *A, const CallFrame &In);
  bool areAddresses(const clang::Stmt *S, const CallFrame &In);
  const clang::Stmt *bitsIn(const clang::Stmt *S, const CallFrame &In);
  bool isFine(const clang::Stmt *S, const clang::Expr *Part,
              const CallFrame &In);
  /// 0 if no part has the address in it.
  Share parts(const clang::Stmt *S, const CallFrame &In);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_WORDSOFADDRESSES_H
