// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of kpipe that are made from the table of a loop's form, built with
// one line more in it (OneMoreField.def). Prints what each of them makes of the
// field; none of this names it.
#include "Options/DirectiveWords.h"
#include "kpipe/Reporting.h"
#include "options/Commands.h"
#include "options/FormOptions.h"
#include "options/Manual.h"
#include "options/Profile.h"
#include "options/Settings.h"
#include "support/Failure.h"
#include "tune/FormsToAsk.h"
#include "tune/TuneTable.h"

using namespace kpipe;
namespace cl = llvm::cl;

static cl::opt<std::string> Print("print", cl::cat(KpipeCategory));
static cl::opt<std::string> File("settings", cl::sub(RewriteCommand));
static cl::opt<std::string> Word("directive", cl::sub(RewriteCommand));
static cl::opt<std::string> ProfileFile("write-profile",
                                        cl::sub(RewriteCommand));

static int printSettings() {
  llvm::Expected<Settings> S = readSettingsFile(File);
  if (!S)
    return fail(S.takeError());
  llvm::outs() << "settings: " << asOptions(S->Form) << "\n" << toYaml(*S);
  // A file takes part where the command line says nothing.
  llvm::outs() << "both: " << asOptions(overlay(S->Form, formOfCommandLine()))
               << "\n";
  return 0;
}

static int printDirective() {
  DirectiveWords D;
  llvm::outs() << (D.add(Word) ? "directive: " : "no directive: ")
               << asOptions(overlay(formOfCommandLine(), D.Form)) << "\n";
  return 0;
}

/// A pipelined loop that got what was asked for.
static void printReport(const LoopForm &Form) {
  ArchReport A;
  A.Arch = "sm_90";
  A.Verdict = LoopVerdict::Pipelined;
  A.Routes = RouteMix::AsyncCopy;
  A.Form = Form;
  LoopReport Loop;
  Loop.Archs.push_back(A);
  writeJson(llvm::outs(), Loop);
}

static int writeAndReadProfile(const LoopForm &Form) {
  FormResult R;
  R.Asked.Form = R.Made = Form;
  R.Made.Stages = 2;
  R.Variant = "cp.async";
  llvm::outs() << "tune's table: " << nameOf(R) << "\n";
  TunedLoop Loop;
  Loop.Choice = {{"f", 1, "0123456789abcdef"}, "sm_90", R.Asked};
  Loop.Forms.push_back(R);
  Profile Written;
  Written.put(Loop);
  std::error_code Bad;
  llvm::raw_fd_ostream(ProfileFile, Bad) << Written.json();
  llvm::Expected<Profile> Read = Profile::read(ProfileFile);
  if (!Read)
    return fail(Read.takeError());
  llvm::outs() << "profile: " << asOptions(Read->choices()[0].Chosen.Form)
               << "\n";
  return 0;
}

/// What the command line asks for, in reports and profiles, and how often tune
/// tries each field that it asks for.
static int printForm() {
  LoopForm Form = formOfCommandLine();
  llvm::outs() << "command line: " << asOptions(Form) << "\n";
  printReport(Form);
  for (const LoopForm &F : formsToAsk(/*HasAsyncCopy=*/true,
                                     /*HasCopyEngine=*/false, 2))
    if (asOptions(F).find("--stages") == std::string::npos)
      llvm::outs() << "tune tries: " << asOptions(F) << "\n";
  return writeAndReadProfile(Form);
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(KpipeCategory, RewriteCommand);
  cl::ParseCommandLineOptions(argc, argv);
  if (Print == "man")
    printManual(llvm::outs());
  else if (Print == "bash")
    printBashCompletion(llvm::outs());
  else if (Print == "zsh")
    printZshCompletion(llvm::outs());
  else if (!File.empty())
    return printSettings();
  else if (!Word.empty())
    return printDirective();
  else
    return printForm();
  return 0;
}
