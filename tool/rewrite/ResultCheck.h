// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result is parsed again: it has to parse, and to mean what the input
// means. A loop of which that is not so is refused, and the rest of the file is
// made once more without it. It must not apply edits or write files.
#ifndef KPIPE_TOOL_REWRITE_RESULTCHECK_H
#define KPIPE_TOOL_REWRITE_RESULTCHECK_H

#include "Outputs.h"
#include "Session.h"

namespace kpipe {

class ResultCheck {
public:
  ResultCheck(const FileRequest &Request, UnitResult &Unit)
      : Request(Request), Unit(Unit), Options(Request.Transform) {}

  /// \param Files, NewTexts the unit's edits applied.
  /// \returns true if the result holds; false if a loop was refused in the
  /// unit's outcome, and other edits are to be applied; an error where no
  /// result could be had at all.
  llvm::Expected<bool> holds(llvm::ArrayRef<RewrittenFile> Files,
                             const llvm::StringMap<std::string> &NewTexts);

private:
  const FileRequest &Request;
  UnitResult &Unit;
  TransformOptions Options;
  /// Where loops are refused in turn, as no place tells which is to blame: the
  /// error that is to go away, where it shows, and which loops were tried
  /// alone.
  std::string Blamed;
  Place BlamedAt; ///< in the input
  std::vector<Place> Suspects;

  void veto(Place Where, Diagnostic Why);
  std::vector<Place> pipelined() const;
  llvm::Expected<bool> blame(const ParseError &Error,
                             llvm::ArrayRef<RewrittenFile> Files);
};

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_RESULTCHECK_H
