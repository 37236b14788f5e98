// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts stand in a temporary folder under the file's own name, see Measurer.h.
#include "Measurer.h"
#include "nvcc/Programs.h"
#include "support/Command.h"
#include "support/Failure.h"
#include "support/FileWriter.h"
#include "support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace kpipe {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static RegisterCache::Numbers
numbersOf(const llvm::StringMap<ResourceUse> &Uses) {
  RegisterCache::Numbers All;
  for (const auto &Entry : Uses) {
    const ResourceUse &Use = Entry.second;
    All[Entry.first()] = {Use.Registers, Use.SpillStores, Use.SpillLoads,
                          Use.Stack, Use.StaticShared};
  }
  return All;
}

static llvm::StringMap<ResourceUse> usesIn(const RegisterCache::Numbers &All) {
  llvm::StringMap<ResourceUse> Uses;
  for (const auto &Entry : All)
    if (const auto &N = Entry.second; N.size() == 5)
      Uses[Entry.first()] = {unsigned(N[0]), N[1], N[2], N[3], N[4]};
  return Uses;
}

/// \param Listing file; one that is not understood has no loops.
static llvm::StringMap<InnerLoop> innerLoopsOf(const std::string &Listing) {
  llvm::StringMap<InnerLoop> All;
  auto Buffer = llvm::MemoryBuffer::getFile(Listing);
  if (!Buffer)
    return All;
  llvm::Expected<sass::Listing> Code =
      sass::parseListing((*Buffer)->getBuffer());
  if (!Code) {
    llvm::consumeError(Code.takeError());
    return All;
  }
  for (const sass::Function &F : Code->Functions)
    if (std::optional<InnerLoop> Found = innerLoop(F))
      All[F.Name] = *Found;
  return All;
}

static RegisterCache::Numbers
numbersOf(const llvm::StringMap<InnerLoop> &Loops) {
  RegisterCache::Numbers All;
  for (const auto &Entry : Loops)
    All[Entry.first()] = {Entry.second.Instructions, Entry.second.SharedBytes};
  return All;
}

static llvm::StringMap<InnerLoop>
innerLoopsIn(const RegisterCache::Numbers &All) {
  llvm::StringMap<InnerLoop> Loops;
  for (const auto &Entry : All)
    if (const auto &N = Entry.second; N.size() == 2 && N[1])
      Loops[Entry.first()] = {unsigned(N[0]), unsigned(N[1])};
  return Loops;
}

static std::string realPath(llvm::StringRef File) {
  llvm::SmallString<256> Real;
  return fs::real_path(File, Real) ? File.str() : Real.str().str();
}

/// What is said of a file in a temporary folder, without the folder.
static std::string withName(std::string Said, llvm::StringRef Folder) {
  std::string Prefix = (Folder + "/").str();
  for (size_t At; (At = Said.find(Prefix)) != std::string::npos;)
    Said.erase(At, Prefix.size());
  return Said;
}

/// All that decides what nvcc makes of a text, beside the text and its flags.
llvm::Error Measurer::readSurroundings() {
  if (!Surroundings.empty())
    return llvm::Error::success();
  Surroundings = {File.Arch};
  if (Cache.isUsed()) {
    if (llvm::Error Bad = prepareFolder())
      return Bad;
    constexpr double Patience = 20;
    llvm::append_range(Surroundings,
                       programsBehind(commandFor(Folder->file("dryrun")),
                                      Folder->file("dryrun.out"),
                                      std::min(Limit, Patience)));
  }
  std::string Nvcc = realPath(Tools.Nvcc);
  for (const char *Name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                           "NVCC_CCBIN", "CPATH", "CPLUS_INCLUDE_PATH"})
    Surroundings.push_back(llvm::sys::Process::GetEnv(Name).value_or(""));
  // The toolkit's own headers are nvcc's version. What stands beside a script
  // of that name is no toolkit.
  std::string Root = path::parent_path(path::parent_path(Nvcc)).str();
  if (fs::exists(Root + "/include/cuda_runtime.h"))
    ToolkitRoot = Root;
  std::vector<std::string> Files = File.Dependencies;
  llvm::sort(Files);
  std::string Main = realPath(File.Path);
  for (const std::string &Name : Files) {
    std::string Real = realPath(Name);
    if (Real == Main || isToolkits(Real))
      continue;
    Surroundings.push_back(Real);
    if (auto Buffer = llvm::MemoryBuffer::getFile(Real))
      Surroundings.push_back((*Buffer)->getBuffer().str());
  }
  return llvm::Error::success();
}

