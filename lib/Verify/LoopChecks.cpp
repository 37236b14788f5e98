// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each check of a loop. docs/verify.md says what each means;
// "the bulk" is at least half of the compute between two barriers, as ptxas
// moves single instructions across loads and waits where that costs nothing.
#include "LoopChecks.h"
#include "LoopFigures.h"
#include "Stretch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {
namespace {

/// Runs of an inner loop whose number is unknown: what holds for both of these
/// holds for all between.
constexpr uint64_t FewRuns = 1, ManyRuns = 1024;

constexpr const char *UnrollAdvice =
    "ptxas moved it: try '#pragma unroll 1' above the loop, another variant, or "
    "fewer stages (--fix tries them)";

std::string line(const sass::Instruction &I) {
  std::string Text;
  llvm::raw_string_ostream(Text)
      << "/*" << llvm::format_hex_no_prefix(I.Address, 4) << "*/ " << I.Text;
  return Text;
}

std::string counted(uint64_t Number, llvm::StringRef What) {
  return llvm::utostr(Number) + " " + What.str();
}

std::string decimal(double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.6g", Value);
  return Text;
}

class Verifier {
public:
  Verifier(const TileCode &T, llvm::ArrayRef<TileCode> Originals,
           const KernelFacts &Facts)
      : T(T), Originals(Originals), Facts(Facts),
        Stretches(stretchesWithLoads(T)), Names(T.computeNames()),
        V(figuresOf(T)) {}

  LoopVerification run() {
    noBarrierBetween();
    loadsBeforeCompute();
    waitAfterCompute();
    barrierAfterWait();
    barrierBeforeStore();
    sameCompute();
    copiesAsPlanned();
    return std::move(V);
  }

private:
  const TileCode &T;
  llvm::ArrayRef<TileCode> Originals;
  const KernelFacts &Facts;
  std::vector<Stretch> Stretches;
  std::string Names;
  LoopVerification V;

  Check &add(llvm::StringRef Id, CheckVerdict Verdict, std::string Text) {
    V.Checks.push_back({Id.str(), Verdict, std::move(Text), {}, {}});
    return V.Checks.back();
  }
  const sass::Instruction &event(unsigned E) const {
    return T.at(T.Events[E]);
  }
  /// The next event from E on, around the end, that Which takes.
  template <class Pred>
  std::optional<unsigned> next(unsigned E, Pred Which) const {
    for (unsigned Step = 1; Step <= T.Events.size(); ++Step) {
      unsigned At = (E + Step) % T.Events.size();
      if (Which(T.Events[At]))
        return At;
    }
    return std::nullopt;
  }

  void noBarrierBetween() {
    for (const Stretch &S : Stretches) {
      if (computeAfterLoads(T, S, FewRuns).Whole)
        continue;
      Check &C = add("no-barrier-between", CheckVerdict::Fails,
                     "a barrier stands between the loads and the compute, so "
                     "that they do not overlap");
      C.Evidence = {line(event(S.LastLoad)), line(event(S.Cut))};
      if (auto First = next(S.Cut, [&](const TileEvent &E) {
            return T.isCompute(E);
          }))
        C.Evidence.push_back(line(event(*First)));
      C.Advice = UnrollAdvice;
      return;
    }
    add("no-barrier-between", CheckVerdict::Holds,
        "no barrier stands between the next tile's loads and the compute");
  }

  bool barrierIsBetween() const {
    return V.Checks.front().Verdict == CheckVerdict::Fails;
  }

  /// Adds a check of what each stretch hides, by Measure(stretch, runs).
  template <class Measurer, class Pointer>
  void addBulk(llvm::StringRef Id, Measurer Measure, llvm::StringRef Good,
               llvm::StringRef Bad, Pointer Evidence) {
    const Stretch *Least = nullptr;
    Amount Few;
    for (const Stretch &S : Stretches) {
      Amount A = Measure(S, FewRuns), Many = Measure(S, ManyRuns);
      if (A.isBulk() != Many.isBulk()) {
        add(Id, CheckVerdict::NotChecked,
            "the number of runs of an inner loop is no constant in the code")
            .Evidence = Evidence(S);
        return;
      }
      // The worst of the unrolled tiles speaks for all.
      if (!Least || A.Part * Few.Whole < Few.Part * A.Whole) {
        Least = &S;
        Few = A;
      }
    }
    bool Holds = Few.isBulk();
    Check &C = add(Id, Holds ? CheckVerdict::Holds : CheckVerdict::Fails,
                   counted(Few.Part, "of ") + counted(Few.Whole, Names) + " " +
                       (Holds ? Good : Bad).str());
    C.Evidence = Evidence(*Least);
    if (!Holds)
      C.Advice = UnrollAdvice;
  }

