// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses each text's target and hands all of them to one FileWriter, so that
// a failure leaves everything as it was.
#include "Outputs.h"
#include "UnifiedDiff.h"
#include "kpipe/Frontend.h"
#include "kpipe/LineDiff.h"
#include "support/FileWriter.h"
#include "support/ShellWords.h"
#include "clang/Tooling/ReplacementsYaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace kpipe {

static llvm::Error refuse(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

static llvm::SmallString<256> absolute(llvm::StringRef Path) {
  llvm::SmallString<256> Full(Path);
  llvm::sys::fs::make_absolute(Full);
  llvm::sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full;
}

/// Is a path the folder's own, or of something in it?
static bool isBelow(llvm::StringRef Root, llvm::StringRef Path) {
  return Path.consume_front(Root) &&
         (Path.empty() || Path.starts_with("/") || Root.ends_with("/"));
}

/// Where --output-dir puts files: below the working directory each under its
/// own path; elsewhere under its path from the deepest folder that holds all
/// such inputs.
class Mirror {
public:
  Mirror(llvm::StringRef Directory, llvm::ArrayRef<std::string> Inputs)
      : Directory(Directory) {
    llvm::sys::fs::current_path(Here);
    for (const std::string &Input : Inputs) {
      llvm::SmallString<256> Folder = absolute(Input);
      llvm::sys::path::remove_filename(Folder);
      if (isBelow(Here, Folder))
        continue;
      if (Elsewhere.empty())
        Elsewhere = Folder;
      while (!isBelow(Elsewhere, Folder))
        llvm::sys::path::remove_filename(Elsewhere);
    }
  }

  /// Empty if the file lies in neither.
  std::string target(llvm::StringRef Path) const {
    llvm::SmallString<256> Full = absolute(Path);
    for (llvm::StringRef Root : {Here.str(), Elsewhere.str()}) {
      if (Root.empty() || !isBelow(Root, Full))
        continue;
      llvm::SmallString<256> Target(Directory);
      llvm::sys::path::append(Target, Full.str().drop_front(Root.size()));
      return Target.str().str();
    }
    return "";
  }

private:
  std::string Directory;
  llvm::SmallString<256> Here, Elsewhere;
};

llvm::Error refuseInputs(llvm::ArrayRef<std::string> Inputs,
                         llvm::StringRef Output, llvm::StringRef Option) {
  if (Output.empty())
    return llvm::Error::success();
  for (const std::string &Input : Inputs) {
    bool Same = Output == Input;
    if (!Same && llvm::sys::fs::equivalent(Output, Input, Same))
      Same = false; // one of them does not exist
    // Two names of a device are no danger: it is written to, never replaced.
    if (Same && (!llvm::sys::fs::exists(Output) ||
                 llvm::sys::fs::is_regular_file(Output)))
      return refuse("'" + Output + "' (" + Option + ") is the input '" + Input +
                    "'; choose another name, or use -i to rewrite in place");
  }
  return llvm::Error::success();
}

llvm::Error refuseClashes(llvm::ArrayRef<NamedOutput> Outputs) {
  for (size_t I = 0; I < Outputs.size(); ++I)
    for (size_t J = 0; J < I; ++J) {
      const NamedOutput &A = Outputs[J], &B = Outputs[I];
      if (A.Path.empty() || B.Path.empty())
        continue;
      bool Same = absolute(A.Path) == absolute(B.Path);
      bool Linked = false;
      if (!llvm::sys::fs::equivalent(A.Path, B.Path, Linked))
        Same |= Linked;
      if (Same && (!llvm::sys::fs::exists(B.Path) ||
                   llvm::sys::fs::is_regular_file(B.Path)))
        return refuse("'" + B.Path + "' (" + B.Option + ") is what " +
                      A.Option + " names too; give each a name of its own");
    }
  return llvm::Error::success();
}

llvm::Error checkOutputs(const OutputRequest &Request,
                         llvm::ArrayRef<std::string> Inputs) {
  std::vector<llvm::StringRef> Chosen;
  if (!Request.File.empty())
    Chosen.push_back("-o");
  // Beside -o it is where edited headers go.
  if (!Request.Directory.empty() && Request.File.empty())
    Chosen.push_back("--output-dir");
  if (Request.InPlace)
    Chosen.push_back("-i");
  if (Request.Diff)
    Chosen.push_back("--diff");
  if (Request.DryRun)
    Chosen.push_back("--dry-run");
  if (Chosen.size() > 1)
    return refuse(Chosen[0] + " and " + Chosen[1] +
                  " contradict each other; choose one");
  if (llvm::is_contained(Inputs, StandardInput) &&
      (Request.InPlace || !Request.Directory.empty() ||
       !Request.FixesFile.empty()))
    return refuse((Request.InPlace                ? "-i"
                   : !Request.Directory.empty() ? "--output-dir"
                                                : "--export-fixes") +
                  llvm::Twine(" needs files; what comes from standard input "
                              "goes to standard output or to -o"));
  if (Inputs.size() > 1 && !Request.File.empty())
    return refuse("-o takes one input, not " + llvm::Twine(Inputs.size()) +
                  "; use --output-dir or -i");
  if (Inputs.size() > 1 && Chosen.empty())
    return refuse("several inputs do not go to standard output; use "
                  "--output-dir, -i, --diff or --dry-run");
  if (Request.File != StandardOutput)
    if (llvm::Error Bad = refuseInputs(Inputs, Request.File, "-o"))
      return Bad;
  if (llvm::Error Bad =
          refuseInputs(Inputs, Request.FixesFile, "--export-fixes"))
    return Bad;
  if (Request.Directory.empty())
    return llvm::Error::success();
  if (llvm::sys::fs::exists(Request.Directory) &&
      !llvm::sys::fs::is_directory(Request.Directory))
    return refuse("--output-dir=" + Request.Directory +
                  ": not a directory; name one, or use -o");
  Mirror Tree(Request.Directory, Inputs);
  llvm::StringMap<llvm::StringRef> Targets;
  for (const std::string &Input : Inputs) {
    std::string Target = Tree.target(Input);
    auto [Entry, IsNew] = Targets.try_emplace(Target, Input);
    if (!IsNew)
      return refuse("'" + Entry->second + "' and '" + Input +
                    "' would both become '" + Target +
                    "'; give them to separate runs");
    if (llvm::Error Bad = refuseInputs(Inputs, Target, "--output-dir"))
      return Bad;
  }
  return llvm::Error::success();
}

/// Where paths of a diff begin: in the working directory, or in the deepest
/// folder that holds it and all files that change. `patch` takes no others.
static llvm::SmallString<256> diffRoot(llvm::ArrayRef<RewrittenFile> Files) {
  llvm::SmallString<256> Root;
  llvm::sys::fs::current_path(Root);
  for (const RewrittenFile &File : Files)
    if (File.Path != StandardInput && File.Old != File.New)
      while (!isBelow(Root, absolute(File.Path)))
        llvm::sys::path::remove_filename(Root);
  return Root;
}

static std::string diffPath(llvm::StringRef Path, llvm::StringRef Root) {
  if (Path == StandardInput)
    return "stdin.cu";
  const llvm::SmallString<256> Full = absolute(Path);
  return Full.str().drop_front(Root.size()).ltrim('/').str();
}

/// Line changes as replacements: unlike the edits themselves they hold the
/// includes and the formatting as well.
static std::string fixesOf(llvm::ArrayRef<RewrittenFile> Files) {
  clang::tooling::TranslationUnitReplacements Fixes;
  for (const RewrittenFile &File : Files) {
    llvm::SmallString<256> Absolute(File.Path);
    llvm::sys::fs::make_absolute(Absolute);
    if (Fixes.MainSourceFile.empty())
      Fixes.MainSourceFile = Absolute.str().str();
    std::vector<llvm::StringRef> Old = splitLines(File.Old);
    std::vector<llvm::StringRef> New = splitLines(File.New);
    unsigned Offset = 0, Line = 0;
    for (const LineChange &C : diffLines(Old, New)) {
      for (; Line < C.OldBegin; ++Line)
        Offset += Old[Line].size();
      unsigned Length = 0;
      for (unsigned L = C.OldBegin; L < C.OldEnd; ++L)
        Length += Old[L].size();
      std::string Text;
      for (unsigned L = C.NewBegin; L < C.NewEnd; ++L)
        Text += New[L];
      Fixes.Replacements.emplace_back(Absolute, Offset, Length, Text);
    }
  }
  std::string Yaml;
  llvm::raw_string_ostream OS(Yaml);
  llvm::yaml::Output Writer(OS);
  Writer << Fixes;
  return Yaml;
}

llvm::Error writeOutputs(const OutputRequest &Request,
                         llvm::ArrayRef<RewrittenFile> Files,
                         llvm::ArrayRef<ExtraFile> Extra) {
  FileWriter Writer;
  std::string ToStandardOutput;
  bool ToFiles = Request.InPlace || !Request.Directory.empty();
  std::vector<std::string> Inputs;
  for (const RewrittenFile &File : Files)
    if (!File.IsHeader)
      Inputs.push_back(File.Path);
  Mirror Tree(Request.Directory, Inputs);
  const llvm::SmallString<256> Root = diffRoot(Files);
  for (const RewrittenFile &File : Files) {
    if (Request.DryRun)
      continue;
    if (Request.Diff && File.Old == File.New)
      continue;
    if (Request.Diff) {
      ToStandardOutput +=
          unifiedDiff(diffPath(File.Path, Root), File.Old, File.New);
      continue;
    }
    if (File.IsHeader && !ToFiles)
      return refuse("'" + File.Path +
                    "' is rewritten as well; use -i, --output-dir (also beside "
                    "-o) or --diff, or leave --header-filter out");
    std::string Target = File.Path;
    if (Request.File == StandardOutput && !File.IsHeader) {
      ToStandardOutput += File.New;
      continue;
    }
    if (!Request.File.empty() && !File.IsHeader)
      Target = Request.File;
    else if (!Request.Directory.empty()) {
      Target = Tree.target(File.Path);
      if (Target.empty())
        return refuse("'" + File.Path +
                      "' lies in no folder of the inputs, so --output-dir has "
                      "no place for it; use -i or --diff");
      llvm::StringRef Folder = llvm::sys::path::parent_path(Target);
      if (std::error_code Failed = llvm::sys::fs::create_directories(Folder))
        return writeError(Folder, Failed);
    } else if (!Request.InPlace) {
      ToStandardOutput += File.New;
      continue;
    }
    // An unchanged file keeps its time stamp, so that builds leave it alone.
    if (Request.InPlace && File.Old == File.New)
      continue;
    if (llvm::Error Failed = Writer.stage(Target, File.New))
      return Failed;
  }
  if (!Request.FixesFile.empty())
    if (llvm::Error Failed = Writer.stage(Request.FixesFile, fixesOf(Files)))
      return Failed;
  for (const ExtraFile &File : Extra)
    if (llvm::Error Failed = Writer.stage(File.Path, File.Text))
      return Failed;
  if (Request.Diff && !ToStandardOutput.empty() && Root != absolute("."))
    llvm::errs() << "kpipe: the diff's paths begin in '" << Root
                 << "'; apply it with 'patch -p1 -d " << shellWord(Root)
                 << "'\n";
  if (std::error_code Failed = writeAll(STDOUT_FILENO, ToStandardOutput))
    return writeError("standard output", Failed);
  return Writer.commit();
}

} // namespace kpipe
