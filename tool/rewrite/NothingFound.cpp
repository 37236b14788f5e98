// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NothingFound.h.
#include "NothingFound.h"
#include "kpipe/Suggestions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

namespace kpipe {

/// "; did you mean 'gemm'?", else what there is.
static std::string otherKernels(llvm::StringRef Asked,
                                llvm::ArrayRef<std::string> Kernels) {
  constexpr size_t MostNamed = 3;
  std::vector<llvm::StringRef> Names;
  for (llvm::StringRef Kernel : Kernels) {
    Names.push_back(Kernel);
    Names.push_back(Kernel.substr(Kernel.rfind(':') + 1));
  }
  if (std::string Meant = didYouMean(Asked, Names); !Meant.empty())
    return Meant;
  std::string Text;
  for (llvm::StringRef Kernel : Kernels.take_front(MostNamed))
    Text += (Text.empty() ? "; the file has '" : ", '") + Kernel.str() + "'";
  if (Kernels.size() > MostNamed)
    Text += " and " + std::to_string(Kernels.size() - MostNamed) + " more";
  return Text;
}

Message whyNoLoop(const FileRequest &Request, const UnitOutcome &Outcome) {
  if (!Outcome.Loops.empty())
    return {};
  if (Outcome.NoKernelMatches)
    return {msg::no_kernel_matches, Request.Transform.KernelRegex,
            otherKernels(Request.Transform.KernelRegex, Outcome.OtherKernels)};
  if (!Outcome.LoopsInHeaders)
    return Outcome.PassedOver;
  std::string Filter;
  for (const std::string &Name : Outcome.HeadersWithLoops)
    Filter += (Filter.empty() ? "" : "|") + llvm::Regex::escape(Name);
  if (Outcome.LoopsInHeaders == 1)
    return {msg::loop_in_header, Filter};
  return {msg::loops_in_headers, Outcome.LoopsInHeaders, Filter};
}

static Diagnostic remarkOn(const FileRequest &Request, Message What) {
  return {Severity::Remark,
          RuleId::NothingPipelined,
          {Request.File, 0, 0},
          std::move(What),
          {}};
}

std::optional<Diagnostic> remarkOnNoLoop(const FileRequest &Request,
                                         const UnitOutcome &Outcome) {
  if (Message Why = whyNoLoop(Request, Outcome))
    return remarkOn(Request, std::move(Why));
  return std::nullopt;
}

Diagnostic remarkOnNothing(const FileRequest &Request,
                           const UnitOutcome &Outcome) {
  if (Outcome.Loops.empty()) {
    Message Why = whyNoLoop(Request, Outcome);
    // Loops were looked at, and are spoken of on their own; those of templates
    // without an instance are not known.
    if (llvm::any_of(Outcome.Diagnostics, [](const Diagnostic &D) {
          return D.Rule == RuleId::ForeignAsync ||
                 D.Rule == RuleId::NotInstantiated;
        }))
      Why = msg::no_loop_pipelined;
    return remarkOn(Request, Why ? Why : Message(msg::no_candidate_loop));
  }
  // These are not told of one by one.
  if (Request.Verbose || !llvm::all_of(Outcome.Loops, [](const LoopOutcome &L) {
        return L.Verdict == LoopVerdict::Refused && L.Report.LoadsNoTile;
      }))
    return remarkOn(Request, msg::no_loop_pipelined);
  const unsigned Innermost = Outcome.Loops.size(), Around = Outcome.LoopsAround;
  if (Around)
    return remarkOn(
        Request, Innermost == 1 ? Message(msg::loads_no_tile_within, Around + 1)
                                : Message(msg::load_no_tiles_within,
                                          Around + Innermost, Innermost));
  return remarkOn(Request, Innermost == 1
                               ? Message(msg::loads_no_tile)
                               : Message(msg::load_no_tiles, Innermost));
}

bool isBlindTo(const UnitResult &Unit) {
  const UnitOutcome &Outcome = Unit.Outcome;
  if (Outcome.LosesLoops)
    return true;
  return Outcome.Loops.empty() &&
         (Outcome.NoKernelMatches || Outcome.TilesInHeaders ||
          llvm::any_of(Unit.Unit->errors(), [](const ParseError &E) {
            return !E.HostOnly || E.MissingFile;
          }));
}

} // namespace kpipe
