// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All forms of one loop: what is known of them from an earlier session, which
// need not be built or measured, and the measuring of the others. It must not
// know how forms are made or what is chosen.
#ifndef KPIPE_TOOL_TUNE_CONTEST_H
#define KPIPE_TOOL_TUNE_CONTEST_H

#include "Benchmark.h"

namespace kpipe {

class Contest {
public:
  /// \param Loop its forms; what is measured of them is written there. The
  /// first is the original.
  /// \param All a program for each form.
  Contest(Benchmark &Measuring, TunedLoop &Loop, std::vector<Contender> All)
      : Measuring(Measuring), Loop(Loop), All(std::move(All)) {}

  /// Takes what an earlier session measured of the same programs.
  /// \returns one clause that says what was taken, or why nothing was.
  std::string resume(const EarlierRuns &Earlier);

  /// \param Everything no form is skipped.
  /// \returns an error of one line when the original cannot be measured.
  llvm::Error run(bool Everything);

  /// Called every few seconds, with what is known by then in the loop.
  std::function<void()> Save = [] {};

private:
  Benchmark &Measuring;
  TunedLoop &Loop;
  std::vector<Contender> All;
  std::string EarlierOutput;

  llvm::Error tryOut(bool Everything, Progress &Shown);
  llvm::Error measure(bool Everything, Progress &Shown);
  void writeDown();
};

/// The hash by which a program's source is known again.
std::string hashOfSource(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_CONTEST_H
