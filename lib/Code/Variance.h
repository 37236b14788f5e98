// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What differs from tile to tile: the variables of a load region, the places
// that it stores to, the conditions under which it stores. Data and control
// both make a value differ. What cannot be told differs. Knows nothing of
// stages.
#ifndef KPIPE_CODE_VARIANCE_H
#define KPIPE_CODE_VARIANCE_H

#include "Effects.h"

namespace kpipe {

/// Does an expression change from tile to tile?
bool varies(const clang::Stmt *S, const VarSet &Variant, const Scope &In);

/// Does the address that an lvalue designates, without the object in it?
bool placeVaries(const clang::Expr *E, const VarSet &Variant, const Scope &In);

/// Adds to Variant what statements write, declarations included, where the
/// value or whether it is written differs. Slicing has seen to statements as a
/// whole; this looks into them.
void spreadVariance(VarSet &Variant, llvm::ArrayRef<const clang::Stmt *> Body,
                    const Scope &In);

/// The conditions inside Root on which Target is evaluated; a branch of Exempt
/// is no condition. Nothing if Root does not hold Target. Where a jump may pass
/// Target by, every condition around the jump is one of Target's.
std::optional<llvm::SmallVector<const clang::Expr *, 4>>
conditionsOf(const clang::Stmt *Target, const clang::Stmt *Root,
             const clang::Stmt *Exempt);

} // namespace kpipe

#endif // KPIPE_CODE_VARIANCE_H
