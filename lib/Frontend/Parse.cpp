// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses one file for the device side and keeps the AST. It must not know
// where toolkits and flags come from.
#include "Unit.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kpipe {

ParsedUnit::ParsedUnit(std::unique_ptr<Impl> I) : I(std::move(I)) {}
ParsedUnit::~ParsedUnit() = default;

ParsedUnit::Impl::~Impl() {
  if (Action)
    Action->EndSourceFile();
}

clang::ASTContext &ParsedUnit::context() {
  return I->Compiler->getASTContext();
}

llvm::ArrayRef<ParseError> ParsedUnit::errors() const {
  return I->Errors.Errors;
}

llvm::StringRef ParsedUnit::mainFile() const { return I->File; }
llvm::StringRef ParsedUnit::mainText() const { return I->Text; }
bool ParsedUnit::usesOwnDeclarations() const { return I->OwnDeclarations; }

llvm::Error
ParsedUnit::checkParses(const llvm::StringMap<std::string> &NewTexts) {
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ParsedUnit>>
parseUnit(llvm::StringRef File, llvm::StringRef Arch,
          const FrontendOptions &Options) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return llvm::createStringError(Buffer.getError(), "cannot read '%s': %s",
                                   File.str().c_str(),
                                   Buffer.getError().message().c_str());
  auto I = std::make_unique<ParsedUnit::Impl>();
  I->File = File.str();
  I->Text = (*Buffer)->getBuffer().str();

  std::vector<std::string> Args = {"clang++",
                                   "-fsyntax-only",
                                   "-x",
                                   "cuda",
                                   "--cuda-device-only",
                                   "--cuda-gpu-arch=" + Arch.str(),
                                   "-resource-dir",
                                   KPIPE_RESOURCE_DIR,
                                   "--cuda-path=/usr/local/cuda",
                                   "-isystem",
                                   "/usr/local/cuda/include/cccl",
                                   "-Wno-unknown-cuda-version",
                                   "-ferror-limit=0"};
  Args.insert(Args.end(), Options.Flags.begin(), Options.Flags.end());
  Args.push_back(I->File);
  std::vector<const char *> Raw;
  for (const std::string &Arg : Args)
    Raw.push_back(Arg.c_str());

  clang::DiagnosticOptions DiagOptions;
  auto Diags = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      clang::DiagnosticIDs::create(), DiagOptions, &I->Errors,
      /*ShouldOwnClient=*/false);
  clang::CreateInvocationOptions Create;
  Create.Diags = Diags;
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Raw, Create);
  if (!Invocation)
    return llvm::createStringError(
        llvm::errc::invalid_argument, "'%s': Clang refuses the flags: %s",
        I->File.c_str(),
        I->Errors.Errors.empty() ? "no reason given"
                                 : I->Errors.Errors.front().Message.c_str());

  I->Compiler = std::make_unique<clang::CompilerInstance>(Invocation);
  I->Compiler->createVirtualFileSystem();
  I->Compiler->createDiagnostics(&I->Errors, /*ShouldOwnClient=*/false);
  I->Compiler->getDiagnostics().setFatalsAsError(true);
  if (!I->Compiler->createTarget())
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "'%s': no CUDA target", I->File.c_str());
  auto Action = std::make_unique<ParseAction>();
  if (!Action->BeginSourceFile(
          *I->Compiler, I->Compiler->getFrontendOpts().Inputs.front()))
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "'%s': cannot be parsed", I->File.c_str());
  I->Action = std::move(Action);
  llvm::consumeError(I->Action->Execute());
  return std::make_unique<ParsedUnit>(std::move(I));
}

} // namespace kpipe
