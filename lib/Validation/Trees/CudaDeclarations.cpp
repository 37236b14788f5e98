// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the files that declare them, see CudaDeclarations.h.

#include "CudaDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace kpipe {

bool isCudas(const FunctionDecl *F) {
  if (F->getBuiltinID() || F->isImplicit())
    return true;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  for (const FunctionDecl *D : F->redecls()) {
    SourceLocation Where = SM.getExpansionLoc(D->getLocation());
    if (!SM.isInSystemHeader(Where))
      continue;
    llvm::StringRef Path = SM.getFilename(Where);
    llvm::StringRef Name = llvm::sys::path::filename(Path);
    if (Path.contains("__kpipe__") || Name.starts_with("__clang_cuda") ||
        Path.contains("cuda_wrappers"))
      return true;
    for (llvm::StringRef Folder = llvm::sys::path::parent_path(Path);
         !Folder.empty(); Folder = llvm::sys::path::parent_path(Folder)) {
      llvm::SmallString<256> Runtime(Folder);
      llvm::sys::path::append(Runtime, "cuda_runtime.h");
      if (SM.getFileManager().getOptionalFileRef(Runtime))
        return true;
      llvm::StringRef Last = llvm::sys::path::filename(Folder);
      if (Last == "include" || Last == "usr" || Last == "/")
        break;
    }
    // The host's C and C++ library: mathematics by its name, nothing else.
    if (D->isExternC() && D->getIdentifier() &&
        !D->getReturnType()->isVoidType() &&
        D->getReturnType()->isFloatingType())
      return true;
  }
  return false;
}

} // namespace kpipe
