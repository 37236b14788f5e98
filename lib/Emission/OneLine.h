// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that goes to another place is laid out there anew, from one line.
#ifndef KPIPE_EMISSION_ONELINE_H
#define KPIPE_EMISSION_ONELINE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// The text without its line breaks; as it is, where it has comments,
/// directives or strings, in which these may mean something.
std::string onOneLine(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_EMISSION_ONELINE_H
