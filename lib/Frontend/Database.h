// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_commands.json: finding and reading it. It must not know what its
// flags mean.
#ifndef KPIPE_FRONTEND_DATABASE_H
#define KPIPE_FRONTEND_DATABASE_H

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace kpipe {

/// Reads the database in a build folder.
/// \returns an error of one line, with the cure, when there is none or it is
/// no JSON.
llvm::Expected<std::unique_ptr<clang::tooling::CompilationDatabase>>
loadDatabase(llvm::StringRef BuildDir);

/// The first entry for a file; it says how the file is read.
/// \param Absolute the file's absolute path.
/// \returns an error of one line, with the cure, when there is none.
llvm::Expected<clang::tooling::CompileCommand>
entryFor(llvm::StringRef Absolute, llvm::StringRef BuildDir,
         llvm::StringRef AsWritten);

} // namespace kpipe

#endif // KPIPE_FRONTEND_DATABASE_H
