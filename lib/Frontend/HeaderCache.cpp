// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry is named after all that can be known of a parse before it begins,
// and holds as long as the disk answers each question as it did when the
// headers were read: what is in which file, and where no file is. It must not
// know what is parsed behind the headers.
#include "HeaderCache.h"
#include "Embedded.h"
#include "ErrorCollector.h"
#include "FileSystem.h"
#include "UserMacros.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <mutex>

namespace kpipe {
namespace {

/// What matters of a file, or of there being none.
std::string fingerprint(const llvm::ErrorOr<llvm::vfs::Status> &S) {
  if (!S)
    return "-";
  if (S->isDirectory())
    return "d";
  auto Changed = S->getLastModificationTime().time_since_epoch();
  return std::to_string(S->getSize()) + "." + std::to_string(Changed.count());
}

/// Writes down what Clang asks the disk, and what it is told.
class Recorder : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  /// Fingerprints, by path.
  std::map<std::string, std::string> Answers;
  /// Nothing changed meanwhile, and a precompiled header, which knows files by
  /// absolute names, will call them by the same.
  bool Sound = true;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override {
    llvm::ErrorOr<llvm::vfs::Status> Found = ProxyFileSystem::status(Path);
    note(Path, Found);
    return Found;
  }
  bool exists(const llvm::Twine &Path) override { return bool(status(Path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    auto Found = ProxyFileSystem::openFileForRead(Path);
    if (Found)
      note(Path, (*Found)->status());
    else
      note(Path, Found.getError());
    return Found;
  }

private:
  void note(const llvm::Twine &Path,
            const llvm::ErrorOr<llvm::vfs::Status> &Found) {
    llvm::SmallString<256> Name;
    Path.toVector(Name);
    if (Name.starts_with(EmbeddedRoot))
      return;
    llvm::SmallString<256> Absolute(Name);
    makeAbsolute(Absolute);
    llvm::sys::path::remove_dots(Absolute);
    if (Found && !Found->isDirectory() && Absolute != Name)
      Sound = false;
    std::string Now = fingerprint(Found);
    auto [It, New] = Answers.try_emplace(Absolute.str().str(), Now);
    if (!New && It->second != Now)
      Sound = false;
  }
};

/// Reads the headers and writes what Clang knows then.
class PrecompileAction : public clang::ASTFrontendAction {
public:
  std::shared_ptr<clang::PCHBuffer> Made = std::make_shared<clang::PCHBuffer>();
  /// No header is the author's: of those the engine asks more.
  bool OnlySystems = true;

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    CI.getLangOpts().CompilingPCH = true;
    return true;
  }
  clang::TranslationUnitKind getTranslationUnitKind() override {
    return clang::TU_Prefix;
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    return std::make_unique<clang::PCHGenerator>(
        CI.getPreprocessor(), CI.getModuleCache(), /*OutputFile=*/"",
        /*isysroot=*/"", Made, CI.getCodeGenOpts(),
        llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(),
        /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }
  void EndSourceFileAction() override {
    const clang::SourceManager &SM = getCompilerInstance().getSourceManager();
    for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
      const clang::SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
      if (!E.isFile())
        continue;
      clang::OptionalFileEntryRef File =
          E.getFile().getContentCache().OrigEntry;
      if (File && !clang::SrcMgr::isSystem(E.getFile().getFileCharacteristic()))
        OnlySystems &= File->getName().starts_with(EmbeddedRoot);
    }
  }
};

/// The invocation without the file and what is the author's before it; null
/// where Clang would read more first.
std::shared_ptr<clang::CompilerInvocation>
forHeadersAlone(const clang::CompilerInvocation &Whole) {
  auto Alone = std::make_shared<clang::CompilerInvocation>(Whole);
  clang::PreprocessorOptions &Read = Alone->getPreprocessorOpts();
  if (!Read.MacroIncludes.empty() || !Read.ImplicitPCHInclude.empty() ||
      !Read.ChainedIncludes.empty() || !Read.RemappedFiles.empty() ||
      !Alone->getHeaderSearchOpts().VFSOverlayFiles.empty() ||
      Alone->getHeaderSearchOpts().ImplicitModuleMaps ||
      !Alone->getFrontendOpts().ModuleFiles.empty())
    return nullptr;
  Read.RemappedFileBuffers.clear(); // -D's, the author's file
  Read.Includes.erase(llvm::find_if_not(Read.Includes, isImplicitInclude),
                      Read.Includes.end());
  clang::FrontendOptions &Frontend = Alone->getFrontendOpts();
  Frontend.Inputs = {{HeadersFile, Frontend.Inputs.front().getKind()}};
  Frontend.OutputFile.clear();
  clang::CodeGenOptions &Code = Alone->getCodeGenOpts();
  Code.MainFileName = Code.DebugCompilationDir = Code.CoverageCompilationDir =
      "";
  Alone->getLangOpts().CUID.clear(); // names what the linker sees
  return Alone;
}

std::string nameOf(const clang::CompilerInvocation &Alone,
                   llvm::StringRef Directory) {
  std::string All = "2\n" + clang::getClangFullRepositoryVersion() + "\n" +
                    llvm::join(Alone.getCC1CommandLine(), "\n");
  // The program's other parts do not matter to headers.
  forEachEmbeddedFile([&](llvm::StringRef Path, llvm::StringRef Text) {
    All += ("\n" + Path + " ").str() + std::to_string(llvm::xxh3_64bits(Text));
  });
  auto IsRelative = [](const clang::HeaderSearchOptions::Entry &E) {
    return !llvm::sys::path::is_absolute(E.Path);
  };
  const auto &Search = Alone.getHeaderSearchOpts();
  if (llvm::any_of(Search.UserEntries, IsRelative) ||
      !llvm::sys::path::is_absolute(Search.ResourceDir)) {
    llvm::SmallString<256> Here(Directory);
    llvm::sys::fs::make_absolute(Here);
    All += ("\n" + Here).str();
  }
  llvm::XXH128_hash_t Hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(All));
  return llvm::utohexstr(Hash.high64, true, 16) +
         llvm::utohexstr(Hash.low64, true, 16) + ".headers";
}

/// What ends an entry: the sizes of what is before it, and the hash of both.
struct Footer {
  llvm::support::ulittle64_t Precompiled, Answers, Hash;
};

uint64_t hashOf(llvm::StringRef Text, const Footer &End) {
  uint64_t All[] = {llvm::xxh3_64bits(Text), End.Precompiled, End.Answers};
  return llvm::xxh3_64bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(All), sizeof(All)));
}

