// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StreamOptions.h.
#include "StreamOptions.h"
#include "Commands.h"
#include "kpipe/Suggestions.h"
#include "support/Color.h"
#include "support/Failure.h"
#include "support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kpipe {

namespace cl = llvm::cl;

static cl::opt<std::string>
    ColorOption("color", cl::init("auto"), cl::value_desc("auto|always|never"),
                cl::desc("colours of diagnostics (default: on a terminal, "
                         "unless NO_COLOR is set)"),
                KPIPE_ALL);
static cl::opt<bool>
    ProgressOption("progress", cl::desc("a line for each file that is done, also "
                                        "where there is no terminal"),
                   KPIPE_ALL);

llvm::Expected<bool> readStreamOptions() {
  Progress::Asked = ProgressOption;
  if (ColorOption == "auto")
    return colorsFor(ColorChoice::Auto);
  if (ColorOption == "always")
    return colorsFor(ColorChoice::Always);
  if (ColorOption == "never")
    return colorsFor(ColorChoice::Never);
  return optionError("--color=" + ColorOption + ": want auto, always or never" +
                     didYouMean(ColorOption, {"auto", "always", "never"}));
}

llvm::Expected<std::optional<std::string>>
readStandardInput(llvm::ArrayRef<std::string> Files) {
  if (!llvm::is_contained(Files, "-"))
    return std::nullopt;
  if (TuneCommand || VerifyCommand)
    return optionError("standard input is for rewrite and analyze; name files");
  auto Buffer = llvm::MemoryBuffer::getSTDIN();
  if (!Buffer)
    return optionError("standard input cannot be read: " +
                       Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

} // namespace kpipe
