// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiations that the file itself does not ask for. Private to the front
// end.
#ifndef KPIPE_LIB_FRONTEND_INSTANTIATE_H
#define KPIPE_LIB_FRONTEND_INSTANTIATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class ASTContext;
class Sema;
} // namespace clang

namespace kpipe {

/// The name that errors in the text of `instantiationText` have as file.
inline constexpr llvm::StringLiteral InstantiateFileName = "--instantiate";

/// Text that, put after a file's end, instantiates each named template.
/// \param Names `kernel<arguments>`, qualified as at namespace scope.
std::string instantiationText(llvm::ArrayRef<std::string> Names);

/// Does a unit hold such text?
bool namesInstances(const clang::ASTContext &Context);

/// Instantiates each __global__ function template that the file never does and
/// whose parameters all have defaults. To be called when all of the file is
/// parsed and before the unit is finished.
void instantiateDefaults(clang::Sema &S);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_INSTANTIATE_H
