// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From two files to a report: compile both, read the code of both, check each
// kernel. It must not know rewriting, options' spelling, or write the user's files.
#ifndef KPIPE_TOOL_VERIFY_VERIFIER_H
#define KPIPE_TOOL_VERIFY_VERIFIER_H

#include "kpipe/Verify.h"
#include "nvcc/Cubin.h"

namespace kpipe {

/// Two texts of the same kernels.
struct VerifyInput {
  std::string Original, Rewritten; ///< names for people
  /// What is compiled: files.
  std::string OriginalFile, RewrittenFile;
  /// Where quoted includes are looked for besides the file's own folder; for a
  /// text that stands elsewhere than it will. May be empty.
  std::string IncludeFolder;
  std::vector<std::string> Archs;
  /// For nvcc; what says for which architecture or to what output is left out.
  std::vector<std::string> Flags;
  /// Only kernels whose qualified name matches.
  std::string KernelRegex;
  /// What kpipe says of the original's loops; empty if it was not asked.
  std::vector<LoopReport> Loops;
  /// For each of Archs: the rewritten text is what kpipe makes with these
  /// plans.
  std::vector<bool> PlanIsOfText;
  bool MayLoseBlocks = false;
  /// Compilations at once.
  unsigned Jobs = 1;
};

/// \returns an error of one line, with the cure, where there is nothing to
/// report: no kernel matches, no temporary folder, an interrupt. What could not
/// be compiled or disassembled is said in the report.
llvm::Expected<VerifyReport> verifyTexts(const VerifyInput &Input,
                                         const Toolchain &Tools);

/// True if every check that was asked for was made, as far as the code has what
/// it is about, and none failed.
bool passed(const VerifyReport &Report);

} // namespace kpipe

#endif // KPIPE_TOOL_VERIFY_VERIFIER_H
