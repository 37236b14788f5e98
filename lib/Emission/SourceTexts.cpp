// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of files, see SourceTexts.h.
#include "SourceTexts.h"

using namespace clang;

namespace kpipe {

const SourceText &SourceTexts::of(const FunctionDecl *Helper) {
  if (!Helper)
    return Own;
  const SourceManager &SM = Own.context().getSourceManager();
  FileID File =
      SM.getFileID(SM.getExpansionLoc(written(Helper)->getLocation()));
  if (File == Own.file())
    return Own;
  return Others.try_emplace(File, Own.context(), File).first->second;
}

} // namespace kpipe
