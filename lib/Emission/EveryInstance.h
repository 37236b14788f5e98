// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that a template's text has whatever its arguments are: they may be
// spelled as one instance has them.
#ifndef KPIPE_EMISSION_EVERYINSTANCE_H
#define KPIPE_EMISSION_EVERYINSTANCE_H

#include "SourceText.h"

namespace kpipe {

/// Is E an element of a member that its class declares with a built-in type or
/// with a class of the file, or what a member function returns that is declared
/// so, whatever the template's arguments are?
bool isOfEveryInstance(const clang::Expr *E, const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_EVERYINSTANCE_H