bool Measurer::isToolkits(llvm::StringRef RealPath) const {
  return !ToolkitRoot.empty() &&
         (RealPath.starts_with(ToolkitRoot + "/include/") ||
          RealPath.starts_with(ToolkitRoot + "/targets/"));
}

/// What nvcc read of a text: where it is asked whether Clang reads it, that is
/// more than kpipe's parse did.
std::vector<std::string> Measurer::filesIn(const std::string &Depfile) const {
  std::vector<std::string> Files;
  auto Buffer = llvm::MemoryBuffer::getFile(Depfile);
  if (!Buffer)
    return Files;
  std::string Own = realPath(Folder->path()) + "/", Name;
  auto end = [&] {
    std::string Real = realPath(Name);
    if (!Name.empty() && !isToolkits(Real) &&
        !llvm::StringRef(Real).starts_with(Own) &&
        !llvm::is_contained(Files, Real))
      Files.push_back(Real);
    Name.clear();
  };
  llvm::StringRef Text = (*Buffer)->getBuffer();
  Text = Text.drop_front(std::min(Text.size(), Text.find(": ") + 2));
  for (size_t I = 0; I != Text.size(); ++I) {
    bool Escaped = Text[I] == '\\' && I + 1 != Text.size();
    if (Escaped && Text[I + 1] != '\n')
      Name += Text[++I];
    else if (Text[I] == '\n' || Text[I] == ' ')
      end();
    else if (!Escaped)
      Name += Text[I];
  }
  end();
  return Files;
}

std::string Measurer::keyOf(const std::string &Text) const {
  std::vector<std::string> Parts = Surroundings;
  llvm::append_range(Parts, File.Flags[Way]);
  Parts.push_back(Text);
  return RegisterCache::keyOf(Parts);
}

llvm::Error Measurer::prepareFolder() {
  if (Folder)
    return llvm::Error::success();
  llvm::Expected<TemporaryFolder> Made =
      TemporaryFolder::make("kpipe-registers");
  if (!Made)
    return Made.takeError();
  Folder.emplace(std::move(*Made));
  return writeRuntime(Folder->file("runtime"));
}

/// nvcc's command line for the text in a folder.
std::vector<std::string> Measurer::commandFor(llvm::StringRef Base) const {
  std::string Beside = path::parent_path(File.Path).str();
  llvm::SmallString<256> Source(Base);
  path::append(Source, path::filename(File.Path));
  std::vector<std::string> Words = cubinCommand(
      Tools,
      {Source.str().str(), File.Arch, (Base + ".cubin").str(), File.Flags[Way],
       Beside.empty() ? "." : Beside, Folder->file("runtime")});
  Words.insert(Words.begin() + 1, {"-MMD", "-MF", (Base + ".d").str()});
  return Words;
}

std::string Measurer::tooLong() const {
  std::string Said;
  llvm::raw_string_ostream(Said)
      << "was ended after " << llvm::format("%g", Limit)
      << " s, the limit; KPIPE_NVCC_TIMEOUT sets another";
  return Said;
}

