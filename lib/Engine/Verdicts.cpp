// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verdicts.h"
#include "Diagnostics.h"
#include "Support/PlaceOf.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

void sayLosesOrder(LoopOutcome &O, const OrderViolation &Lost,
                   const SourceManager &SM) {
  Diagnostic D = about(RuleId::MemoryOrder, placeOf(Lost.Second, SM),
                       {msg::not_pipelined, Lost.What});
  if (Lost.First != Lost.Second)
    D.Notes.push_back(
        {placeOf(Lost.First, SM),
         Lost.AtFirst ? Lost.AtFirst : Message(msg::first_access_here)});
  if (Lost.Cure)
    D.Notes.push_back({placeOf(Lost.Second, SM), Lost.Cure});
  O.Diagnostics.push_back(std::move(D));
}

void sayLosesLaunch(LoopOutcome &O, SourceLocation At,
                    const SourceManager &SM) {
  O.Declared.clear();
  Place Named = placeOf(At, SM);
  Diagnostic D =
      about(RuleId::Launches, O.Where,
            {msg::not_pipelined, Message(msg::launch_stays, Named.Line)});
  D.Notes.push_back({std::move(Named), {msg::named_here}});
  D.Notes.push_back({O.Where, {msg::change_launch_by_hand}});
  O.Diagnostics.push_back(std::move(D));
}

void sayRefused(LoopOutcome &O, const Refusal &Because) {
  O.Declared.clear();
  Diagnostic D =
      about(Because.Rule, O.Where, {msg::not_pipelined, Because.Why});
  if (Because.Cure)
    D.Notes.push_back({O.Where, Because.Cure});
  O.Diagnostics.push_back(std::move(D));
}

Message whyLaunchStays(SourceLocation At, const SourceManager &SM) {
  return {msg::launch_may_stay, placeOf(At, SM).Line};
}

} // namespace kpipe
