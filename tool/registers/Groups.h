// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that share kernels, what nvcc says of these, and which form the loops
// get. It must not know how texts are made or compiled.
#ifndef KPIPE_TOOL_REGISTERS_GROUPS_H
#define KPIPE_TOOL_REGISTERS_GROUPS_H

#include "Gains.h"
#include "Measurer.h"
#include "kpipe/RegisterChoice.h"
#include "rewrite/Session.h"

namespace kpipe {

/// A kernel of a group before and after.
struct MeasuredKernel {
  std::string Name;
  bool LeavesLoopOut = false;
  /// What a launch asks for beside the arrays is known.
  bool BytesAreKnown = false;
  ResourceUse Before, After;
  std::optional<unsigned> Threads;
  LaunchShape LaunchBefore, LaunchAfter;
  RegisterFigures Figures;
  /// Instructions for a byte in the inner loop; empty if not known.
  std::optional<double> WorkBefore, WorkAfter;
  /// The machine code of both was looked at.
  bool CodeIsRead = false;
  /// Blocks per SM after, if registers alone counted.
  std::optional<unsigned> RegistersAllow;
};

/// What leaves no more blocks of a kernel, in the middle of a sentence.
Message limitOf(const MeasuredKernel &K);
/// The kernel of which most is to be said.
const MeasuredKernel &worst(llvm::ArrayRef<MeasuredKernel> Kernels);

class Group {
public:
  std::vector<LoopKey> Keys;
  /// The profile has forms for some of the loops: these were measured by time.
  bool HasProfile = false;
  /// What else is tried, best first, and the next of it.
  std::vector<LoopForm> Forms;
  size_t Next = 0;
  /// Nothing more is to be tried.
  bool Settled = false;
  /// All forms were in vain: the loops, and what is said of them.
  std::optional<std::vector<VetoedLoop>> Refused;

  /// The form that the loops get; null: as planned.
  const LoopForm *form() const { return Chosen ? &Forms[*Chosen] : nullptr; }

  /// Is the plan's machine code worth reading?
  bool asksForCode(const UnitOutcome &Outcome) const;
  /// And that of the forms that are tried?
  bool comparesCode() const {
    return llvm::is_contained(Hopes, Gain::Leaner) ||
           llvm::is_contained(Hopes, Gain::Pieces);
  }

  void judgePlan(const UnitOutcome &Outcome, const MeasuredText &Before,
                 const MeasuredText &After);
  /// Is that form what Outcome came to? Then its text is worth compiling.
  bool isMadeIn(size_t Form, const UnitOutcome &Outcome) const;
  /// \param Form index of what the loops asked for in Outcome.
  void judge(size_t Form, const UnitOutcome &Outcome,
             const MeasuredText &Before, const MeasuredText &After);
  /// nvcc does not compile the loops as planned, and says why.
  void refusePlan(const UnitOutcome &Outcome, const MeasuredText &Before,
                  const std::string &Why);
  /// No form is left.
  void giveUp();
  /// The loops stay as they are, since What.
  std::vector<VetoedLoop> vetoes(Message What) const;
  /// Writes the figures into reports and remarks of the loops.
  void report(UnitOutcome &Outcome, const MeasuredText &Before,
              const MeasuredText &After) const;

private:
  friend std::vector<Group> findGroups(const UnitOutcome &Outcome,
                                       const FileRequest &Request);

  std::string Arch;
  std::optional<size_t> Chosen;
  /// The user asked for a form, or for fewer blocks.
  bool Insists = false, MayLoseBlocks = false;
  /// The plan is good, and forms are tried that may be better: what is hoped of
  /// each, and the plan's kernels. Empty for mends.
  std::vector<Gain> Hopes;
  std::vector<MeasuredKernel> Planned;
  std::optional<FormRank> Best; ///< of what is chosen
  /// What is wrong with the plan; empty if nothing is.
  Message PlanFails;
  bool PlanSpills = false, PlanRefused = false;
  std::vector<Place> Places;
  /// What was asked for a loop, and how its copies went as planned.
  struct PlannedLoop {
    LoopKey Key;
    LoopForm Asked;
    std::vector<CopyReport> Copies;
  };
  std::vector<PlannedLoop> Plans;

  bool has(const LoopOutcome &Loop) const;
  std::vector<MeasuredKernel> kernelsIn(const UnitOutcome &Outcome,
                                        const MeasuredText &Before,
                                        const MeasuredText &After) const;
  PlannedForm planned(const UnitOutcome &Outcome) const;
  GoodPlan goodPlan(const UnitOutcome &Outcome, const PlannedForm &Planned,
                    llvm::ArrayRef<MeasuredKernel> Kernels) const;
  bool gains(Gain Hoped, llvm::ArrayRef<MeasuredKernel> Kernels) const;
  Message gained(const LoopForm &Made, const MeasuredKernel &K) const;
  RegisterVerdict judge(llvm::ArrayRef<MeasuredKernel> Kernels) const;
  void explainRoutes(const LoopOutcome &Loop, ArchReport &A) const;
  void reportLoop(LoopOutcome &Loop,
                  llvm::ArrayRef<MeasuredKernel> Kernels) const;
  /// The plan and the forms behind it up to the one that was chosen. More may
  /// have been compiled beside them: how many is no property of the file.
  unsigned formsLookedAt() const {
    return 1 + (Chosen ? *Chosen + 1 : Forms.size());
  }
};

/// The pipelined loops, those together that a kernel runs or a name means.
std::vector<Group> findGroups(const UnitOutcome &Outcome,
                              const FileRequest &Request);

/// Says in report and remark that registers are estimates.
void sayEstimated(LoopOutcome &Loop, const Message &Why, bool InNote = true);
/// The same in the reports of all loops, and in the first one's remark.
void sayEstimated(UnitOutcome &Outcome, const Message &Why);

} // namespace kpipe

#endif // KPIPE_TOOL_REGISTERS_GROUPS_H
