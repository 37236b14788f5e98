// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RemappedCopies.h.
#include "RemappedCopies.h"
#include "LoweredCopies.h"
#include "kpipe/BulkMeaning.h"
#include "kpipe/RemappedMeaning.h"
#include "kpipe/TmaMeaning.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

namespace {

class Remapping {
public:
  Remapping(UnitResult &Unit, TransformOptions Options, unsigned ArchIndex)
      : Unit(Unit), Options(std::move(Options)), ArchIndex(ArchIndex) {}

  UnitOutcome run() {
    Options.KeptMappings = Unit.NotProved;
    for (;;) {
      Unit.Unit = Unit.Base;
      Options.Remapped.clear();
      UnitOutcome Outcome = transformed(*Unit.Base);
      std::vector<RemapOfLoop> Loops;
      for (LoopOutcome &Loop : Outcome.Loops)
        if (Loop.Remap)
          Loops.push_back(std::move(*Loop.Remap));
      if (Loops.empty())
        return Outcome;
      ParsedUnit *New = parsed(Loops);
      if (!New)
        continue;
      for (const RemapOfLoop &R : Loops)
        Options.Remapped.push_back(R.Loop);
      UnitOutcome Remapped = transformed(*New);
      if (allPipelined(Remapped)) {
        Unit.Unit = New;
        return Remapped;
      }
    }
  }

private:
  UnitResult &Unit;
  TransformOptions Options;
  const unsigned ArchIndex;

  UnitOutcome transformed(ParsedUnit &Of) const {
    std::vector<Note> PassedOver;
    for (const ParseError &E : Of.errors())
      PassedOver.push_back(
          {E.Where,
           {E.MissingFile ? msg::header_is_missing : msg::verbatim,
            E.Message}});
    return transformUnit(Of.context(), Options, ArchIndex, PassedOver,
                         Of.skipped());
  }

  void keep(const RemappedLoop &Loop, Message Why) {
    Options.KeptMappings.push_back({Loop.Where, std::move(Why), Loop.By});
  }

  /// The check of the new text, which believes nothing of how it was made.
  bool isProved(const RemapOfLoop &R, ParsedUnit &New) const {
    auto *Check = R.Loop.By == CopyMapping::Tma    ? engineBringsTheSame
                  : R.Loop.By == CopyMapping::Bulk ? engineBringsRows
                                                   : bringTheSame;
    return Check(Unit.Base->context(), New.context(), R.Loop.Where, R.Block);
  }

  /// The files with all changes; nothing where they cannot be made.
  std::optional<llvm::StringMap<std::string>>
  textsOf(llvm::ArrayRef<RemapOfLoop> Loops) const {
    std::map<std::string, clang::tooling::AtomicChanges> ByFile;
    for (const RemapOfLoop &R : Loops)
      ByFile[R.Change.getFilePath()].push_back(R.Change);
    llvm::StringMap<std::string> Texts;
    for (const auto &[File, Changes] : ByFile) {
      llvm::Expected<std::string> Old = loweredText(Unit, File);
      clang::tooling::ApplyChangesSpec Spec;
      Spec.Cleanup = false;
      llvm::Expected<std::string> New =
          Old ? clang::tooling::applyAtomicChanges(File, *Old, Changes, Spec)
              : Old.takeError();
      if (!New) {
        llvm::consumeError(New.takeError());
        return std::nullopt;
      }
      Texts[File] = std::move(*New);
    }
    return std::move(Texts);
  }

  /// The unit with the new texts, which has been checked. Null where some loop
  /// keeps its copies because of that.
  ParsedUnit *parsed(llvm::ArrayRef<RemapOfLoop> Loops) {
    auto KeepAll = [&](Message Why) {
      for (const RemapOfLoop &R : Loops)
        keep(R.Loop, Why);
      return nullptr;
    };
    auto Texts = textsOf(Loops);
    if (!Texts)
      return KeepAll({msg::edits_clash});
    std::string Key;
    for (const auto &Entry : *Texts)
      Key += (Entry.first() + "\n" + Entry.second).str();
    std::unique_ptr<ParsedUnit> &Known = Unit.WithRemapped[Key];
    if (Known)
      return Known.get();
    const bool ByEngine = llvm::any_of(Loops, [](const RemapOfLoop &R) {
      return R.Loop.By != CopyMapping::Remap;
    });
    auto New = Unit.Base->withTexts(*Texts, /*WithRuntime=*/ByEngine);
    if (!New) {
      llvm::consumeError(New.takeError());
      return KeepAll({msg::remap_not_proved});
    }
    if ((*New)->errors().size() > Unit.Base->errors().size())
      return KeepAll({msg::result_does_not_compile,
                      (*New)->errors().back().Message});
    bool Good = true;
    for (const RemapOfLoop &R : Loops)
      if (!isProved(R, **New)) {
        keep(R.Loop, {R.Loop.By == CopyMapping::Remap ? msg::remap_not_proved
                                                      : msg::tma_not_proved});
        Unit.NotProved.push_back(Options.KeptMappings.back());
        Good = false;
      }
    if (!Good)
      return nullptr;
    Known = std::move(*New);
    return Known.get();
  }

  bool allPipelined(const UnitOutcome &Outcome) {
    bool Good = true;
    for (const RemappedLoop &R : Options.Remapped) {
      auto At = llvm::find_if(Outcome.Loops, [&](const LoopOutcome &Loop) {
        return sameLine(Loop.Where, R.Where);
      });
      if (At != Outcome.Loops.end() && At->Verdict == LoopVerdict::Pipelined)
        continue;
      Message Why = At != Outcome.Loops.end() && !At->Diagnostics.empty()
                        ? At->Diagnostics.front().What
                        : Message(msg::remap_not_proved);
      keep(R, {R.By == CopyMapping::Tma    ? msg::tma_not_pipelined
               : R.By == CopyMapping::Bulk ? msg::bulk_copies_not_pipelined
                                           : msg::remap_not_pipelined,
               Why});
      Good = false;
    }
    return Good;
  }
};

} // namespace

UnitOutcome transformedRemapped(UnitResult &Unit, TransformOptions Options,
                                unsigned ArchIndex) {
  return Remapping(Unit, std::move(Options), ArchIndex).run();
}

} // namespace kpipe
