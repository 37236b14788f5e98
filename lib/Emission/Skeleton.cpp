// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a schedule line by line, see Skeleton.h.

#include "Skeleton.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

namespace kpipe {

namespace {

using Step = ScheduleStep;
using Steps = std::vector<ScheduleStep>;
using Values = std::vector<std::string>;

class Skeleton {
public:
  Skeleton(const Schedule &S, const SkeletonText &T, RuntimeCalls &Calls)
      : S(S), T(T), Calls(Calls), Cursor(S.Fills > 1) {
    for (const HeaderText::Var &V : T.Header.Vars) {
      Names.push_back(V.Name);
      Nexts.push_back(V.Next);
    }
  }

  std::string run() {
    if (!T.Header.Init.empty())
      line(T.Header.Init);
    if (!T.Header.FirstStep.empty())
      line(T.Header.FirstStep);
    if (S.Guarded)
      open("if (" + T.Header.Cond + ") {");
    sequence(S.Prologue, {Names, Names, ""});
    if (!S.Producer.empty())
      producer();
    fill();
    if (T.Stages > 1 && !T.StageIsDeclared)
      line("int " + T.Stage + " = 0;");
    if (!T.Parity.empty())
      line("unsigned " + T.Parity + " = 0;");
    if (S.Slots == 1)
      mark();
    Out += reindent(T.Pragma, T.PragmaFrom, indent());
    if (T.Unroll)
      line("#pragma unroll " + llvm::Twine(T.Unroll));
    steady();
    drain();
    sequence(S.Epilogue, {Names, Nexts, T.Stage});
    // The last tile's step, where one of the header's variables lives on.
    if (S.SteadyAhead && S.Drain.empty() && livesOn())
      line(T.Header.Step + ";");
    if (S.Guarded)
      close("}");
    return std::move(Out);
  }

private:
  const Schedule &S;
  const SkeletonText &T;
  RuntimeCalls &Calls;
  const bool Cursor; ///< tiles are loaded for variables that run ahead
  Values Names, Nexts;
  unsigned Depth = 0;
  std::string Out;

  /// Where a sequence stands.
  struct Place {
    const Values &This, &Ahead; ///< of the header's variables
    std::string From;           ///< the stage; empty: 0
  };

  std::string indent() const {
    std::string Text = T.Indent;
    for (unsigned I = 0; I != Depth; ++I)
      Text += T.Unit;
    return Text;
  }
  void line(const llvm::Twine &Text) { Out += indent() + Text.str() + "\n"; }
  void open(const llvm::Twine &Text) {
    line(Text);
    ++Depth;
  }
  void close(const llvm::Twine &Text) {
    --Depth;
    line(Text);
  }

  void mark() { line("// " + T.Comment); }

  /// One thread of a warp of its own, which ends here: what follows is the
  /// author's threads' alone, and no sums are kept for the producer's.
  void producer() {
    line("// " + T.Produces);
    open("if (threadIdx.x >= " + llvm::Twine(T.Authors) + ") {");
    if (T.Keeps)
      line(Calls.to(Primitive::GiveRegisters) + "<" + llvm::Twine(T.Keeps) +
           ">();");
    open("if (threadIdx.x == " + llvm::Twine(T.Authors) + ") {");
    line("int " + T.Stage + " = 0;");
    line("unsigned " + T.Parity + " = 1;");
    everyTile(S.Producer, {Names, Names, T.Stage});
    close("}");
    line("return;");
    close("}");
    if (T.Takes)
      line(Calls.to(Primitive::TakeRegisters) + "<" + llvm::Twine(T.Takes) +
           ">();");
  }

  /// A variable that the loop steps is declared before it.
  bool livesOn() const {
    const auto *Init = llvm::dyn_cast_or_null<clang::DeclStmt>(T.Loop.Init);
    return llvm::any_of(T.Loop.HeaderVars, [&](const HeaderVar &H) {
      return !Init || !llvm::is_contained(Init->decls(), H.Var);
    });
  }

  bool isDo() const { return T.Loop.Kind == LoopKind::Do; }

  std::string call(const std::string &Name, const Values &V) const {
    return Name + "(" + llvm::join(V, ", ") + ")";
  }

