// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets up a compiler instance and runs the parse action in it. It must not
// know where the arguments come from.
#include "Run.h"
#include "Embedded.h"
#include "FileSystem.h"
#include "UserMacros.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kpipe {

Run::~Run() {
  if (Action)
    Action->EndSourceFile();
}

static llvm::Error refuse(const CommandLine &Line, const Run &R,
                          llvm::StringRef What) {
  std::string Reason = "no reason given";
  if (!R.Errors.Errors.empty())
    Reason = R.Errors.Errors.front().Message;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "'" + Line.File + "': " + What + ": " +
                                     Reason);
}

static llvm::Expected<std::unique_ptr<Run>>
runOnce(const CommandLine &Line, const llvm::StringMap<std::string> &Texts,
        std::optional<unsigned> SnapshotLimit, Describe Answerer,
        bool WithCache) {
  auto R = std::make_unique<Run>();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files =
      makeFileSystem(Line.Directory);

  std::vector<const char *> Arguments;
  for (const std::string &Argument : Line.Arguments)
    Arguments.push_back(Argument.c_str());
  clang::DiagnosticOptions DriverOptions;
  clang::CreateInvocationOptions Create;
  Create.Diags = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      clang::DiagnosticIDs::create(), DriverOptions, &R->Errors,
      /*ShouldOwnClient=*/false);
  Create.VFS = Files;
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Arguments, Create);
  if (!Invocation || !R->Errors.Errors.empty())
    return refuse(Line, *R, "Clang refuses the flags");

  // The driver asks for an AST that is never freed, as its process ends anyway.
  Invocation->getFrontendOpts().DisableFree = false;
  // Whatever the flags ask for beside the AST: nothing is written or printed.
  Invocation->getDependencyOutputOpts() = clang::DependencyOutputOptions();
  Invocation->getDiagnosticOpts().DiagnosticSerializationFile.clear();
  Invocation->getDiagnosticOpts().DiagnosticLogFile.clear();
  Invocation->getHeaderSearchOpts().Verbose = false;
  defineBehindImplicitHeaders(Invocation->getPreprocessorOpts());

  // Debian's driver looks for the resource directory on the disk alone, and
  // where it is not there takes this folder in its place.
  for (clang::HeaderSearchOptions::Entry &Entry :
       Invocation->getHeaderSearchOpts().UserEntries)
    if (llvm::StringRef(Entry.Path).starts_with("/usr/include/clang/"))
      Entry.Path = Line.ResourceDir + "/include";

  if (WithCache)
    R->Headers = cachedHeaders(*Invocation, Line.Directory);
  if (R->Headers) {
    Files = makeFileSystem(Line.Directory, R->Headers->Precompiled);
    Invocation->getPreprocessorOpts().ImplicitPCHInclude =
        PrecompiledFile.str();
  }

  for (const auto &Entry : Texts)
    Invocation->getPreprocessorOpts().addRemappedFile(
        Entry.first(),
        llvm::MemoryBuffer::getMemBufferCopy(Entry.second, Entry.first())
            .release());

  R->Compiler = std::make_unique<clang::CompilerInstance>(Invocation);
  clang::CompilerInstance &CI = *R->Compiler;
  CI.setVirtualFileSystem(Files);
  CI.createDiagnostics(&R->Errors, /*ShouldOwnClient=*/false);
  // After a fatal error, such as a missing header, Clang would stop
  // instantiating templates; kernels that have nothing to do with it count.
  CI.getDiagnostics().setFatalsAsError(true);
  if (!CI.createTarget())
    return refuse(Line, *R, "no such CUDA target");
  auto Action = std::make_unique<ParseAction>(SnapshotLimit, R->Errors, Answerer);
  if (!Action->BeginSourceFile(CI, CI.getFrontendOpts().Inputs.front()))
    return refuse(Line, *R, "Clang cannot begin to parse it");
  R->Action = std::move(Action);
  llvm::consumeError(R->Action->Execute());
  return std::move(R);
}

/// Clang fills its table of the names of statements when it is first asked for
/// one, and says that it is full before it is: a second thread read empty names.
/// \returns true, for a static of the caller to wait for.
static bool fillNamesOfStatements() {
  return clang::NullStmt(clang::SourceLocation()).getStmtClassName() != nullptr;
}

llvm::Expected<std::unique_ptr<Run>>
runParser(const CommandLine &Line, const llvm::StringMap<std::string> &Texts,
          std::optional<unsigned> SnapshotLimit, Describe Answerer) {
  [[maybe_unused]] static const bool Filled = fillNamesOfStatements();
  auto R = runOnce(Line, Texts, SnapshotLimit, Answerer, /*WithCache=*/true);
  if (R)
    return R;
  // Whether what was kept is to blame will be seen.
  llvm::consumeError(R.takeError());
  return runOnce(Line, Texts, SnapshotLimit, Answerer, /*WithCache=*/false);
}

} // namespace kpipe
