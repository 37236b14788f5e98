// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits beside a producer's warp, see ProducerEdits.h.
#include "ProducerEdits.h"
#include "kpipe/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

/// The statement becomes a block under a condition, a step further in.
static void guard(const Stmt *S, unsigned Authors, const SourceText &Source,
                  llvm::StringRef Unit, std::vector<Edit> &Edits) {
  const Range Whole = Source.statement(S);
  const std::string Indent = Source.indentation(Whole.Begin).str();
  Edits.push_back({Whole.Begin, 0,
                   "if (threadIdx.x < " + std::to_string(Authors) + ") {\n" +
                       Indent + Unit.str()});
  const llvm::StringRef Text = Source.at(Whole);
  // A line inside of a raw string is no line of code.
  const bool Lines = !Text.contains("R\"");
  for (size_t At = Text.find('\n'); Lines && At != llvm::StringRef::npos;
       At = Text.find('\n', At + 1)) {
    const llvm::StringRef Line = Text.drop_front(At + 1).split('\n').first;
    if (!Line.trim().empty() && !Line.starts_with("#"))
      Edits.push_back({unsigned(Whole.Begin + At + 1), 0, Unit.str()});
  }
  Edits.push_back({Whole.End, 0, "\n" + Indent + "}"});
}

llvm::Expected<std::vector<Edit>> producerEdits(const ProducerWarp &Producer,
                                                const SourceText &Source,
                                                llvm::StringRef Unit,
                                                RuntimeCalls &Calls) {
  std::vector<Edit> Edits;
  for (const Stmt *S : Producer.Guarded)
    guard(S, Producer.Authors, Source, Unit, Edits);
  for (const Expr *E : Producer.Blocks) {
    const std::optional<Range> At = Source.expression(E);
    if (!At)
      return cannotMove(
          msg::producer_block_in_macro,
          Source.context().getSourceManager().getExpansionLineNumber(
              E->getBeginLoc()));
    Edits.push_back(
        {At->Begin, 0,
         Calls.to(Primitive::WithProducer) +
             (Producer.isGroup() ? "<" + std::to_string(Producer.Threads) + ">("
                                 : "(")});
    Edits.push_back({At->End, 0, ")"});
  }
  for (const Expr *E : Producer.Barriers) {
    const std::optional<Range> At = Source.expression(E);
    if (!At)
      return cannotMove(msg::producer_barrier_in_macro);
    Edits.push_back({At->Begin, At->size(),
                     Calls.to(Primitive::SyncThreads) + "<" +
                         std::to_string(Producer.Authors) + ">()"});
  }
  for (const Expr *E : Producer.Sizes) {
    const std::optional<Range> At = Source.expression(E);
    if (!At)
      return cannotMove(msg::producer_size_in_macro);
    Edits.push_back({At->Begin, At->size(),
                     "(" + Source.at(*At).str() + " - " +
                         std::to_string(Producer.Threads) + ")"});
  }
  if (Producer.Bounds)
    Edits.push_back(*Producer.Bounds);
  return std::move(Edits);
}

} // namespace kpipe
