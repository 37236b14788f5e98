// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointers that are parts of objects can point to. (The analysis has
// an answer of its own, which is not asked.) Private to the validation.
#ifndef KPIPE_VALIDATION_OBJECTPOINTERS_H
#define KPIPE_VALIDATION_OBJECTPOINTERS_H

#include "StorageResolver.h"

namespace kpipe {

class ObjectPointers {
public:
  explicit ObjectPointers(StorageResolver &Values) : Values(Values) {}

  /// A pointer that is a part of an object; F if it is that member itself.
  Storages loaded(const clang::Expr *From, const clang::FieldDecl *F,
                  const Frame &In);

  /// What the pointers and references in a value can be.
  Storages object(const clang::Expr *E, const Frame &In);

  /// What the pointers can be in the object that the function, which nobody in
  /// sight of In calls, is called on.
  Storages ofOwn(const Frame &In);

private:
  StorageResolver &Values; ///< which counts the steps

  /// What the pointers in a local object can be. Named: it is asked by its
  /// name, or by `this` where a member function is called on its name.
  Storages held(const clang::VarDecl *V, const Frame &Home, bool Named);
  /// What a function gives to the pointers of its variable V, null: of `*this`.
  Storages given(const clang::VarDecl *V, const Frame &Home);
  /// What callers put into the pointers of a parameter of Home's function.
  Storages put(const clang::ParmVarDecl *P, const Frame &Home);
  Storages handed(const FunctionNames::Handing &H, const Frame &In);
  /// An object without a name: one that In's constructor makes, or that a
  /// member function was called on. Nothing if E is no part of one.
  std::optional<Storages> unnamed(const clang::Expr *E, const Frame &In);
  /// What a closure captures by reference, and what its pointers can be.
  Storages captured(const clang::LambdaExpr *L, const Frame &In);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_OBJECTPOINTERS_H
