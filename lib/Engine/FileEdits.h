// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edits of all loops, file by file, until each file becomes one change.
#ifndef KPIPE_ENGINE_FILEEDITS_H
#define KPIPE_ENGINE_FILEEDITS_H

#include "kpipe/TextEdit.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kpipe {

class FileEdits {
public:
  explicit FileEdits(const clang::SourceManager &SM) : SM(SM) {}

  /// Adds the edits of one loop, and the primitives that its text uses.
  /// \returns an error, and nothing is added, where a loop before changes the
  /// same text in another way.
  llvm::Error add(clang::FileID File, llvm::ArrayRef<TextEdit> Edits,
                  llvm::ArrayRef<std::string> Primitives);

  /// The edits of a file, to be changed when all are there.
  std::set<TextEdit> &editsOf(clang::FileID File) { return Files[File].Edits; }

  /// A change for each file, with what gives it kpipe's runtime.
  /// \param Inline the runtime's text is pasted instead of included.
  /// \returns an error where that meets another edit.
  llvm::Expected<std::vector<clang::tooling::AtomicChange>> finish(bool Inline);

private:
  struct Edited {
    std::set<TextEdit> Edits; ///< loops share some: a buffer's declaration
    std::vector<std::string> Primitives;
  };
  const clang::SourceManager &SM;
  std::map<clang::FileID, Edited> Files;
  std::map<clang::FileID, bool> HasCrlf;

  using Edits = std::set<TextEdit>;
  llvm::Error apart(clang::FileID File, const Edits &All,
                    Edits::iterator Added);
  llvm::Expected<clang::tooling::AtomicChange>
  asChange(clang::FileID File, Edits::const_iterator Begin,
           Edits::const_iterator End);
};

} // namespace kpipe

#endif // KPIPE_ENGINE_FILEEDITS_H
