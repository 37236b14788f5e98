// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts the marked text of a primitive out of its header, which travels inside
// the program. See RuntimeText.h.
#include "kpipe/RuntimeText.h"
#include "Frontend/Embedded.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace kpipe {

/// What stands between the two marks, each a line of its own.
static llvm::StringRef markedText(llvm::StringRef Header,
                                  llvm::StringRef Primitive) {
  std::string Begin = ("// kpipe-inline: " + Primitive + "\n").str();
  size_t From = Header.find(Begin);
  size_t To = Header.find("// kpipe-inline: end\n");
  if (From == llvm::StringRef::npos || To == llvm::StringRef::npos)
    return {};
  return Header.slice(From + Begin.size(), To);
}

llvm::StringRef runtimeText(llvm::StringRef Primitive) {
  std::string Path = (EmbeddedRuntime + "/kpipe/" + Primitive + ".h").str();
  llvm::StringRef Text;
  forEachEmbeddedFile([&](llvm::StringRef File, llvm::StringRef Header) {
    if (File == Path)
      Text = markedText(Header, Primitive);
  });
  return Text;
}

std::string inlinedRuntime(llvm::ArrayRef<llvm::StringRef> Primitives) {
  llvm::SmallVector<llvm::StringRef> Names(Primitives);
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  std::string Block;
  for (llvm::StringRef Name : Names)
    Block += runtimeText(Name);
  if (Block.empty())
    return Block;
  return "// Pasted by kpipe --inline-runtime from <kpipe/pipeline.h>, where "
         "each is\n// documented. Apache-2.0 WITH LLVM-exception.\n" +
         Block;
}

void forEachRuntimeHeader(
    llvm::function_ref<void(llvm::StringRef Name, llvm::StringRef Text)>
        Visit) {
  forEachEmbeddedFile([&](llvm::StringRef File, llvm::StringRef Text) {
    if (File.consume_front(EmbeddedRuntime) && File.consume_front("/"))
      Visit(File, Text);
  });
}

} // namespace kpipe
