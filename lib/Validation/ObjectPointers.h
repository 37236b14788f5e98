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

private:
  StorageResolver &Values; ///< which counts the steps

  /// What the pointers in a local object can be.
  Storages held(const clang::VarDecl *V, const Frame &Home);
  /// What the pointers in a value can be.
  Storages object(const clang::Expr *E, const Frame &In);
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_OBJECTPOINTERS_H
