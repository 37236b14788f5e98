// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's entry: cuts the command line at `--`, reads the options and
// calls the subcommand. It must not know what a subcommand does.
#include "kpipe/Suggestions.h"
#include "options/CommonOptions.h"
#include "options/Manual.h"
#include "options/UnknownOptions.h"
#include "support/CrashGuard.h"
#include "support/Failure.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace kpipe;

static llvm::cl::opt<std::string>
    Print("print", llvm::cl::value_desc("man|bash|zsh"),
          llvm::cl::desc("print the manual page or a shell's completions"),
          llvm::cl::cat(KpipeCategory));

static void printVersion(llvm::raw_ostream &OS) {
  OS << "kpipe " KPIPE_VERSION " (Clang " CLANG_VERSION_STRING ")\n";
}

static constexpr llvm::StringLiteral
    Help = "; see 'kpipe rewrite --help', 'kpipe analyze --help' and 'kpipe "
           "tune --help'";

static llvm::cl::SubCommand *const Commands[] = {
    &RewriteCommand, &AnalyzeCommand, &TuneCommand, &VerifyCommand, &LspCommand};

/// What is wrong with a first word that is neither a command nor an option.
static llvm::Error checkCommand(llvm::StringRef Word) {
  std::vector<llvm::StringRef> Names;
  for (llvm::cl::SubCommand *Command : Commands)
    Names.push_back(Command->getName());
  if (Word.starts_with("-") || llvm::is_contained(Names, Word))
    return llvm::Error::success();
  if (llvm::sys::fs::exists(Word))
    return optionError("'" + Word + "' is no command; say 'kpipe rewrite " +
                       Word + "' or 'kpipe analyze " + Word + "'");
  return optionError("unknown command '" + Word + "'" +
                     didYouMean(Word, Names) +
                     (nearest(Word, Names).empty() ? Help.str() : ""));
}

/// The first line of what the option parser complains about, without the
/// program's name that it begins with.
static llvm::Error parserError(llvm::StringRef Complaint) {
  llvm::StringRef Line = Complaint.trim().split('\n').first;
  size_t Colon = Line.find(": ");
  if (Colon != llvm::StringRef::npos)
    Line = Line.drop_front(Colon + 2);
  Line = Line.split("  Try: ").first.rtrim(". ");
  // In front of a command, or in a response file.
  llvm::StringRef Word = Line;
  if (Word.consume_front("Unknown command line argument '") &&
      Word.consume_back("'"))
    return optionError("unknown option '" + Word + "'" + Help);
  return optionError(Line + Help);
}

int main(int argc, char **argv) {
  // A write beyond a size limit is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);

  std::vector<const char *> Own(argv, argv + argc);
  std::vector<std::string> Flags;
  for (int I = 1; I < argc; ++I)
    if (llvm::StringRef(argv[I]) == "--") {
      Own.resize(I);
      Flags.assign(argv + I + 1, argv + argc);
      break;
    }

  // `kpipe help rewrite`
  if (Own.size() > 1 && llvm::StringRef(Own[1]) == "help") {
    Own.erase(Own.begin() + 1);
    Own.resize(std::min<size_t>(Own.size(), 2));
    Own.push_back("--help");
  }
  if (Own.size() > 1)
    if (llvm::Error Bad = checkCommand(Own[1]))
      return fail(std::move(Bad));
  for (llvm::cl::SubCommand *Command : Commands)
    if (Own.size() > 1 && Command->getName() == Own[1])
      if (llvm::Error Bad = checkOptions(
              *Command, Commands, llvm::ArrayRef(Own).drop_front(2), Help))
        return fail(std::move(Bad));
  for (llvm::cl::SubCommand *Command : Commands)
    llvm::cl::HideUnrelatedOptions(KpipeCategory, *Command);
  llvm::cl::HideUnrelatedOptions(KpipeCategory);
  llvm::cl::SetVersionPrinter(printVersion);
  std::string Complaint;
  llvm::raw_string_ostream Complaints(Complaint);
  if (!llvm::cl::ParseCommandLineOptions(
          Own.size(), Own.data(),
          "software pipelining of tiled K-loops in CUDA source\n\n"
          "  Flags for nvcc or Clang follow after '--'.\n",
          &Complaints)) {
    // What is wrong with a value LLVM has said by itself, in one line.
    return Complaint.empty() ? 1 : fail(parserError(Complaint));
  }
  if (Print == "man")
    return printManual(llvm::outs()), 0;
  if (Print == "bash")
    return printBashCompletion(llvm::outs()), 0;
  if (Print == "zsh")
    return printZshCompletion(llvm::outs()), 0;
  if (!Print.empty())
    return fail(optionError("--print=" + Print + ": want man, bash or zsh"));
  if (llvm::none_of(Commands, [](llvm::cl::SubCommand *C) { return bool(*C); }))
    return fail(optionError(
        "no command; say 'kpipe rewrite FILE --arch=sm_86', 'kpipe analyze "
        "FILE --arch=sm_86' or 'kpipe tune --help'"));

  llvm::Expected<std::optional<CommonRequest>> Request =
      readCommonOptions(argv[0], Flags);
  if (!Request)
    return fail(Request.takeError());
  if (!*Request)
    return 0;
  // Where kpipe is installed says nothing about the run.
  (*Request)->Command.assign(argv, argv + argc);
  (*Request)->Command.front() = "kpipe";
  return runGuarded([&] {
    return RewriteCommand   ? runRewrite(std::move(**Request))
           : AnalyzeCommand ? runAnalyze(std::move(**Request))
           : TuneCommand    ? runTune(std::move(**Request))
           : LspCommand     ? runLsp(std::move(**Request))
                            : runVerify(std::move(**Request));
  });
}
