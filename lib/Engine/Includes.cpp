// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime for edited files, see Includes.h.

#include "Includes.h"
#include "kpipe/RuntimeText.h"
#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// A place that is not between a declaration and what is said of it: in front
/// of the comment that ends there, unless that is the file's first.
static unsigned aboveComment(llvm::StringRef Code, unsigned Offset) {
  unsigned Begin = Offset;
  while (Begin) {
    const size_t Above = Code.take_front(Begin - 1).rfind('\n') + 1;
    if (!Code.slice(Above, Begin).ltrim(" \t").starts_with("//"))
      break;
    Begin = unsigned(Above);
  }
  const llvm::StringRef Next =
      Code.substr(Offset).take_until([](char C) { return C == '\n'; });
  return Begin && !Next.trim().empty() ? Begin : Offset;
}

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
  const unsigned At =
      R->getLength() ? R->getOffset() : aboveComment(Code, R->getOffset());
  const bool Moved = At != R->getOffset();
  if (!Inline)
    return {At, R->getLength(),
            R->getReplacementText().str() + (Moved ? "\n" : "")};
  std::vector<llvm::StringRef> Names(Primitives.begin(), Primitives.end());
  return {At, 0,
          (Moved ? "" : "\n") + inlinedRuntime(Names) + (Moved ? "\n" : "")};
}

} // namespace kpipe
