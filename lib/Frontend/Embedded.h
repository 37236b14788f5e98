// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that travel inside the program: kpipe's declarations of CUDA's
// names, its runtime headers, the style sheet of the page and, in the portable
// build, Clang's resource headers. The table is written by Embed.cmake.
#ifndef KPIPE_LIB_FRONTEND_EMBEDDED_H
#define KPIPE_LIB_FRONTEND_EMBEDDED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// Folders of the in-memory file system that no real path can clash with.
inline constexpr llvm::StringLiteral EmbeddedRoot = "/__kpipe__";
inline constexpr llvm::StringLiteral EmbeddedDeclarations =
    "/__kpipe__/declarations";
/// What nvcc brings into every file, and Clang does not.
inline constexpr llvm::StringLiteral EmbeddedAsNvcc = "/__kpipe__/nvcc";
inline constexpr llvm::StringLiteral EmbeddedRuntime = "/__kpipe__/runtime";
inline constexpr llvm::StringLiteral EmbeddedStyle =
    "/__kpipe__/html/style.css";
inline constexpr llvm::StringLiteral EmbeddedResourceDir = "/__kpipe__/clang";

/// Made while kpipe runs: the user's macros; the main file of a parse of headers
/// alone, which is empty, and what is kept of it.
inline constexpr llvm::StringLiteral MacrosFile = "/__kpipe__/macros.h";
inline constexpr llvm::StringLiteral HeadersFile = "/__kpipe__/headers.cu";
inline constexpr llvm::StringLiteral PrecompiledFile =
    "/__kpipe__/headers.pch";

/// Calls Visit(path, text) for each embedded file; texts end with a NUL that
/// is not counted, as Clang's lexer wants it.
void forEachEmbeddedFile(
    llvm::function_ref<void(llvm::StringRef Path, llvm::StringRef Text)> Visit);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_EMBEDDED_H
