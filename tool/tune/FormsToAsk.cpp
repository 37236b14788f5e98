// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that matter to one another are asked for in combinations, the others
// of the table by themselves.
#include "FormsToAsk.h"
#include "kpipe/Words.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

/// One route, schedule and number of stages with the ways to pad and unroll it.
static void askAround(LoopForm F, std::vector<LoopForm> &All) {
  F.Pad = Padding::Never;
  All.push_back(F);
  // Nothing new where no array is padded.
  F.Pad = F.AllowOccupancyDrop ? Padding::Always : Padding::IfFree;
  All.push_back(F);
  F.Unroll = Unrolling::Never;
  All.push_back(F);
  F.Unroll = Unrolling::Stages;
  if (F.Stages != 1u)
    All.push_back(F);
  F.Unroll = Unrolling::Compute;
  if (!F.AllowOccupancyDrop)
    All.push_back(F);
}

static std::vector<LoopForm> combinations(bool HasAsyncCopy,
                                          unsigned MostStages) {
  std::vector<LoopForm> All;
  for (Asked<Flag> Drop : {Asked<Flag>(), Asked<Flag>(Flag::Given)})
    for (unsigned Stages = 1; Stages <= MostStages; ++Stages)
      for (ScheduleKind Schedule :
           {ScheduleKind::Peeled, ScheduleKind::Guarded})
        for (Asked<Variant> Way :
             {Asked<Variant>(Variant::Ldg), Asked<Variant>(Variant::CpAsync),
              Asked<Variant>::automatic()}) {
          if (Way == Variant::CpAsync && (Stages == 1 || !HasAsyncCopy))
            continue; // contradictions, which the options refuse
          LoopForm F;
          F.Variant = Way;
          F.Stages = Stages;
          F.Schedule = Schedule;
          F.AllowOccupancyDrop = Drop;
          askAround(F, All);
        }
  return All;
}

std::vector<LoopForm> formsToAsk(bool HasAsyncCopy, bool HasCopyEngine,
                                 unsigned MostStages) {
  std::vector<LoopForm> All = combinations(HasAsyncCopy, MostStages);
  if (HasCopyEngine)
    for (Asked<Flag> Drop : {Asked<Flag>(), Asked<Flag>(Flag::Given)})
      for (unsigned Stages = 2; Stages <= MostStages; ++Stages) {
        LoopForm F;
        F.Stages = Stages;
        F.Schedule = ScheduleKind::Specialized;
        F.AllowOccupancyDrop = Drop;
        All.push_back(F);
        F.Producer = ProducerKind::Group;
        All.push_back(F);
      }
  std::vector<LoopForm> ByThemselves;
  forEachField([&](const FormField &, auto Member) {
    // Who stages a loop is asked for all of its forms or for none.
    if constexpr (std::is_same_v<decltype(Member), Asked<Flag> LoopForm::*>)
      if (Member == &LoopForm::Restage)
        return;
    // Only beside the schedule that has one.
    if constexpr (std::is_same_v<decltype(Member),
                                 Asked<ProducerKind> LoopForm::*>)
      return;
    if (llvm::any_of(All, [&](const LoopForm &F) { return F.*Member; }))
      return;
    for (auto Value : SpellingOf<decltype(Member)>::values()) {
      LoopForm F;
      F.*Member = Value;
      ByThemselves.push_back(F);
    }
  });
  // By itself a form asks for no fewer blocks, which a ring of rows costs.
  if (HasCopyEngine)
    for (Asked<ScheduleKind> Schedule :
         {Asked<ScheduleKind>(),
          Asked<ScheduleKind>(ScheduleKind::Specialized)})
      for (unsigned Stages = 2; Stages <= MostStages; Stages += 2) {
        LoopForm F;
        F.Copies = CopyMapping::Bulk;
        F.Stages = Stages;
        F.Schedule = Schedule;
        F.AllowOccupancyDrop = Flag::Given;
        ByThemselves.push_back(F);
      }
  All.push_back(LoopForm()); // what is planned may be none of the above
  llvm::append_range(All, ByThemselves);
  return All;
}

} // namespace kpipe
