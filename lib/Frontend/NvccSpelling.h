// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spellings that nvcc reads and Clang does not:
//
//   k<< <grid, block>> >(x);                  as old formatters wrote launches
//   asm("…" : "=r"(a) : "r"(b) "r"(c));       no comma between operands
//   asm("mov.u32 %0, %laneid;" : "=r"(a));    one % where %% is meant
//
// The text of the file stays as it is: the tokens are changed on their way from
// the preprocessor to the parser, so every place in the AST is the author's.
// It must not know why the file is parsed.
#ifndef KPIPE_LIB_FRONTEND_NVCCSPELLING_H
#define KPIPE_LIB_FRONTEND_NVCCSPELLING_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace kpipe {

/// Has PP give the parser what nvcc would read. Files that need it are found
/// when they are entered; system headers are left as they are.
void readAsNvcc(clang::Preprocessor &PP);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_NVCCSPELLING_H
