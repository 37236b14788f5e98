// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places become offsets, and fixes become Clang's replacements; see Cures.h.
#include "Cures.h"
#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/YAMLTraits.h"

namespace kpipe {

namespace tooling = clang::tooling;

std::optional<unsigned> offsetOf(llvm::StringRef Text, const Place &At) {
  if (At.Line == 0 || At.Column == 0)
    return std::nullopt;
  size_t Begin = 0;
  for (unsigned Line = 1; Line != At.Line; ++Line) {
    Begin = Text.find('\n', Begin);
    if (Begin == llvm::StringRef::npos)
      return std::nullopt;
    ++Begin;
  }
  llvm::StringRef Rest = Text.substr(Begin).split('\n').first;
  if (At.Column > Rest.size() + 1)
    return std::nullopt;
  return Begin + At.Column - 1;
}

std::vector<TextEdit> editsIn(llvm::StringRef File, llvm::StringRef Text,
                              const Fix &F) {
  std::vector<TextEdit> Edits;
  for (const Insertion &I : F.Edits)
    if (I.Before.File == File)
      if (std::optional<unsigned> Offset = offsetOf(Text, I.Before))
        Edits.push_back({*Offset, 0, I.Text});
  llvm::sort(Edits);
  return Edits;
}

std::string withEdits(llvm::StringRef Text, llvm::ArrayRef<TextEdit> Edits) {
  std::string New;
  unsigned At = 0;
  for (const TextEdit &E : Edits) {
    New += Text.slice(At, E.Offset);
    New += E.Text;
    At = E.Offset + E.Length;
  }
  return New + Text.substr(At).str();
}

namespace {

class Exporter {
public:
  using Texts =
      llvm::function_ref<std::optional<std::string>(llvm::StringRef)>;
  explicit Exporter(Texts TextOf) : TextOf(TextOf) {}

  void add(const Diagnostic &D) {
    llvm::SmallVector<tooling::DiagnosticMessage, 1> Notes;
    bool Again = false, Any = false;
    for (const Note &N : D.Notes) {
      Notes.push_back(message(N.What.str(), N.Where));
      for (const Fix &F : N.Fixes) {
        tooling::DiagnosticMessage Way = message(F.What.str(), N.Where);
        if (!write(F, Way))
          continue;
        Any = true;
        // The tool applies the first way of each diagnostic that it finds.
        Again |= !Made.insert(keyOf(F)).second;
        Notes.push_back(std::move(Way));
      }
    }
    if (!Any)
      return;
    if (Again)
      for (tooling::DiagnosticMessage &N : Notes)
        N.Fix.clear();
    if (All.MainSourceFile.empty())
      All.MainSourceFile = absolute(D.Where.File);
    All.Diagnostics.emplace_back(
        D.Rule ? printedId(*D.Rule) : "kpipe", message(D.What.str(), D.Where),
        Notes,
        D.Level == Severity::Error     ? tooling::Diagnostic::Error
        : D.Level == Severity::Warning ? tooling::Diagnostic::Warning
                                       : tooling::Diagnostic::Remark,
        Here.str().str());
  }

  std::string yaml() {
    std::string Yaml;
    llvm::raw_string_ostream OS(Yaml);
    llvm::yaml::Output Writer(OS);
    Writer << All;
    return Yaml;
  }

private:
  Texts TextOf;
  tooling::TranslationUnitDiagnostics All;
  llvm::StringSet<> Made;
  llvm::SmallString<256> Here = [] {
    llvm::SmallString<256> Path;
    llvm::sys::fs::current_path(Path);
    return Path;
  }();

  static std::string absolute(llvm::StringRef Path) {
    llvm::SmallString<256> Full(Path);
    llvm::sys::fs::make_absolute(Full);
    return Full.str().str();
  }

  tooling::DiagnosticMessage message(llvm::StringRef Words, const Place &At) {
    tooling::DiagnosticMessage M(Words);
    M.FilePath = At.File.empty() ? "" : absolute(At.File);
    if (std::optional<std::string> Text = TextOf(At.File))
      M.FileOffset = offsetOf(*Text, At).value_or(0);
    return M;
  }

  /// \returns false if it cannot be written.
  bool write(const Fix &F, tooling::DiagnosticMessage &To) {
    for (const Insertion &I : F.Edits) {
      std::optional<std::string> Text = TextOf(I.Before.File);
      std::optional<unsigned> Offset =
          Text ? offsetOf(*Text, I.Before) : std::nullopt;
      std::string Path = absolute(I.Before.File);
      if (!Offset)
        return false;
      if (llvm::Error Bad = To.Fix[Path].add(
              tooling::Replacement(Path, *Offset, 0, I.Text))) {
        llvm::consumeError(std::move(Bad));
        return false;
      }
    }
    return true;
  }

  static std::string keyOf(const Fix &F) {
    std::string Key;
    for (const Insertion &I : F.Edits)
      Key += I.Before.File + ":" + std::to_string(I.Before.Line) + ":" +
             std::to_string(I.Before.Column) + ":" + I.Text;
    return Key;
  }
};

} // namespace

std::string curesAsYaml(llvm::ArrayRef<Diagnostic> Diagnostics,
                        Exporter::Texts TextOf) {
  Exporter Out(TextOf);
  for (const Diagnostic &D : Diagnostics)
    Out.add(D);
  return Out.yaml();
}

} // namespace kpipe
