// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a changed file has to be parsed again. Private to the front
// end.
#ifndef KPIPE_LIB_FRONTEND_CHANGEDREST_H
#define KPIPE_LIB_FRONTEND_CHANGEDREST_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace kpipe {

/// What must be parsed, after Old was parsed up to Offset, to have parsed New.
/// Lines inserted above Offset are moved below it.
/// \returns none where New differs above Offset in any other way.
std::optional<std::string> changedRest(llvm::StringRef Old,
                                       llvm::StringRef New, unsigned Offset,
                                       llvm::StringRef FileName);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_CHANGEDREST_H
