// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an edited file gets kpipe's runtime: an include, or the text of the
// primitives that it uses.
#ifndef KPIPE_ENGINE_INCLUDES_H
#define KPIPE_ENGINE_INCLUDES_H

#include "kpipe/Emission.h"
#include "clang/Basic/SourceManager.h"

namespace kpipe {

/// One insertion after the file's last include (or its leading comment). An
/// empty text if the include is there already.
TextEdit runtimeEdit(const clang::SourceManager &SM, clang::FileID File,
                     llvm::ArrayRef<std::string> Primitives, bool Inline);

} // namespace kpipe

#endif // KPIPE_ENGINE_INCLUDES_H
