// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that more than one report has. Private to the reporting.
#ifndef KPIPE_LIB_REPORTING_JSONFIELDS_H
#define KPIPE_LIB_REPORTING_JSONFIELDS_H

#include "llvm/Support/JSON.h"
#include <optional>

namespace kpipe {

/// The field is left out where nothing is known.
template <typename T>
void writeIfKnown(llvm::json::OStream &J, llvm::StringRef Key,
                  std::optional<T> Number) {
  if (Number)
    J.attribute(Key, *Number);
}

} // namespace kpipe

#endif // KPIPE_LIB_REPORTING_JSONFIELDS_H
