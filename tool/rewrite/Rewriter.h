// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file's name to its rewritten text, in memory: parse, transform, apply
// the edits, check the result; then the results of all files as one. It must
// not know what an edit means, or write files.
#ifndef KPIPE_TOOL_REWRITE_REWRITER_H
#define KPIPE_TOOL_REWRITE_REWRITER_H

#include "HeaderReaders.h"
#include "Outputs.h"
#include "Session.h"

namespace kpipe {

/// What became of one file that was named.
struct FileResult {
  std::string File;
  std::string Arch; ///< that it was rewritten for
  UnitOutcome Outcome;
  std::vector<Diagnostic> Others;
  /// The file's name as diagnostics say it, and its text.
  std::string MainFile, MainText;
  /// The file and each edited header, also where nothing changed in it.
  std::vector<RewrittenFile> Files;
  /// All files that the result depends on.
  std::vector<std::string> Dependencies;
  /// What Clang's driver was given.
  std::vector<std::string> Arguments;
  /// For nvcc as well, and where relative paths start, see ParsedUnit.
  std::vector<std::string> CodeFlags;
  std::string Directory;
  /// Nothing is known of its loops, see isBlindTo().
  bool IsBlind = false;
};

/// The file and each edited header, the file also where nothing changed in it,
/// with the edits of a unit applied and the result checked. A loop of which the
/// result does not hold is refused in Unit, and its edits are left out.
/// \returns an error, one line, when nothing can be checked.
llvm::Expected<std::vector<RewrittenFile>>
rewrittenFiles(const FileRequest &Request, UnitResult &Unit);

/// True if a loop of it is pipelined.
bool anyPipelined(const UnitOutcome &Outcome);

/// The result of a unit as it was transformed last, checked. What else is known
/// of the unit stays in it.
/// \returns an error, one line, after which nothing may be written.
llvm::Expected<FileResult> checkedResult(const FileRequest &Request,
                                         UnitResult &Unit);

/// \param Alone no other file is worked on meanwhile, so that the process may
/// be copied to save a second parse of what did not change.
/// \returns an error, one line with the cure, after which nothing may be
/// written.
llvm::Expected<FileResult> rewriteFile(FileRequest Request, bool Alone);

/// The result of a file that was parsed before, with other options of the
/// transformation in Request. Where it was parsed with `WillCheck`, nothing
/// but its text behind the includes is parsed again.
llvm::Expected<FileResult> rewriteAgain(const FileRequest &Request,
                                        UnitResult &Unit);

/// All results, gathered before anything is written.
class Rewriter {
public:
  /// \param OS where diagnostics are printed.
  Rewriter(llvm::raw_ostream &OS, bool Colored) : OS(OS), Colored(Colored) {}

  /// Takes a file's result, the next in the order of the files, and prints its
  /// diagnostics.
  /// \returns an error, one line, after an internal error, when the file is
  /// left out.
  llvm::Error add(FileResult Result);

  /// Why nothing may be written, one line: a header came out in two ways. Empty
  /// if none did.
  std::string Conflict;

  std::vector<RewrittenFile> Files;
  Findings Found;

private:
  llvm::Error addHeader(RewrittenFile Header, llvm::StringRef From);
  llvm::Error compareVerdicts(const FileResult &Result);
  llvm::Error addFiles(FileResult Result);

  llvm::raw_ostream &OS;
  const bool Colored;
  HeaderReaders Readers;
  /// Which file each header's text came from.
  llvm::StringMap<std::string> HeaderFrom;
  /// Of each header's loop, by its place: is it pipelined, and for which file.
  llvm::StringMap<std::pair<bool, std::string>> Verdicts;
};

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_REWRITER_H