  /// Is there a tile for the variables that run ahead of the header's?
  std::string aheadCondition() const {
    if (!Cursor)
      return T.Header.NextCond.empty() ? call(T.HasTile, Nexts)
                                       : T.Header.NextCond;
    return T.Cursor.Cond.empty() ? call(T.HasTile, T.Cursor.Values)
                                 : T.Cursor.Cond;
  }
  std::string cursorStep() const {
    return T.Cursor.Step.empty() ? call(T.NextTile, T.Cursor.Values)
                                 : T.Cursor.Step;
  }

  /// The stage that lies Offset behind From.
  std::string stage(const std::string &From, unsigned Offset) const {
    if (From.empty())
      return std::to_string(Offset);
    if (!Offset)
      return From;
    if (T.Stages == 2)
      return From + " ^ 1";
    if (Offset == 1)
      return turned(Primitive::NextStage, From);
    // A ring: what lies far ahead is near behind.
    std::string Text = From;
    for (unsigned Back = T.Stages - Offset; Back != 0; --Back)
      Text = turned(Primitive::PreviousStage, Text);
    return Text;
  }
  std::string turned(Primitive Way, const std::string &From) const {
    return Calls.to(Way) + "<" + std::to_string(T.Stages) + ">(" + From + ")";
  }
  std::string turn(Primitive Way) const {
    return T.Stages == 2 ? T.Stage + " ^= 1;"
                         : T.Stage + " = " + turned(Way, T.Stage) + ";";
  }

  /// One line an mbarrier.
  std::string waits() const {
    std::string Text;
    for (const std::string &Full : T.Full)
      Text += (Text.empty() ? "" : "\n" + indent()) +
              Calls.to(Primitive::WaitFull) + "(" + Full + ", " + T.Parity +
              ");";
    return Text;
  }

  std::string text(const Step &X, const Place &P) const {
    const Values &V = X.Tile ? P.Ahead : P.This;
    auto At = [&] { return stage(P.From, X.Stage); };
    switch (X.Do) {
    case Step::Kind::Load:
      return T.Load(V, At);
    case Step::Kind::Commit:
      return Calls.to(Primitive::Commit) + "();";
    case Step::Kind::Store:
      return T.Store(V, At);
    case Step::Kind::Wait:
      return Calls.to(Primitive::WaitPrior) + "<" + std::to_string(X.Pending) +
             ">();";
    case Step::Kind::Barrier:
      return T.Barrier;
    case Step::Kind::Compute:
      return T.Compute(V, At);
    case Step::Kind::Touch:
      return T.Touch;
    case Step::Kind::WaitFull:
      return waits();
    case Step::Kind::MatrixWait:
      return Calls.to(Primitive::MatrixWait) + "<" + std::to_string(X.Pending) +
             ">();";
    case Step::Kind::Release:
      return Calls.to(Primitive::ReleaseTile) + "();";
    case Step::Kind::ProxyFence:
      return Calls.to(Primitive::FenceProxyAsync) + "();";
    case Step::Kind::Start:
      return Calls.to(Primitive::StartStages) + "<" +
             std::to_string(T.Authors) + ">(" + T.Empty + ");";
    case Step::Kind::WaitEmpty:
      return Calls.to(Primitive::WaitEmpty) + "(" + T.Empty + "[" + T.Stage +
             "], " + T.Parity + ");";
    case Step::Kind::Free:
      return Calls.to(Primitive::FreeStage) + "(" + T.Empty + "[" + At() +
             "]);";
    case Step::Kind::Turn:
      if (!T.Parity.empty())
        return turn(Primitive::NextStage) + "\n" + indent() + T.Parity +
               " ^= " + T.Stage + " == " + std::to_string(X.Stage) + ";";
      return turn(Primitive::NextStage);
    case Step::Kind::TurnBack:
      return turn(Primitive::PreviousStage);
    }
    llvm_unreachable("a step of no kind");
  }

  /// Steps that ask if their tile exists stand under one condition, or under
  /// a variable where other steps stand between them. Behind the last of them,
  /// the variables that run ahead go on to the next tile. Question: empty if
  /// the tile is there unasked.
  void sequence(const Steps &Sequence, const Place &P,
                const std::string &Question = "") {
    auto asks = [&](const Step &X) { return X.IfThere && !Question.empty(); };
    auto none = [&](const Step &X) { return !asks(X); };
    std::string Asked = Question;
    for (auto I = Sequence.begin(), All = Sequence.end(); I != All;) {
      if (!asks(*I)) {
        line(text(*I++, P));
        continue;
      }
      auto End = std::find_if(I, All, none);
      bool Last = std::none_of(End, All, asks);
      if (!Last && Asked == Question) {
        line("const bool " + T.More + " = " + grouped(Question) + ";");
        Asked = T.More;
      }
      bool Advance = Last && Cursor, Block = Advance || End - I > 1;
      open("if (" + Asked + (Block ? ") {" : ")"));
      while (I != End)
        line(text(*I++, P));
      if (Advance)
        line(cursorStep() + ";");
      --Depth;
      if (Block)
        line("}");
    }
  }

