// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a variable known by its own name alone? What gets a second value under the
// same name (a parameter of a lambda, a private copy) must not be reached by
// another one. Knows nothing of tiles.
#ifndef KPIPE_RECOGNITION_SECONDNAMES_H
#define KPIPE_RECOGNITION_SECONDNAMES_H

#include "LoopFacts.h"

namespace kpipe {

/// A place where a variable gets another name, and what happens there.
struct SecondName {
  clang::SourceLocation Where;
  Message What; ///< `its address is taken here`
};

/// The first mention of V in a function that is more than a read of its value,
/// an assignment or a step, or the argument of a call that does no more with
/// it. Inner: names that are declared in this statement, which begin and end
/// with it, do not count; may be null.
std::optional<SecondName> secondName(const clang::VarDecl *V,
                                     const clang::FunctionDecl *F,
                                     const clang::Stmt *Inner);

/// carried-scalar: the header's variables, and those that load and compute both
/// advance, have no second name.
void findSecondNames(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SECONDNAMES_H
