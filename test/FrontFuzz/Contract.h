// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kpipe promises for any input whatever, checked for one input in this
// process. It must not know where inputs come from, or survive a crash.
#ifndef KPIPE_TEST_FRONTFUZZ_CONTRACT_H
#define KPIPE_TEST_FRONTFUZZ_CONTRACT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace kpipe::fuzz {

/// What the bytes of an input are.
enum class Mode {
  Source,     ///< a CUDA file
  Directives, ///< comment lines above a kernel and above its loop
  Database,   ///< compile_commands.json; '@' stands for the current folder
};
std::optional<Mode> modeNamed(llvm::StringRef Name);

/// What became of an input that broke no promise.
enum class Outcome { Error, Unchanged, Pipelined };

/// Puts what every input needs into the current folder, which is empty.
void prepareFolder();

/// Runs kpipe's way from the input to the rewritten text in memory, and ends
/// the process, with a message on standard error, if
///   - an error is not one line, or comes with a text;
///   - the rewritten text does not parse, or touches a line with an error;
///   - a second run gives another text or says something else;
///   - a run on the rewritten text changes it again;
///   - the JSON report is no JSON;
///   - a file appears, changes or goes, or standard output is written to; with
///     other modes than Source standard error too.
Outcome checkContract(Mode M, llvm::StringRef Input);

/// Gives standard output and error back in the middle of a check, with what was
/// written to them: for whoever has to tell of a crash.
void restoreOutput();

} // namespace kpipe::fuzz

#endif // KPIPE_TEST_FRONTFUZZ_CONTRACT_H
