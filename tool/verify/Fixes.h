// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kpipe made of a file, verified; and the other ways of making it that are
// worth a try when a check fails. It must not know compilers or listings.
#ifndef KPIPE_TOOL_VERIFY_FIXES_H
#define KPIPE_TOOL_VERIFY_FIXES_H

#include "Verifier.h"
#include "rewrite/Rewriter.h"

namespace kpipe {

/// Puts `#pragma unroll 1` above each pipelined loop of a text that kpipe made.
std::string withoutUnrolling(llvm::StringRef Text);

/// Has a text a loop that kpipe made? A comment above it says so.
bool hasPipelinedLoop(llvm::StringRef Text);

/// Do two texts say the same but for blanks at the ends of lines, empty lines
/// and what withoutUnrolling() adds?
bool sameText(llvm::StringRef A, llvm::StringRef B);

/// Other requests for the same file, the mildest first: another variant, then
/// fewer stages. What the architecture or the options rule out is not among
/// them.
/// \param Result what came of Request.
struct OtherWay {
  std::string Name; ///< "--variant=ldg"
  FileRequest Request;
};
std::vector<OtherWay> otherWays(const FileRequest &Request,
                                const FileResult &Result);

/// Verifies what rewriteFile() made, with nothing written.
llvm::Expected<VerifyReport> verifyResult(const FileRequest &Request,
                                          const FileResult &Result,
                                          const Toolchain &Tools,
                                          unsigned Jobs);

/// What came of a search for a text that passes.
struct Fixed {
  FileResult Result;
  VerifyReport Report;
  /// What made it pass: "#pragma unroll 1"; empty if nothing did, and then
  /// Result and Report are what they were.
  std::string By;
  /// All that was tried.
  std::vector<std::string> Tried;
};

/// Tries the other ways until one passes with as many loops pipelined.
llvm::Expected<Fixed> fix(const FileRequest &Request, FileResult Result,
                          VerifyReport Report, const Toolchain &Tools,
                          unsigned Jobs);

} // namespace kpipe

#endif // KPIPE_TOOL_VERIFY_FIXES_H
