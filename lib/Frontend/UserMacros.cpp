// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UserMacros.h. The definitions become a file of their own among those that
// are included first.
#include "UserMacros.h"
#include "Embedded.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

namespace kpipe {

/// Names that CUDA's headers and the C library's look at: reserved ones, and
/// those that begin as their own switches do.
static bool concernsHeaders(llvm::StringRef Macro) {
  return Macro.starts_with("_") || Macro.starts_with("NDEBUG") ||
         Macro.starts_with("CU") || Macro.starts_with("NV_");
}

bool isImplicitInclude(llvm::StringRef Name) {
  return (Name.starts_with(EmbeddedRoot) && Name != MacrosFile) ||
         Name == "__clang_cuda_runtime_wrapper.h";
}

void defineBehindImplicitHeaders(clang::PreprocessorOptions &Options) {
  const std::string Name = MacrosFile.str();
  std::string Text;
  std::vector<std::pair<std::string, bool>> Kept;
  for (const auto &[Macro, Undefined] : Options.Macros) {
    if (concernsHeaders(Macro)) {
      Kept.push_back({Macro, Undefined});
      continue;
    }
    auto [Head, Body] = llvm::StringRef(Macro).split('=');
    if (Undefined)
      Text += "#undef " + Macro + "\n";
    else
      Text += ("#define " + Head + " " +
               (Macro.find('=') == std::string::npos ? "1" : Body) + "\n")
                  .str();
  }
  auto User = std::stable_partition(Options.Includes.begin(),
                                    Options.Includes.end(), isImplicitInclude);
  if (Text.empty())
    return;
  Options.Macros = std::move(Kept);
  Options.addRemappedFile(
      Name, llvm::MemoryBuffer::getMemBufferCopy(Text, Name).release());
  Options.Includes.insert(User, Name);
}

} // namespace kpipe
