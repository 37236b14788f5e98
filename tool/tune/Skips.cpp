// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A form is slow only if its fastest trial is slower than the slowest one of
// what it is compared with, so that one disturbed run skips nothing. The
// factors are from measured forms; test/Unit/SkipsTest.cpp replays these.
#include "Skips.h"
#include "TuneTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

namespace kpipe {

/// What unrolling, fewer registers or longer rows made up for at most, in what
/// was measured.
static constexpr double MostGained = 1.3;
/// A trial tells the times of measured rounds more closely than this.
static constexpr double LostRace = 1.15;
/// One more stage made it slower: by more than the same form differs from run
/// to run.
static constexpr double Slower = 1.02;

static bool isTried(const FormResult &F) {
  return !F.Runs.Trials.empty() && F.Failure.empty();
}

static double fastest(const FormResult &F) {
  return *llvm::min_element(F.Runs.Trials);
}
static double slowest(const FormResult &F) {
  return *llvm::max_element(F.Runs.Trials);
}

/// Surely slower, even times Factor.
static bool isSlower(const FormResult &F, const FormResult &Than,
                     double Factor) {
  return fastest(F) > Factor * slowest(Than);
}

static std::string timesAsSlow(const FormResult &F, const FormResult &As) {
  std::string Text;
  llvm::raw_string_ostream(Text)
      << llvm::format("%.2f", fastest(F) / fastest(As)) << " times as slow";
  return Text;
}

/// Null: nothing was tried.
static const FormResult *leader(llvm::ArrayRef<FormResult> Forms) {
  const FormResult *Best = nullptr;
  for (const FormResult &F : Forms)
    if (isTried(F) && (!Best || fastest(F) < fastest(*Best)))
      Best = &F;
  return Best;
}

namespace {

/// The fields that route, stages, schedule and rows are made of; the others of
/// the table are additions to such a form.
enum Difference : unsigned {
  InStages = 1,
  InRows = 2,
  InSchedule = 4,
  InAdditions = 8
};

} // namespace

/// In what two forms differ; a permission to lose blocks counts for nothing,
/// since a form exists with it or without it.
static unsigned differences(const FormResult &A, const FormResult &B) {
  unsigned All = 0;
  forEachField([&](const FormField &Field, auto Member) {
    if (A.Made.*Member == B.Made.*Member ||
        Field.Name == "allow-occupancy-drop" || Field.Name == "variant")
      return;
    All |= Field.Name == "stages"     ? InStages
           : Field.Name == "pad"      ? InRows
           : Field.Name == "schedule" ? InSchedule
                                      : InAdditions;
  });
  return All;
}

static bool hasAdditions(const FormResult &F) {
  FormResult Plain;
  return differences(F, Plain) & InAdditions;
}

/// The same without additions; null: the form has none, or there is no such
/// form.
static const FormResult *plainForm(llvm::ArrayRef<FormResult> Forms,
                                   const FormResult &F) {
  if (F.Asked.Original || !hasAdditions(F))
    return nullptr;
  const auto *Plain = llvm::find_if(Forms, [&](const FormResult &P) {
    return !P.Asked.Original && P.Variant == F.Variant &&
           differences(P, F) == InAdditions && !hasAdditions(P);
  });
  return Plain == Forms.end() ? nullptr : Plain;
}

std::vector<std::vector<size_t>> wavesOf(llvm::ArrayRef<FormResult> Forms) {
  // Two stages and fewer, then more, one by one; additions last.
  std::map<unsigned, std::vector<size_t>> ByStages;
  std::vector<size_t> Last;
  for (auto [I, F] : llvm::enumerate(Forms)) {
    unsigned Stages = F.Made.Stages.value_or(1);
    if (F.Asked.Original || F.Planned)
      ByStages[0].push_back(I);
    else if (plainForm(Forms, F))
      Last.push_back(I);
    else
      ByStages[Stages <= 2 ? 0 : Stages].push_back(I);
  }
  std::vector<std::vector<size_t>> Waves;
  for (auto &[Stages, Wave] : ByStages)
    Waves.push_back(std::move(Wave));
  if (!Last.empty())
    Waves.push_back(std::move(Last));
  return Waves;
}

/// More stages made the same form slower, twice in a row.
static std::string whyNoMoreStages(llvm::ArrayRef<FormResult> Forms,
                                   const FormResult &F) {
  std::vector<const FormResult *> Fewer;
  for (const FormResult &O : Forms)
    if (isTried(O) && !O.Asked.Original && O.Variant == F.Variant &&
        differences(O, F) == InStages && *O.Made.Stages < *F.Made.Stages)
      Fewer.push_back(&O);
  llvm::stable_sort(Fewer, [](const FormResult *A, const FormResult *B) {
    return *A->Made.Stages < *B->Made.Stages;
  });
  if (Fewer.size() < 3)
    return "";
  const FormResult &First = *Fewer[Fewer.size() - 3],
                   &Second = *Fewer[Fewer.size() - 2], &Third = *Fewer.back();
  if (!isSlower(Second, First, Slower) || !isSlower(Third, Second, Slower))
    return "";
  return "more stages made it slower twice: " + nameOf(First) + ", then " +
         timesAsSlow(Second, First) + ", then " + timesAsSlow(Third, First);
}

/// Rows of the author's length lost by far where both were tried.
static std::string whyNotAsWritten(llvm::ArrayRef<FormResult> Forms,
                                   const FormResult &F) {
  if (F.Made.Pad)
    return "";
  for (const FormResult &Short : Forms)
    for (const FormResult &Long : Forms)
      if (isTried(Short) && isTried(Long) && Short.Variant == F.Variant &&
          Long.Variant == F.Variant && !Short.Made.Pad &&
          differences(Short, Long) == InRows &&
          isSlower(Short, Long, MostGained))
        return "rows that are not padded made it " + timesAsSlow(Short, Long) +
               ": " + nameOf(Short);
  return "";
}

/// What the form without additions is, they do not make up for.
static std::string whyNoAdditions(llvm::ArrayRef<FormResult> Forms,
                                  const FormResult &F) {
  const FormResult *Plain = plainForm(Forms, F);
  if (!Plain)
    return "";
  if (Plain->IsUnbuilt)
    return "the same as " + nameOf(*Plain) + ", which was skipped";
  const FormResult *Best = leader(Forms);
  if (!isTried(*Plain) || !isSlower(*Plain, *Best, MostGained))
    return "";
  return nameOf(*Plain) + " is " + timesAsSlow(*Plain, *Best) + " as " +
         nameOf(*Best);
}

std::string whyNotBuilt(llvm::ArrayRef<FormResult> Forms, size_t Form) {
  const FormResult &F = Forms[Form];
  if (F.Asked.Original || F.Planned)
    return "";
  for (auto *Rule : {whyNoMoreStages, whyNotAsWritten, whyNoAdditions})
    if (std::string Why = Rule(Forms, F); !Why.empty())
      return Why;
  return "";
}

std::string whyNotMeasured(llvm::ArrayRef<FormResult> Forms, size_t Form) {
  const FormResult &F = Forms[Form], *Best = leader(Forms);
  if (F.Asked.Original || F.Planned || !isTried(F) ||
      !isSlower(F, *Best, LostRace))
    return "";
  return timesAsSlow(F, *Best) + " as " + nameOf(*Best) +
         " when both were tried";
}

} // namespace kpipe
