// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointers that are parts of objects can point to, or what a reference
// that is a member of one is bound to. (The analysis has
// an answer of its own, which is not asked.) Private to the validation.
#ifndef KPIPE_VALIDATION_OBJECTPOINTERS_H
#define KPIPE_VALIDATION_OBJECTPOINTERS_H

#include "StorageResolver.h"

namespace kpipe {

class ObjectPointers {
public:
  /// \param Reference the reference member that is asked for; null: pointers.
  explicit ObjectPointers(StorageResolver &Values,
                          const clang::FieldDecl *Reference = nullptr)
      : Values(Values), Reference(Reference) {}

  /// What the reference member that M names is bound to.
  Storages bound(const clang::MemberExpr *M, const CallFrame &In);

  /// A pointer that is a part of an object; F if it is that member itself.
  Storages loaded(const clang::Expr *From, const clang::FieldDecl *F,
                  const CallFrame &In);

  /// What the pointers and references in a value can be.
  Storages object(const clang::Expr *E, const CallFrame &In);

  /// What the pointers can be in the object that the function, which nobody in
  /// sight of In calls, is called on.
  Storages ofOwn(const CallFrame &In);

private:
  StorageResolver &Values; ///< which counts the steps
  const clang::FieldDecl *Reference;

  /// What the pointers in a local object can be. Named: it is asked by its
  /// name, or by `this` where a member function is called on its name.
  Storages held(const clang::VarDecl *V, const CallFrame &Home, bool Named);
  /// What the reference member is bound to in objects at those places, and in
  /// the object that E designates or makes.
  Storages boundAt(const Storages &Places, bool Named, const CallFrame &In);
  Storages boundIn(const clang::Expr *E, const CallFrame &In);
  /// What a function gives to the pointers of its variable V, null: of `*this`.
  Storages given(const clang::VarDecl *V, const CallFrame &Home);
  /// Its pointers alone, by the names that it has in objects.
  Storages givenByOthers(const clang::VarDecl *V, const FunctionNames &Names,
                         const CodeIndex &Index);
  /// What callers put into the pointers of a parameter of Home's function.
  Storages put(const clang::ParmVarDecl *P, const CallFrame &Home);
  Storages handed(const FunctionNames::Handing &H, const CallFrame &In);
  /// An object without a name: one that In's constructor makes, or that a
  /// member function was called on. Nothing if Owner is not the name of one.
  std::optional<Storages> unnamed(const clang::Expr *Owner,
                                  const CallFrame &In);
  /// What a closure captures by reference, and what its pointers can be.
  Storages captured(const clang::LambdaExpr *L, const CallFrame &In);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_OBJECTPOINTERS_H
