// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the server says, in the protocol's JSON: places, diagnostics, edits.
// LLVM has structs for most of it, but none of commands, codes and versioned
// edits.
#ifndef KPIPE_TOOL_LSP_WORDS_H
#define KPIPE_TOOL_LSP_WORDS_H

#include "Documents.h"
#include "llvm/Support/JSON.h"

namespace kpipe {

/// A text's lines, with places in them as the protocol counts: from 0, in units
/// of UTF-16.
class Lines {
public:
  explicit Lines(llvm::StringRef Text);
  size_t count() const { return All.size(); }
  /// Of a place whose column counts bytes.
  llvm::json::Value position(unsigned Line, unsigned Column) const;
  /// The word that begins there.
  llvm::json::Value word(const Place &At) const;
  /// Whole lines [Begin, End), which count from 0.
  llvm::json::Value lines(unsigned Begin, unsigned End) const;

private:
  std::vector<llvm::StringRef> All;
};

/// A diagnostic of a document; one of another file stands at its top.
llvm::json::Value said(const Diagnostic &D, const Document &Of,
                       const Lines &In);
/// One that is about the document as a whole.
llvm::json::Value saidOfAll(llvm::StringRef Message);

/// The edits that make one text of another.
llvm::json::Array changes(llvm::StringRef Old, llvm::StringRef New);

/// The insertions of a fix in a document; empty if some are elsewhere.
llvm::json::Array insertions(const Fix &F, const Document &Of, const Lines &In);

/// Edits of one file.
struct FileEdits {
  std::string Uri;
  /// Of the text that is edited; none for one that is not open.
  std::optional<int64_t> Version;
  llvm::json::Array Edits;
};

/// Edits that are made together.
/// \param Versioned the editor takes versions.
llvm::json::Object workspaceEdit(std::vector<FileEdits> Files, bool Versioned);
inline llvm::json::Object workspaceEdit(FileEdits File, bool Versioned) {
  std::vector<FileEdits> One;
  One.push_back(std::move(File));
  return workspaceEdit(std::move(One), Versioned);
}

} // namespace kpipe

#endif // KPIPE_TOOL_LSP_WORDS_H
