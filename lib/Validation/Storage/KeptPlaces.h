// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of the place that an expression names: is it read, set or
// dropped where it stands, or may it go by another name from there on? The
// validators' own answer. Private to the validation.
#ifndef KPIPE_VALIDATION_KEPTPLACES_H
#define KPIPE_VALIDATION_KEPTPLACES_H

namespace clang {
class Stmt;
}

namespace kpipe {

/// May the place that Child, a part of Parent, names be kept? \p Kept: that of
/// Parent may. `&(a = 0)` keeps a: a place that is set is the result.
bool keepsPlace(const clang::Stmt *Parent, const clang::Stmt *Child, bool Kept);

} // namespace kpipe

#endif // KPIPE_VALIDATION_KEPTPLACES_H
