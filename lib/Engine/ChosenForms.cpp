// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ChosenForms.h.
#include "ChosenForms.h"
#include "Diagnostics.h"
#include "Options/Choices.h"

namespace kpipe {

const ChosenForm *chosenForm(const LoopOutcome &O,
                             const TransformOptions &Options,
                             llvm::ArrayRef<const ArchLimits *> Archs,
                             std::vector<Diagnostic> &Said) {
  if (!Options.Choices)
    return nullptr;
  FoundChoice Found = findChoice(*Options.Choices, O.Key, Archs);
  if (Found.Chosen)
    return Found.Chosen;
  if (!Found.Stale) {
    Said.push_back(about(RuleId::ProfileMissing, O.Where,
                                    {msg::profile_missing, O.Function},
                                    Severity::Remark));
    return nullptr;
  }
  Diagnostic D =
      about(RuleId::ProfileStale, O.Where, {msg::profile_stale, Found.Stale});
  D.Notes.push_back({O.Where, {msg::tune_again}});
  Said.push_back(std::move(D));
  return nullptr;
}

} // namespace kpipe
