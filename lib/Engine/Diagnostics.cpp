// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics of loops, see Diagnostics.h.
#include "Diagnostics.h"
#include "Support/PlaceOf.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Diagnostic about(RuleId Rule, Place Where, Message What, Severity Level) {
  Diagnostic D;
  D.Level = Level;
  D.Rule = Rule;
  D.Where = std::move(Where);
  D.What = std::move(What);
  return D;
}

Diagnostic toDiagnostic(const Obstacle &Why, const SourceManager &SM) {
  Diagnostic D =
      about(Why.Rule, placeOf(Why.Where, SM), {msg::not_pipelined, Why.Why});
  for (const Obstacle::Remark &N : Why.Notes)
    D.Notes.push_back({placeOf(N.Where, SM), N.What, N.Fixes});
  return D;
}

std::string instantiationName(const FunctionDecl *F) {
  std::string Text;
  llvm::raw_string_ostream Name(Text);
  F->getNameForDiagnostic(Name, F->getASTContext().getPrintingPolicy(),
                          /*Qualified=*/true);
  return Text;
}

bool discardsBranches(const Stmt *S) {
  const auto *I = dyn_cast_or_null<IfStmt>(S);
  return S && ((I && I->isConstexpr()) ||
               llvm::any_of(S->children(), discardsBranches));
}

/// "3 stages of As, Bs, cp.async"
static Message summary(const TileLoop &Loop, const PipelinePlan &P) {
  const bool Async = P.hasRoute(Route::AsyncCopy);
  const bool Staged = P.hasRoute(Route::Registers);
  const Message How =
      P.Buffers == 1 && P.TilesInRegisters > 1
          ? Message(msg::by_tiles_in_registers, P.TilesInRegisters)
      : Loop.Bulk ? Message(msg::by_bulk)
          : Message(Async && Staged ? msg::by_both
                    : Async         ? msg::by_async
                                    : msg::by_registers);
  std::string Names;
  for (const StagedBuffer &B : Loop.Buffers)
    if (!Loop.Bulk || !Loop.Bulk->barrier(B.Var))
      Names += (Names.empty() ? "" : ", ") + B.named()->getNameAsString();
  if (P.Buffers == 1)
    return {msg::single_buffer_of, Names, How};
  return {msg::stages_of, P.stages(), Names, How};
}

Diagnostic pipelined(Place Where, const TileLoop &Loop,
                     const PipelinePlan &Plan) {
  Diagnostic D = about(RuleId::Pipelined, Where,
                       {msg::pipelined_loop, summary(Loop, Plan)},
                       Severity::Remark);
  for (const Reason &R : Plan.Reasons)
    if (R.StepDown)
      D.Notes.push_back({Where, R.Text});
  return D;
}

Diagnostic neverInstantiated(llvm::StringRef Name, Place Where,
                             llvm::ArrayRef<Note> Errors) {
  Diagnostic D = about(
      RuleId::NotInstantiated, Where,
      {msg::not_pipelined,
       Message(Errors.empty() ? msg::never_instantiated
                              : msg::no_instance_parses,
               Name)});
  if (Errors.empty()) {
    D.Notes.push_back({D.Where, {msg::name_an_instantiation, Name}});
    return D;
  }
  // All that is wrong may come of a header that is missing.
  const Note *First = llvm::find_if(
      Errors, [](const Note &E) { return E.What.is(msg::header_is_missing); });
  const bool Include = First != Errors.end();
  if (!Include)
    First = Errors.begin();
  D.Notes.push_back(
      {First->Where,
       {Include ? msg::fix_include_first : msg::mend_errors_first,
        First->What}});
  return D;
}

const VetoedLoop *vetoOf(const Place &Where, const TransformOptions &Options) {
  for (const VetoedLoop &V : Options.Vetoes)
    if (V.Where.File == Where.File && V.Where.Line == Where.Line &&
        V.Where.Column == Where.Column)
      return &V;
  return nullptr;
}

const AsyncLoop *asyncLoopAt(const Place &Where,
                             const TransformOptions &Options) {
  for (const AsyncLoop &L : Options.Asynchronous)
    if (L.Where.File == Where.File && L.Where.Line == Where.Line)
      return &L;
  return nullptr;
}

static Message cureOf(const AsyncLoop &Loop) {
  if (Loop.Why.is(msg::in_flight_before))
    return msg::drain_before_loop;
  if (Loop.Why.is(msg::one_buffer_in_flight))
    return msg::wait_in_turn;
  if (Loop.Why.is(msg::async_unseen))
    return msg::define_what_is_called;
  return msg::copy_plainly;
}

Diagnostic asynchronous(const AsyncLoop &Loop) {
  if (Loop.Staged)
    return about(RuleId::AlreadyPipelined, Loop.At, Loop.Why,
                 Severity::Remark);
  Diagnostic D =
      about(RuleId::ForeignAsync, Loop.At, {msg::not_pipelined, Loop.Why});
  D.Notes.push_back({Loop.At, cureOf(Loop)});
  return D;
}

/// Among the loops of its file, in the order of the source.
static void addRefused(const AsyncLoop &L, llvm::StringRef Arch,
                       UnitOutcome &Out) {
  LoopOutcome O;
  O.Function = O.Report.Function = L.Key.Function;
  O.Key = L.Key;
  O.Where = O.Report.Where = L.Where;
  O.LastLine = L.LastLine;
  O.Diagnostics.push_back(asynchronous(L));
  if (L.Staged)
    O.Verdict = LoopVerdict::AlreadyPipelined;
  ArchReport A;
  A.Arch = Arch;
  A.Verdict = O.Verdict;
  A.Reasons = O.Diagnostics;
  O.Report.Archs.push_back(std::move(A));
  auto Behind = llvm::find_if(Out.Loops, [&](const LoopOutcome &Other) {
    return Other.Where.File == O.Where.File && O.Where.Line < Other.Where.Line;
  });
  Out.Loops.insert(Behind, std::move(O));
}

void reportUnseen(const TransformOptions &Options, llvm::StringRef Arch,
                  UnitOutcome &Out) {
  llvm::SmallVector<const AsyncLoop *, 4> Unseen;
  for (const AsyncLoop &L : Options.Asynchronous)
    if (llvm::none_of(Out.Loops, [&](const LoopOutcome &O) {
          return asyncLoopAt(O.Where, Options) == &L;
        }))
      Unseen.push_back(&L);
  for (const AsyncLoop *L : Unseen)
    if (!L->Key.Function.empty())
      addRefused(*L, Arch, Out);
    else
      Out.Diagnostics.push_back(asynchronous(*L));
}

} // namespace kpipe