/// The entry's text: the precompiled header with a zero behind it, paths and
/// fingerprints with a zero behind each, the footer. Where the headers cannot
/// be read apart, the first is empty: that is worth to be known, too.
std::string make(std::shared_ptr<clang::CompilerInvocation> Alone,
                 llvm::StringRef Directory) {
  auto Files = llvm::makeIntrusiveRefCnt<Recorder>(makeFileSystem(Directory));
  ErrorCollector Errors;
  PrecompileAction Action;
  {
    clang::CompilerInstance CI(std::move(Alone));
    CI.setVirtualFileSystem(Files);
    CI.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
    if (!CI.createTarget() ||
        !Action.BeginSourceFile(CI, CI.getFrontendOpts().Inputs.front()))
      return "";
    llvm::consumeError(Action.Execute());
    Action.EndSourceFile();
  }
  std::string Text;
  if (Action.Made->IsComplete && Action.OnlySystems && Files->Sound &&
      Errors.Errors.empty())
    Text = llvm::StringRef(Action.Made->Data.data(), Action.Made->Data.size());
  Footer End;
  End.Precompiled = Text.size();
  Text += '\0';
  for (const auto &[Path, Print] : Files->Answers) {
    Text.append(Path).push_back('\0');
    Text.append(Print).push_back('\0');
  }
  End.Answers = Text.size() - End.Precompiled - 1;
  End.Hash = hashOf(Text, End);
  return Text.append(reinterpret_cast<const char *>(&End), sizeof(End));
}

/// Is it whole, and does the disk still answer like that?
std::optional<CachedHeaders> read(std::unique_ptr<llvm::MemoryBuffer> Entry) {
  llvm::StringRef Text = Entry->getBuffer();
  Footer End;
  if (Text.size() < sizeof(End) + 1)
    return std::nullopt;
  memcpy(&End, Text.end() - sizeof(End), sizeof(End));
  Text = Text.drop_back(sizeof(End));
  if (hashOf(Text, End) != End.Hash || End.Precompiled >= Text.size() ||
      End.Answers != Text.size() - End.Precompiled - 1)
    return std::nullopt;
  auto Disk = llvm::vfs::getRealFileSystem();
  for (llvm::StringRef Left = Text.substr(End.Precompiled + 1);
       !Left.empty();) {
    auto [Path, Behind] = Left.split('\0');
    auto [Print, Next] = Behind.split('\0');
    if (fingerprint(Disk->status(Path)) != Print)
      return std::nullopt;
    Left = Next;
  }
  return CachedHeaders{std::move(Entry),
                       {Text.take_front(End.Precompiled), PrecompiledFile}};
}

std::optional<CachedHeaders> readFile(llvm::StringRef Path) {
  // A pipe would be waited for, and a device may never end.
  if (!llvm::sys::fs::is_regular_file(Path))
    return std::nullopt;
  // Not mapped into memory: it may be on its way out of the folder.
  auto Entry = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false,
                                           /*IsVolatile=*/true);
  return Entry ? read(std::move(*Entry)) : std::nullopt;
}

/// Whoever reads finds all of it or none; who cannot write goes without.
void writeFile(llvm::StringRef Path, llvm::StringRef Text) {
  if (llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path)))
    return;
  int File;
  llvm::SmallString<256> Other;
  if (llvm::sys::fs::createUniqueFile(Path + "-%%%%%%%%.tmp", File, Other))
    return;
  llvm::raw_fd_ostream Out(File, /*shouldClose=*/true);
  Out << Text;
  Out.close();
  bool Failed = Out.has_error();
  Out.clear_error();
  if (Failed || llvm::sys::fs::rename(Other, Path))
    llvm::sys::fs::remove(Other);
}

} // namespace

std::optional<CachedHeaders>
cachedHeaders(const clang::CompilerInvocation &Invocation,
              llvm::StringRef Directory) {
  std::optional<std::string> Folder =
      llvm::sys::Process::GetEnv("KPIPE_HEADER_CACHE");
  if (!Folder || Folder->empty())
    return std::nullopt;
  auto Alone = forHeadersAlone(Invocation);
  if (!Alone)
    return std::nullopt;
  llvm::SmallString<256> Path(*Folder);
  llvm::sys::path::append(Path, nameOf(*Alone, Directory));
  std::optional<CachedHeaders> Found = readFile(Path);
  if (!Found) {
    // Of several threads, one reads the headers.
    static std::mutex Making;
    std::lock_guard<std::mutex> One(Making);
    Found = readFile(Path);
    if (!Found) {
      std::string Text = make(std::move(Alone), Directory);
      writeFile(Path, Text);
      Found = read(llvm::MemoryBuffer::getMemBufferCopy(Text));
    }
  }
  if (Found && Found->Precompiled.getBufferSize() == 0)
    return std::nullopt;
  return Found;
}

} // namespace kpipe
