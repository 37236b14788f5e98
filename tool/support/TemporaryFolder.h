// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that goes away with its contents, also when a signal ends the
// program. It must not know what is in it.
#ifndef KPIPE_TOOL_SUPPORT_TEMPORARYFOLDER_H
#define KPIPE_TOOL_SUPPORT_TEMPORARYFOLDER_H

#include "Interrupt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace kpipe {

class TemporaryFolder {
public:
  /// \param Prefix of its name; it stands where $TMPDIR says, or where the
  /// prefix does if that is an absolute path.
  /// \returns an error of one line, with the cure, if there can be none.
  static llvm::Expected<TemporaryFolder> make(llvm::StringRef Prefix);
  TemporaryFolder(TemporaryFolder &&Other)
      : Path(std::move(Other.Path)), Trace(std::move(Other.Trace)) {
    Other.Path.clear();
  }
  ~TemporaryFolder();

  const std::string &path() const { return Path; }
  /// The path of a file in it.
  std::string file(llvm::StringRef Name) const;

private:
  explicit TemporaryFolder(std::string Path)
      : Path(std::move(Path)), Trace(this->Path) {}
  std::string Path;
  Leftover Trace;
};

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_TEMPORARYFOLDER_H
