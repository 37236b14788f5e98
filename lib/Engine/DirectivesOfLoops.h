// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directives of a unit: what they ask for a loop, and that some are not
// understood or not read.
#ifndef KPIPE_ENGINE_DIRECTIVESOFLOOPS_H
#define KPIPE_ENGINE_DIRECTIVESOFLOOPS_H

#include "Options/Directives.h"
#include "Recognition/Loops/WrittenLoops.h"
#include "kpipe/Diagnostic.h"
#include <set>
#include <tuple>

namespace kpipe {

class DirectivesOfLoops {
public:
  /// \param Skipped what the preprocessor left out.
  /// \param Out gets what is wrong with directives.
  DirectivesOfLoops(const clang::ASTContext &Context,
                    llvm::ArrayRef<clang::SourceRange> Skipped,
                    std::vector<Diagnostic> &Out)
      : Context(Context), Skipped(Skipped), Out(Out) {}

  /// Those of the function and above the loop.
  Directives of(const CandidateLoop &C) const;
  void reportUnknown(const Directives &Asked);
  /// Says so of directives that nothing reads, in files that may be edited.
  void findStray(llvm::ArrayRef<DeviceFunction> Functions);

private:
  const clang::ASTContext &Context;
  llvm::ArrayRef<clang::SourceRange> Skipped;
  std::vector<Diagnostic> &Out;
  std::set<std::tuple<std::string, unsigned, std::string>> Said;

  void report(clang::SourceLocation Where, Message What);
};

} // namespace kpipe

#endif // KPIPE_ENGINE_DIRECTIVESOFLOOPS_H
