// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CUDA toolkit is. Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_TOOLKIT_H
#define KPIPE_LIB_FRONTEND_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace kpipe {

/// Finds the toolkit's root folder.
/// \param Requested the folder of `--cuda-path`; empty means: look into
/// CUDA_PATH, beside the nvcc on PATH, and into the usual folder.
/// \returns the root; empty when there is no toolkit; an error when the
/// requested folder holds none.
llvm::Expected<std::string> findToolkit(llvm::StringRef Requested);

/// The toolkit's CUDA_VERSION, such as 13000; that of kpipe's own declarations
/// where its cuda.h does not say.
unsigned versionOf(llvm::StringRef Toolkit);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_TOOLKIT_H