  void loadsBeforeCompute() {
    if (barrierIsBetween()) {
      add("loads-before-compute", CheckVerdict::NotChecked,
          "a barrier stands between, see no-barrier-between");
      return;
    }
    addBulk(
        "loads-before-compute",
        [&](const Stretch &S, uint64_t Runs) {
          return computeAfterLoads(T, S, Runs);
        },
        "stand after the last load", "stand after the last load, which is less "
                                     "than half",
        [&](const Stretch &S) {
          std::vector<std::string> Lines{line(event(S.LastLoad))};
          if (auto First = next(S.LastLoad, [&](const TileEvent &E) {
                return T.isCompute(E);
              }))
            Lines.push_back(line(event(*First)));
          return Lines;
        });
  }

  void waitAfterCompute() {
    if (barrierIsBetween()) {
      add("wait-after-compute", CheckVerdict::NotChecked,
          "a barrier stands between, see no-barrier-between");
      return;
    }
    for (const Stretch &S : Stretches)
      if (!firstConsumer(T, S, FewRuns)) {
        add("wait-after-compute", CheckVerdict::NotChecked,
            "nothing in the loop waits for the load")
            .Evidence = {line(event(S.LastLoad))};
        return;
      }
    addBulk(
        "wait-after-compute",
        [&](const Stretch &S, uint64_t Runs) {
          return firstConsumer(T, S, Runs)->Hidden;
        },
        "run before the loaded data is waited for",
        "run before the loaded data is waited for, which is less than half",
        [&](const Stretch &S) {
          unsigned At = firstConsumer(T, S, FewRuns)->Instruction;
          return std::vector<std::string>{line(event(S.LastLoad)),
                                          line(T.F->Instructions[At])};
        });
  }

  /// The next tile may be read only behind a barrier that follows the wait, or
  /// the stores.
  void barrierAfterWait() {
    if (!T.has(Role::Barrier)) {
      add("barrier-after-wait", CheckVerdict::NotChecked,
          "the loop has no barrier: ptxas needs none for a block of one warp");
      return;
    }
    for (unsigned E = 0; E != T.Events.size(); ++E) {
      Role R = T.Events[E].What;
      if (R != Role::Wait && R != Role::Store)
        continue;
      unsigned Next = *next(E, [](const TileEvent &X) {
        return X.What == Role::Barrier || X.What == Role::SharedLoad;
      });
      if (T.Events[Next].What == Role::Barrier)
        continue;
      Check &C = add("barrier-after-wait", CheckVerdict::Fails,
                     "shared memory is read with no barrier since the wait or "
                     "the store");
      C.Evidence = {line(event(E)), line(event(Next))};
      C.Advice = UnrollAdvice;
      return;
    }
    add("barrier-after-wait", CheckVerdict::Holds,
        "a barrier follows each wait and store before shared memory is read");
  }

  /// A single buffer is overwritten where it was read.
  void barrierBeforeStore() {
    bool Single = llvm::any_of(Facts.Pipelined, [](const PlannedLoop &L) {
      return L.Stages == 1;
    });
    if (!Single || !T.has(Role::Store))
      return;
    for (unsigned E = 0; E != T.Events.size(); ++E) {
      if (T.Events[E].What != Role::Store)
        continue;
      // Backwards to a barrier, before any read of the buffer.
      for (unsigned Step = 1; Step <= T.Events.size(); ++Step) {
        unsigned At = (E + T.Events.size() - Step) % T.Events.size();
        if (T.Events[At].What == Role::Barrier)
          break;
        if (T.Events[At].What != Role::SharedLoad)
          continue;
        Check &C = add("barrier-before-store", CheckVerdict::Fails,
                       "the only buffer is stored to with no barrier since it "
                       "was read");
        C.Evidence = {line(event(At)), line(event(E))};
        C.Advice = "this is an error of kpipe's or of ptxas'; please report it";
        return;
      }
    }
    add("barrier-before-store", CheckVerdict::Holds,
        "a barrier stands between the last read of the buffer and the stores");
  }

