// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc makes a cubin of each text for each architecture, ptxas says what it
// takes, the disassembler lists it. All of it lives in a temporary folder.
#include "Verifier.h"
#include "options/CommonOptions.h"
#include "support/Command.h"
#include "support/Failure.h"
#include "support/Parallel.h"
#include "support/ShellWords.h"
#include "support/TemporaryFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <map>
#include <set>

namespace kpipe {
namespace {

/// One text for one architecture.
struct Compiled {
  std::string Source; ///< as people know it
  std::string Failure; ///< why there is no cubin; one line
  std::string NoCode;  ///< why there is no listing
  llvm::StringMap<ResourceUse> Use;
  sass::Listing Code;
  /// An interrupt, or a program that cannot be run.
  llvm::Error Fatal = llvm::Error::success();

  CompiledKernel kernel(llvm::StringRef Name) const {
    CompiledKernel K;
    K.Name = Name.str();
    K.Use = Use.lookup(Name);
    for (const sass::Function &F : Code.Functions)
      if (F.Name == Name)
        K.Code = &F;
    return K;
  }
};

class Compiler {
public:
  Compiler(const VerifyInput &Input, const Toolchain &Tools,
           const TemporaryFolder &Folder)
      : Input(Input), Tools(Tools), Folder(Folder) {}

  Compiled run(bool IsOriginal, llvm::StringRef Arch) const {
    Compiled C;
    C.Source = IsOriginal ? Input.Original : Input.Rewritten;
    std::string Base =
        ((IsOriginal ? "original." : "rewritten.") + Arch).str();
    std::string Cubin = Folder.file(Base + ".cubin");
    std::string Scratch = Folder.file(Base + ".out");
    compile(C, IsOriginal ? Input.OriginalFile : Input.RewrittenFile, Arch,
            Cubin, Scratch);
    if (C.Failure.empty() && !C.Fatal)
      disassemble(C, Cubin, Scratch);
    return C;
  }

private:
  const VerifyInput &Input;
  const Toolchain &Tools;
  const TemporaryFolder &Folder;

  void compile(Compiled &C, const std::string &Source, llvm::StringRef Arch,
               const std::string &Cubin, const std::string &Scratch) const {
    std::vector<std::string> Words =
        cubinCommand(Tools, {Source, Arch.str(), Cubin, Input.Flags,
                             Input.IncludeFolder, Folder.file("runtime")});
    llvm::Expected<double> Limit = nvccLimit();
    if (!Limit) {
      C.Fatal = llvm::joinErrors(std::move(C.Fatal), Limit.takeError());
      return;
    }
    llvm::Expected<ToolResult> Done = runTool(Words, Scratch, *Limit);
    if (!Done) {
      C.Fatal = llvm::joinErrors(std::move(C.Fatal), Done.takeError());
      return;
    }
    if (Done->Status == 0) {
      C.Use = parseResourceUse(Done->Output);
      return;
    }
    C.Failure = "'" + C.Source + "' does not compile for " + Arch.str() + ": " +
                complaint(Done->Output) + "; nvcc " +
                versionOf(Tools.Nvcc, Scratch) +
                " was run as: " + shellLine(Words);
  }

  void disassemble(Compiled &C, const std::string &Cubin,
                   const std::string &Scratch) const {
    if (Tools.Disassembler.empty()) {
      C.NoCode = "neither nvdisasm nor cuobjdump was found; 'pip install "
                 "nvidia-cuda-nvdisasm' brings one";
      return;
    }
    llvm::Expected<ToolResult> Done =
        runTool(listingCommand(Tools, Cubin), Scratch);
    if (!Done) {
      C.Fatal = llvm::joinErrors(std::move(C.Fatal), Done.takeError());
      return;
    }
    llvm::Expected<sass::Listing> Listing = sass::parseListing(Done->Output);
    if (Done->Status != 0)
      C.NoCode = Tools.Disassembler + ": " + complaint(Done->Output);
    if (!Listing) {
      std::string Why = llvm::toString(Listing.takeError());
      if (C.NoCode.empty())
        C.NoCode = Tools.Disassembler + ": " + Why;
      return;
    }
    if (C.NoCode.empty())
      C.Code = std::move(*Listing);
  }
};

/// Kernels that both texts have, by the names in each.
class Pairs {
public:
  Pairs(const Compiled &Old, const Compiled &New) {
    // Names of kernels with internal linkage hold their file's name; then what
    // people call them decides.
    std::map<std::string, std::vector<std::string>> OldByName, NewByName;
    for (const auto &Entry : Old.Use)
      if (!New.Use.count(Entry.first()))
        OldByName[kernelName(Entry.first())].push_back(Entry.first().str());
    for (const auto &Entry : New.Use)
      if (Old.Use.count(Entry.first()))
        Both[Entry.first().str()] = Entry.first().str();
      else
        NewByName[kernelName(Entry.first())].push_back(Entry.first().str());
    for (const auto &[Name, Mangled] : NewByName) {
      auto It = OldByName.find(Name);
      if (It != OldByName.end() && It->second.size() == 1 &&
          Mangled.size() == 1) {
        Both[Mangled.front()] = It->second.front();
        OldByName.erase(It);
      } else {
        OnlyNew.insert(Name);
      }
    }
    for (const auto &[Name, Mangled] : OldByName)
      OnlyOld.insert(Name);
  }

