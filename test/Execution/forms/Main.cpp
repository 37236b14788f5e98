// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe-forms FILE [options of kpipe rewrite] [-- flags]: `kpipe rewrite` in
// many forms with one parse of the file, for tests that execute all of them.
// Each line of standard input is an output's name and the options of one form;
// of each, the text, NAME.json (the report) and NAME.err (what was said) are
// written, and a line with the exit code is printed.
#include "kpipe/Words.h"
#include "options/CommonOptions.h"
#include "rewrite/SeveralArchs.h"
#include "support/CrashGuard.h"
#include "support/Failure.h"
#include "support/FileWriter.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>

using namespace kpipe;

/// Reads `--name=value` into the request; false if there is no such option.
static bool readOption(llvm::StringRef Option, TransformOptions &Out) {
  Option.consume_front("--");
  llvm::StringRef Name, Value;
  std::tie(Name, Value) = Option.split('=');
  if (Name == "inline-runtime" && Value.empty())
    return Out.InlineRuntime = true;
  bool Known = false;
  forEachField([&](const FormField &Field, auto Member) {
    using Spelling = SpellingOf<decltype(Member)>;
    if (Field.Name != Name)
      return;
    if (auto Read = Spelling::parse(
            Value.empty() ? llvm::StringRef(Spelling::Bare) : Value)) {
      Out.Form.*Member = *Read;
      Known = true;
    }
  });
  return Known;
}

/// \returns the exit code that `kpipe rewrite` would have.
static int rewriteForm(const FileRequest &Request, UnitResult &Unit,
                       const std::string &OutputFile) {
  std::string Said, Report, Text;
  int Exit = 0;
  {
    llvm::raw_string_ostream OS(Said);
    Rewriter All(OS, /*Colored=*/false);
    llvm::Expected<FileResult> Result =
        Request.Transform.Archs.size() > 1
            ? rewriteForAll(Request, /*Alone=*/false)
            : rewriteAgain(Request, Unit);
    llvm::Error Bad =
        Result ? All.add(std::move(*Result)) : Result.takeError();
    if (Bad) {
      OS << "kpipe: error: " << llvm::toString(std::move(Bad)) << '\n';
      Exit = 1;
    } else {
      Report = All.Found.json();
      Text = All.Files.front().New;
    }
  }
  for (auto [Suffix, Content] :
       {std::pair("", &Text), std::pair(".json", &Report),
        std::pair(".err", &Said)})
    if (llvm::Error Bad = writeFile(OutputFile + Suffix, *Content))
      return fail(std::move(Bad));
  return Exit;
}

static int rewriteForms(const FileRequest &Request) {
  llvm::Expected<UnitResult> Unit = processUnit(Request, 0);
  if (!Unit)
    return fail(Unit.takeError());
  for (std::string Line; std::getline(std::cin, Line);) {
    llvm::BumpPtrAllocator Memory;
    llvm::StringSaver Saver(Memory);
    llvm::SmallVector<const char *, 8> Words;
    llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
    FileRequest Form = Request;
    for (const char *Option : llvm::drop_begin(Words))
      if (!readOption(Option, Form.Transform))
        return fail(optionError(llvm::Twine(Option) + ": unknown"));
    llvm::outs() << rewriteForm(Form, *Unit, Words.front()) << '\n';
    llvm::outs().flush();
  }
  return 0;
}

int main(int argc, char **argv) {
  std::vector<const char *> Own{argv[0], "rewrite"};
  std::vector<std::string> Flags;
  for (int I = 1; I < argc; ++I) {
    if (llvm::StringRef(argv[I]) == "--") {
      Flags.assign(argv + I + 1, argv + argc);
      break;
    }
    Own.push_back(argv[I]);
  }
  llvm::cl::ParseCommandLineOptions(Own.size(), Own.data());
  llvm::Expected<std::optional<CommonRequest>> Request =
      readCommonOptions(argv[0], Flags);
  if (!Request)
    return fail(Request.takeError());
  FileRequest File = (*Request)->Files.front();
  File.Frontend.WillCheck = true;
  return runGuarded([&] { return rewriteForms(File); });
}
