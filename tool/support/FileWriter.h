// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing files so that each is complete or as it was before. It must not know
// what is in them.
#ifndef KPIPE_TOOL_SUPPORT_FILEWRITER_H
#define KPIPE_TOOL_SUPPORT_FILEWRITER_H

#include "Interrupt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

/// Stages texts in temporary neighbours of their targets; commit() renames
/// them. What was staged and not committed leaves no trace, not even when a
/// signal ends the program.
class FileWriter {
public:
  FileWriter() = default;
  ~FileWriter();
  FileWriter(const FileWriter &) = delete;
  FileWriter &operator=(const FileWriter &) = delete;

  /// Writes Text beside Path. A symbolic link is followed and the mode bits of
  /// an existing file are kept. A target that is no regular file (a pipe, a
  /// device) is never replaced: it is written to by commit().
  /// \returns an error whose message is one line with the cure.
  llvm::Error stage(llvm::StringRef Path, llvm::StringRef Text);

  /// Puts all staged texts in place.
  llvm::Error commit();

private:
  struct Staged {
    std::string Path;      ///< as the user wrote it
    std::string Target;    ///< behind symbolic links
    std::string Temporary; ///< empty for a target that is no regular file
    std::string Text;      ///< only for a target that is no regular file
    Leftover Trace;        ///< of the temporary
  };
  std::vector<Staged> Files;
};

/// One file, complete or as it was before.
/// \returns an error whose message is one line with the cure.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text);

/// Writes all of Text to an open descriptor, e.g. standard output.
std::error_code writeAll(int Descriptor, llvm::StringRef Text);

/// One line for a write to Path that failed, with the cure.
llvm::Error writeError(llvm::StringRef Path, std::error_code Why);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_FILEWRITER_H
