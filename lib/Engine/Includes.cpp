// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime for edited files, see Includes.h.

#include "Includes.h"
#include "kpipe/RuntimeText.h"
#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

TextEdit runtimeEdit(const SourceManager &SM, FileID File,
                     llvm::ArrayRef<std::string> Primitives, bool Inline) {
  llvm::StringRef Code = SM.getBufferData(File);
  auto Name = SM.getFilename(SM.getLocForStartOfFile(File));
  tooling::HeaderIncludes Includes(Name, Code, tooling::IncludeStyle());
  auto Insert = [&](llvm::StringRef Header) {
    return Includes.insert(Header, /*IsAngled=*/true,
                           tooling::IncludeDirective::Include);
  };
  auto R = Insert("kpipe/pipeline.h");
  // It needs the driver's header, and is not in the other one.
  auto Maps = llvm::is_contained(Primitives, "tile_map")
                  ? Insert("kpipe/tile_map.h")
                  : std::nullopt;
  if (!Inline && Maps)
    return {Maps->getOffset(), 0,
            (R ? R->getReplacementText().str() : "") +
                Maps->getReplacementText().str()};
  if (!R)
    return {};
  if (!Inline)
    return {R->getOffset(), R->getLength(), R->getReplacementText().str()};
  std::vector<llvm::StringRef> Names(Primitives.begin(), Primitives.end());
  return {R->getOffset(), 0, "\n" + inlinedRuntime(Names)};
}

} // namespace kpipe