  /// A condition, made of the author's, as an operand of what binds tighter
  /// than a comma or `?:`.
  std::string grouped(const std::string &Condition) const {
    return asOperand(Condition, bindingOf(T.Loop.Cond), Binding::LogicalOr);
  }

  /// A condition as an operand of `&&`.
  std::string conjunct(const std::string &Condition) const {
    return asOperand(Condition, bindingOf(T.Loop.Cond), Binding::LogicalAnd);
  }

  void fill() {
    if (!S.Fills)
      return;
    const Values &From = Cursor ? T.Cursor.Values : Names;
    if (Cursor)
      for (const std::string &D : T.Cursor.Declarations)
        line(D);
    std::string Question = Cursor ? aheadCondition() : T.Header.Cond;
    if (S.Fills == 1)
      return sequence(S.Fill, {From, From, ""}, isDo() ? "" : Question);
    if (S.Slots > 1)
      line("#pragma unroll");
    open("for (int " + T.Slot + " = 0; " + T.Slot + " < " +
         std::to_string(S.Fills) + "; ++" + T.Slot + ") {");
    // A do loop's first tile is there unasked.
    if (isDo())
      Question = T.Slot + " == 0 || " + grouped(Question);
    // Registers are no stage: what waits there is stored later.
    sequence(S.Fill, {From, From, S.Slots > 1 ? "" : T.Slot}, Question);
    close("}");
  }

  void steady() {
    const Values &Ahead = Cursor ? T.Cursor.Values : Nexts;
    Place P{Names, Ahead, T.Stage};
    if (S.Slots > 1)
      return slotBySlot(S.Steady, P);
    if (!S.SteadyAhead)
      return everyTile(S.Steady, P);
    open("for (; " + aheadCondition() + "; " + T.Header.Step +
         (Cursor ? ", " + cursorStep() : "") + ") {");
    sequence(S.Steady, P);
    close("}");
  }

  void drain() {
    if (S.Drain.empty())
      return;
    line("// " + Message(msg::comment_drain).str());
    everyTile(S.Drain, {Names, Names, T.Stage});
  }

  /// The author's loop, from where the header's variables are.
  void everyTile(const Steps &Sequence, const Place &P) {
    if (!isDo()) {
      open("for (; " + T.Header.Cond + "; " + T.Header.Step + ") {");
      sequence(Sequence, P, aheadCondition());
      close("}");
      return;
    }
    open("do {");
    sequence(Sequence, P, aheadCondition());
    line(T.Header.Step + ";");
    close("} while (" + T.Header.Cond + ");");
  }

  /// The same with a turn for as many tiles as there are slots: unrolled, each
  /// knows its registers.
  void slotBySlot(const Steps &Sequence, const Place &P) {
    const std::string &Cond = T.Header.Cond;
    const std::string Slots =
        T.Slot + " = 0; " + T.Slot + " < " + std::to_string(S.Slots);
    open(isDo() ? "do {" : "while (" + Cond + ") {");
    line("#pragma unroll");
    mark(); // here, where the barriers are
    if (isDo()) {
      open("for (int " + Slots + "; ++" + T.Slot + ") {");
      sequence(Sequence, P, aheadCondition());
      line(T.Header.Step + ";");
      open("if (!(" + Cond + "))");
      line("break;");
      --Depth;
      close("}");
      return close("} while (" + Cond + ");");
    }
    open("for (int " + Slots + " && " + conjunct(Cond) + "; ++" + T.Slot +
         ", " + T.Header.Step + ") {");
    sequence(Sequence, P, aheadCondition());
    close("}");
    close("}");
  }
};

} // namespace

std::string skeletonText(const Schedule &S, const SkeletonText &Text,
                         RuntimeCalls &Calls) {
  return Skeleton(S, Text, Calls).run();
}

} // namespace kpipe