llvm::Error Measurer::compile(llvm::ArrayRef<std::string> Texts) {
  if (Texts.empty())
    return llvm::Error::success();
  if (llvm::Error Bad = prepareFolder())
    return Bad;
  std::vector<Command> Commands;
  for (const std::string &Text : Texts) {
    std::string Base = Folder->file(llvm::utostr(Compiled++));
    if (std::error_code Why = fs::create_directories(Base))
      return writeError(Base, Why);
    Commands.push_back({commandFor(Base), Base + ".out", Base + ".out"});
    if (llvm::Error Bad = writeFile(Commands.back().Words.back(), Text))
      return Bad;
  }
  Progress Shown(Texts.size());
  std::vector<Ending> Ends = runCommands(Commands, Jobs, Limit, [&](size_t) {
    Shown.finished("registers of " + File.Path);
  });
  Shown.clear();
  for (auto [Text, C, End] : llvm::zip_equal(Texts, Commands, Ends)) {
    if (End.How == Ending::Interrupted)
      return optionError("interrupted; nothing was written");
    std::string Printed;
    if (auto Buffer = llvm::MemoryBuffer::getFile(C.Output))
      Printed = (*Buffer)->getBuffer().str();
    MeasuredText &M = Known[Text];
    if (End.How == Ending::Success) {
      Bases[Text] = path::parent_path(C.Words.back()).str();
      M.Use = parseResourceUse(Printed);
      M.Use[""] = parseCalledUse(Printed);
    } else if (End.How == Ending::NotStarted) {
      M.Failure = End.describe();
      M.Unknown = true;
    } else if (End.How == Ending::TimedOut) {
      M.Failure = tooLong();
      M.Unknown = RanTooLong = true;
    } else {
      M.Failure =
          withName(complaint(Printed), path::parent_path(C.Words.back()));
    }
    if (End.How == Ending::Success)
      Cache.put(keyOf(Text), numbersOf(M.Use), filesIn(Bases[Text] + ".d"));
  }
  return llvm::Error::success();
}

std::string Measurer::keyOfCode(const std::string &Text) const {
  return RegisterCache::keyOf(
      {"inner loops", identityOf(Tools.Disassembler), keyOf(Text)});
}

llvm::Error Measurer::readCode(llvm::ArrayRef<std::string> Texts) {
  std::vector<std::string> Missing;
  if (Tools.Disassembler.empty())
    return llvm::Error::success();
  for (const std::string &Text : Texts) {
    MeasuredText &M = Known[Text];
    if (!M.Failure.empty() || std::exchange(M.CodeIsRead, true))
      continue;
    if (auto Cached = Cache.find(keyOfCode(Text)))
      M.Inner = innerLoopsIn(*Cached);
    else
      Missing.push_back(Text);
  }
  std::vector<std::string> Gone; // known without a cubin
  llvm::copy_if(Missing, std::back_inserter(Gone),
                [&](const std::string &Text) { return !Bases.count(Text); });
  if (llvm::Error Bad = compile(Gone))
    return Bad;
  return disassemble(Missing);
}

llvm::Error Measurer::disassemble(llvm::ArrayRef<std::string> Texts) {
  std::vector<Command> Commands;
  for (const std::string &Text : Texts) {
    const std::string &Base = Bases[Text];
    Commands.push_back({listingCommand(Tools, Base + ".cubin"), Base + ".sass",
                        Base + ".sass"});
  }
  std::vector<Ending> Ends = runCommands(Commands, Jobs, Limit, [](size_t) {});
  for (auto [Text, C, End] : llvm::zip_equal(Texts, Commands, Ends)) {
    if (End.How == Ending::Interrupted)
      return optionError("interrupted; nothing was written");
    MeasuredText &M = Known[Text];
    if (End.How == Ending::Success)
      M.Inner = innerLoopsOf(C.Output);
    // What cannot be read is not read again.
    Cache.put(keyOfCode(Text), numbersOf(M.Inner), filesIn(Bases[Text] + ".d"));
  }
  return llvm::Error::success();
}

llvm::Error Measurer::measure(llvm::ArrayRef<std::string> Texts) {
  auto Begin = std::chrono::steady_clock::now();
  if (llvm::Error Bad = readSurroundings())
    return Bad;
  std::vector<std::string> Missing;
  for (const std::string &Text : Texts) {
    if (Known.count(Text) || llvm::is_contained(Missing, Text))
      continue;
    if (auto Cached = Cache.find(keyOf(Text))) {
      Known[Text].Use = usesIn(*Cached);
    } else if (RanTooLong) {
      Known[Text].Failure = tooLong();
      Known[Text].Unknown = true;
    } else
      Missing.push_back(Text);
  }
  llvm::Error Bad = compile(Missing);
  Seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
          .count();
  return Bad;
}

llvm::Error Measurer::measureOriginal(const std::string &Text) {
  for (Way = 0; Way != File.Flags.size(); ++Way) {
    Known.clear();
    if (llvm::Error Bad = measure({Text}))
      return Bad;
    if (!Known[Text].isRefused())
      return llvm::Error::success();
  }
  Way = 0;
  return llvm::Error::success();
}

} // namespace kpipe
