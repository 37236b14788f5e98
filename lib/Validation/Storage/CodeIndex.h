// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the validators look up in a unit: who calls whom, which functions may be
// called out of sight, and the names in each function.
#ifndef KPIPE_VALIDATION_CODEINDEX_H
#define KPIPE_VALIDATION_CODEINDEX_H

#include "FunctionNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include <memory>

namespace kpipe {

/// What is looked up in a unit: who calls whom, and the names in functions.
class CodeIndex {
public:
  explicit CodeIndex(clang::ASTContext &Context);

  clang::ASTContext &context() const { return Context; }
  struct Call {
    const clang::CallExpr *At;
    const clang::FunctionDecl *In; ///< null: outside of functions
  };
  /// Every direct call of F, in source order.
  llvm::ArrayRef<Call> callsOf(const clang::FunctionDecl *F) const;
  /// F may be called in ways that are not seen: its address is taken, it is
  /// virtual, or a library is given the object.
  bool hidden(const clang::FunctionDecl *F) const;
  /// The functions that name a reference member otherwise than to bind it; null:
  /// it is named outside of functions.
  llvm::ArrayRef<const clang::FunctionDecl *>
  naming(const clang::FieldDecl *Reference) const;
  const FunctionNames &namesOf(const clang::FunctionDecl *F) const;
  /// Device code stores a pointer where it is found later.
  bool keepsPointers() const { return KeepsPointers; }

private:
  clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<Call, 2>> Calls;
  llvm::DenseSet<const clang::FunctionDecl *> Hidden;
  /// Classes of which others may call the members.
  llvm::DenseSet<const clang::CXXRecordDecl *> HandedOut;
  bool KeepsPointers = false;
  llvm::DenseMap<const clang::FieldDecl *,
                 llvm::SmallVector<const clang::FunctionDecl *, 4>>
      Naming;
  mutable llvm::DenseMap<const clang::FunctionDecl *,
                         std::unique_ptr<FunctionNames>>
      Names;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_CODEINDEX_H