  /// Per byte loaded the compute must be the original's: unrolling and peeling
  /// change both alike.
  void sameCompute() {
    auto Bytes = [](const TileCode &X) {
      return X.sum([&](const TileEvent &E) { return X.isLoad(E); },
                   [](const TileEvent &E) { return E.Bytes; });
    };
    // Packed instructions do the work of two, so operations are compared where
    // they are known.
    auto Work = [](const TileCode &X, bool Count) {
      return X.sum([&](const TileEvent &E) { return X.isCompute(E); },
                   [&](const TileEvent &E) { return Count ? 1 : E.Operations; });
    };
    if (Originals.empty()) {
      add("same-compute", CheckVerdict::NotChecked,
          "the original has no loop over tiles in its code");
      return;
    }
    std::string Unknown = "the number of runs of an inner loop is no constant "
                          "in the code";
    std::optional<uint64_t> MyBytes = Bytes(T);
    if (!MyBytes || !Work(T, true)) {
      add("same-compute", CheckVerdict::NotChecked, Unknown);
      return;
    }
    bool AnyKnown = false;
    for (const TileCode &O : Originals) {
      std::optional<uint64_t> TheirBytes = Bytes(O), TheirCount = Work(O, true);
      if (!TheirBytes || !TheirCount)
        continue;
      bool Count = !*Work(T, false) || !*Work(O, false);
      bool Same = *Work(T, Count) * *TheirBytes == *Work(O, Count) * *MyBytes;
      if (!AnyKnown || Same)
        V.ComputePerTileBefore = double(*TheirCount) / O.Tiles;
      AnyKnown = true;
      if (Same) {
        add("same-compute", CheckVerdict::Holds,
            decimal(*V.ComputePerTile) + " " + Names + " for " +
                decimal(*V.BytesPerTile) +
                " bytes that a thread loads for a tile, as in the original");
        return;
      }
    }
    if (!AnyKnown) {
      add("same-compute", CheckVerdict::NotChecked,
          Unknown + " of the original");
      return;
    }
    if (T.Kind == ComputeKind::Integer) {
      add("same-compute", CheckVerdict::NotChecked,
          "integer sums are no measure: ptxas joins and splits them");
      return;
    }
    Check &C = add("same-compute", CheckVerdict::Fails,
                   decimal(*V.ComputePerTile) + " " + Names + " for " +
                       decimal(*V.BytesPerTile) +
                       " bytes that a thread loads for a tile; the original "
                       "has " +
                       decimal(*V.ComputePerTileBefore) + " for " +
                       decimal(double(Bytes(Originals.front()).value_or(0)) /
                               Originals.front().Tiles));
    C.Advice = "the compiler duplicated or dropped compute: compare the loops "
               "with --annotate, try '#pragma unroll 1' above the loop";
  }

  void copiesAsPlanned() {
    if (!Facts.HasPlan || Facts.Pipelined.empty()) {
      add("copies-as-planned", CheckVerdict::NotChecked,
          "there is no plan for this text");
      return;
    }
    std::vector<unsigned> Planned;
    bool Registers = false;
    for (const PlannedLoop &P : Facts.Pipelined) {
      Planned.insert(Planned.end(), P.AsyncBytes.begin(), P.AsyncBytes.end());
      Registers |= P.HasRegisterCopies;
    }
    auto Fail = [&](std::string Text, const TileEvent *E) {
      Check &C = add("copies-as-planned", CheckVerdict::Fails, std::move(Text));
      if (E)
        C.Evidence = {line(T.at(*E))};
      C.Advice = "compare the loops with --annotate; another variant may do";
    };
    unsigned Async = 0, Loads = 0;
    for (const TileEvent &E : T.Events) {
      Async += E.What == Role::AsyncLoad;
      Loads += E.What == Role::Load;
      if (E.What == Role::AsyncLoad && !llvm::is_contained(Planned, E.Bytes))
        return Fail("an LDGSTS of " + counted(E.Bytes, "bytes") +
                        " was not planned",
                    &E);
      if (E.What == Role::Load && !Registers)
        return Fail("a load goes through registers where cp.async was planned",
                    &E);
    }
    if (!Planned.empty() && !Async && Facts.Pipelined.size() == 1)
      return Fail("cp.async was planned, and no LDGSTS is in the loop", nullptr);
    std::string Text;
    if (Async)
      Text = counted(Async, "LDGSTS");
    if (Loads)
      Text += (Text.empty() ? "" : " and ") + counted(Loads, "LDG");
    add("copies-as-planned", CheckVerdict::Holds,
        Text + ", of the kinds and widths that were planned");
  }
};

} // namespace

LoopVerification verifyLoop(const TileCode &T,
                            llvm::ArrayRef<TileCode> Originals,
                            const KernelFacts &Facts) {
  return Verifier(T, Originals, Facts).run();
}

} // namespace kpipe
