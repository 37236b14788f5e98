// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parser that stopped where the main file's includes end and waits, so that
// a changed rest of the file can be parsed without parsing the headers again.
// It is a forked copy of this process: fork shares all memory until it is
// written, so that the snapshot costs a few milliseconds where a precompiled
// preamble would cost a good part of a parse. Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_SNAPSHOT_H
#define KPIPE_LIB_FRONTEND_SNAPSHOT_H

#include "kpipe/Frontend.h"
#include <memory>
#include <optional>

namespace kpipe {

/// The waiting copy, seen from the process that goes on. Destroying it ends
/// the copy.
class Snapshot {
public:
  ~Snapshot();

  /// Main-file offset of the first byte that the copy has not parsed.
  unsigned offset() const { return Offset; }
  /// Number of errors found before that.
  size_t errorsBefore() const { return ErrorsBefore; }

  /// What the copy says.
  struct Reply {
    std::vector<ParseError> Errors; ///< found in the rest
    std::string Answer;             ///< to the question
  };
  /// Lets the copy parse Rest in place of the main file's rest; it waits again
  /// behind it, for another Rest.
  /// \returns none where the copy did not answer; it will not do so again.
  std::optional<Reply> parseRest(llvm::StringRef Rest,
                                 llvm::StringRef Question = {});

  /// Where fork() returned to: in the process that goes on, the snapshot (or
  /// null when none could be made); in the copy, the text to parse.
  struct Forked {
    std::unique_ptr<Snapshot> Handle;
    std::optional<std::string> Rest;
    std::string Question;
    int ReplyTo = -1;
  };
  static Forked take(unsigned Offset, size_t ErrorsBefore);

  /// In the copy: answers and ends the process.
  [[noreturn]] static void reply(int ReplyTo,
                                 llvm::ArrayRef<ParseError> Errors,
                                 llvm::StringRef Answer = {});

private:
  Snapshot(int Socket, int Process, unsigned Offset, size_t ErrorsBefore)
      : Socket(Socket), Process(Process), Offset(Offset),
        ErrorsBefore(ErrorsBefore) {}

  int Socket;
  int Process;
  unsigned Offset;
  size_t ErrorsBefore;
};

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_SNAPSHOT_H