  std::map<std::string, std::string> Both; ///< new to old
  std::set<std::string> OnlyOld, OnlyNew;
};

class PairVerifier {
public:
  PairVerifier(const VerifyInput &Input, VerifyReport &Report)
      : Input(Input), Wanted(Input.KernelRegex), Report(Report) {}

  void run(const Compiled &Old, const Compiled &New, size_t ArchIndex) {
    llvm::StringRef Arch = Input.Archs[ArchIndex];
    bool PlanIsOfText = ArchIndex < Input.PlanIsOfText.size() &&
                        Input.PlanIsOfText[ArchIndex];
    for (const Compiled *C : {&Old, &New})
      if (!C->Failure.empty())
        Report.NotMade.push_back(C->Failure);
    if (!Old.Failure.empty() || !New.Failure.empty()) {
      Any = true; // who knows
      return;
    }
    Pairs P(Old, New);
    for (const std::string &Name : P.OnlyOld)
      onlyIn(Name, Old, Arch);
    for (const std::string &Name : P.OnlyNew)
      onlyIn(Name, New, Arch);
    std::string NoCode = Old.NoCode.empty() ? New.NoCode : Old.NoCode;
    const ArchLimits &Limits = llvm::cantFail(findArch(Arch));
    for (const auto &[NewName, OldName] : P.Both) {
      std::string Name = kernelName(NewName);
      if (!wanted(Name))
        continue;
      KernelFacts Facts =
          factsOf(Name, Limits.Name, Input.Loops, PlanIsOfText);
      Facts.MayLoseBlocks |= Input.MayLoseBlocks;
      Report.Kernels.push_back(verifyKernel(Old.kernel(OldName),
                                            New.kernel(NewName), Limits, Facts,
                                            NoCode));
      Report.Kernels.back().Arch = Arch.str();
      Checked |= !Report.Kernels.back().Unchanged;
    }
    if (!NoCode.empty() && Checked)
      Report.NotMade.push_back("the code on " + Arch.str() + ": " + NoCode +
                               "; so no check says whether loads and compute "
                               "overlap there");
  }

  bool Any = false;

private:
  const VerifyInput &Input;
  llvm::Regex Wanted;
  VerifyReport &Report;
  bool Checked = false;

  bool wanted(llvm::StringRef Name) {
    bool Match = Input.KernelRegex.empty() || Wanted.match(Name);
    Any |= Match;
    return Match;
  }

  void onlyIn(llvm::StringRef Name, const Compiled &Where,
              llvm::StringRef Arch) {
    if (wanted(Name))
      Report.NotMade.push_back(("the kernel '" + Name + "' on " + Arch +
                                ": only '" + Where.Source + "' has it")
                                   .str());
  }
};

} // namespace

llvm::Expected<VerifyReport> verifyTexts(const VerifyInput &Input,
                                         const Toolchain &Tools) {
  VerifyReport Report;
  Report.Original = Input.Original;
  Report.Rewritten = Input.Rewritten;
  if (Tools.Nvcc.empty()) {
    Report.NotMade.push_back(
        "everything: no nvcc was found, so nothing was compiled; put it on "
        "PATH, or name its toolkit with --cuda-path");
    return Report;
  }
  llvm::Expected<TemporaryFolder> Folder = TemporaryFolder::make("kpipe-verify");
  if (!Folder)
    return Folder.takeError();
  if (llvm::Error Bad = writeRuntime(Folder->file("runtime")))
    return std::move(Bad);

  Compiler Make(Input, Tools, *Folder);
  std::vector<std::string> Names;
  for (const std::string &Arch : Input.Archs)
    for (const std::string &Name : {Input.Original, Input.Rewritten})
      Names.push_back(Name + " (" + Arch + ")");
  std::vector<std::optional<Compiled>> Done(Names.size());
  forEachFile(Names, jobsFor(Input.Jobs, Names.size()), [&](size_t I) {
    Done[I].emplace(Make.run(I % 2 == 0, Input.Archs[I / 2]));
  });
  llvm::Error Fatal = llvm::Error::success();
  for (std::optional<Compiled> &C : Done)
    if (Fatal) // one is said
      llvm::consumeError(std::move(C->Fatal));
    else
      Fatal = std::move(C->Fatal);
  if (Fatal)
    return std::move(Fatal);

  PairVerifier Verify(Input, Report);
  for (size_t I = 0; I != Input.Archs.size(); ++I)
    Verify.run(*Done[2 * I], *Done[2 * I + 1], I);
  if (Verify.Any)
    return Report;
  if (Input.KernelRegex.empty())
    return optionError("'" + Input.Rewritten + "': no kernel is in it");
  return optionError("--kernel='" + Input.KernelRegex + "': no kernel of '" +
                     Input.Rewritten + "' has such a name");
}

bool passed(const VerifyReport &Report) {
  return Report.NotMade.empty() && Report.count(CheckVerdict::Fails) == 0;
}

} // namespace kpipe
