// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared addresses as numbers, as inline assembly wants them: which pointers
// they are, in the author's words.
#ifndef KPIPE_LOWERING_SHAREDNUMBERS_H
#define KPIPE_LOWERING_SHAREDNUMBERS_H

#include "Code/AsyncOps.h"
#include "Code/Values.h"
#include "Emission/SourceText.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <string>

namespace kpipe {

/// The text of a pointer, and what it points to.
struct PointerText {
  std::string Text;
  clang::QualType Pointee; ///< null: bytes, Text is a `char *`
};

class SharedNumbers {
public:
  /// \param Copies those whose operands are asked for.
  SharedNumbers(const SourceText &Source, const AsyncOps &Ops,
                const clang::FunctionDecl *Body,
                llvm::ArrayRef<const AsyncOp *> Copies)
      : Source(Source), Ops(Ops), Body(Body), Copies(Copies),
        Known(Source.context()) {}

  /// \param E a pointer, or a number that is made of one with
  /// `__cvta_generic_to_shared`, in the expression or in a variable on the way.
  /// \returns none where that is not seen.
  std::optional<PointerText> pointer(const clang::Expr *E);

  /// A number that becomes a pointer, which the pointers' texts name.
  struct NewPointer {
    Edit Declaration;
    clang::QualType Pointee;
  };
  std::map<const clang::VarDecl *, NewPointer> Retyped;

private:
  const SourceText &Source;
  const AsyncOps &Ops;
  const clang::FunctionDecl *Body;
  llvm::SmallVector<const AsyncOp *, 4> Copies;
  Values Known;
  /// Those whose initialisers are being read, outermost first.
  llvm::SmallVector<const clang::VarDecl *, 4> Reading;

  std::optional<PointerText> number(const clang::Expr *E);
  std::optional<PointerText> sum(const clang::Expr *Address,
                                 const clang::Expr *Bytes);
  std::optional<PointerText> variable(const clang::VarDecl *V);
  bool retype(const clang::VarDecl *V, const PointerText &P);
  bool isOnlyCopiedTo(const clang::VarDecl *V) const;
};

/// The variables of a statement, each as often as it is named there.
llvm::SmallVector<const clang::DeclRefExpr *, 8>
namesOf(const clang::VarDecl *V, const clang::Stmt *In);

} // namespace kpipe

#endif // KPIPE_LOWERING_SHAREDNUMBERS_H
