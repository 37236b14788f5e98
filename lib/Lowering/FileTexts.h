// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that functions are lowered in, each read once: which names a file
// leaves free is known only when all of it and its macros were read.
#ifndef KPIPE_LOWERING_FILETEXTS_H
#define KPIPE_LOWERING_FILETEXTS_H

#include "Emission/SourceText.h"
#include "clang/AST/Decl.h"
#include <map>

namespace kpipe {

class FileText {
public:
  FileText(const clang::ASTContext &Context, clang::FileID File)
      : Source(Context, File) {}

  const SourceText Source;
  /// A free name for what counts the pieces of a copy.
  llvm::StringRef counter() const;

private:
  mutable std::string Counter; ///< empty until it is asked for
};

/// They live as long as this.
class FileTexts {
public:
  explicit FileTexts(const clang::ASTContext &Context) : Context(Context) {}

  /// The file that a function is written in.
  clang::FileID fileOf(const clang::FunctionDecl *F) const;
  const FileText &of(clang::FileID File) {
    return Known.try_emplace(File, Context, File).first->second;
  }

private:
  const clang::ASTContext &Context;
  std::map<clang::FileID, FileText> Known;
};

} // namespace kpipe

#endif // KPIPE_LOWERING_FILETEXTS_H
