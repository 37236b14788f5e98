// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks LLVM's table of the options of all subcommands. Where an option's
// value is described as `a|b`, these are its words.
#include "Manual.h"
#include "Commands.h"
#include "support/ShellWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <map>

namespace kpipe {
namespace {

using llvm::cl::Option;

llvm::cl::SubCommand *const Commands[] = {&RewriteCommand, &AnalyzeCommand,
                                          &TuneCommand, &VerifyCommand,
                                          &LspCommand};
constexpr size_t CommandCount = std::size(Commands);

struct Entry {
  /// In each command that has it; one name may mean two things.
  std::array<const Option *, CommandCount> Declared{};

  const Option &any() const { return **llvm::find_if(Declared, IsThere); }
  size_t count() const { return llvm::count_if(Declared, IsThere); }
  /// Do all commands that have it describe it alike?
  bool alike() const {
    return llvm::all_of(Declared, [&](const Option *O) {
      return !O || (O->HelpStr == any().HelpStr && O->ValueStr == any().ValueStr);
    });
  }
  static bool IsThere(const Option *O) { return O; }
};

/// The options of kpipe's own, by name.
std::map<std::string, Entry> options() {
  std::map<std::string, Entry> All;
  for (size_t I = 0; I != CommandCount; ++I)
    for (const auto &Known : llvm::cl::getRegisteredOptions(*Commands[I])) {
      const Option *O = Known.second;
      if (llvm::is_contained(O->Categories, &KpipeCategory))
        All[O->ArgStr.str()].Declared[I] = O;
    }
  return All;
}

/// The names of commands.
std::string names(llvm::ArrayRef<llvm::cl::SubCommand *> Of,
                  llvm::StringRef Between) {
  std::string Text;
  for (llvm::cl::SubCommand *Command : Of)
    Text += (Text.empty() ? "" : Between.str()) + Command->getName().str();
  return Text;
}

/// `-o`, `--arch`.
std::string dashed(const Option &O) {
  return (O.ArgStr.size() == 1 ? "-" : "--") + O.ArgStr.str();
}

/// `--arch=`, `-o`, `--diff`.
std::string withEquals(const Option &O) {
  return dashed(O) + (O.ValueStr.empty() || O.ArgStr.size() == 1 ? "" : "=");
}

/// Words that the value is one of; numbers in a range are left out.
std::vector<std::string> words(const Option &O) {
  std::vector<std::string> Words;
  if (O.ValueStr.contains('|'))
    for (llvm::StringRef Word : llvm::split(O.ValueStr, '|'))
      if (!Word.contains(".."))
        Words.push_back(Word.str());
  return Words;
}

/// Text in man(7): a hyphen of an option is no dash, a leading dot no command.
std::string roff(llvm::StringRef Text) {
  std::string Out;
  for (char C : Text) {
    if (C == '-' || C == '\\')
      Out += '\\';
    if (C == '\'' || C == '.')
      Out += "\\&";
    Out += C;
  }
  return Out;
}

} // namespace

/// The page down to its options, and what comes behind them.
static constexpr char ManualHead[] =
    R"(.TH KPIPE 1 "" "kpipe )" KPIPE_VERSION R"(" "User Commands"
.SH NAME
kpipe \- software pipelining of tiled K\-loops in CUDA source
.SH SYNOPSIS
.B kpipe rewrite
.IR FILE ...
.BI \-\-arch= sm_86
.RI [ options "] [" \-\- " \fIflags\fR]"
.br
.B kpipe analyze
.IR FILE ...
.BI \-\-arch= sm_86[,sm_90]
.RI [ options "] [" \-\- " \fIflags\fR]"
.br
.B kpipe tune
.I FILE
.BI \-\-arch= sm_90
.BI \-\-build= command
.BI \-\-run= command
.RI [ options "] [" \-\- " \fIflags\fR]"
.br
.B kpipe verify
.I ORIGINAL REWRITTEN
.BI \-\-arch= sm_86[,sm_90]
.RI [ options "] [" \-\- " \fIflags\fR]"
.br
.B kpipe lsp
.RI [ options "] [" \-\- " \fIflags\fR]"
.SH DESCRIPTION
.B kpipe rewrite
gives back CUDA source in which the next tile of each tiled loop is loaded while this one is computed, to standard output unless told otherwise. A loop for which
that is not shown to be right keeps its text, and a warning says why.
.B kpipe analyze
says what would be done, and why, with the budget of shared memory of each architecture; it changes nothing.
.B kpipe tune
builds and runs a program with every form of a file's loops, checks that it prints the same, and keeps the fastest in a file for
.BR \-\-profile .
.B kpipe verify
compiles both files with nvcc and checks in the machine code that the loads of the next tile overlap with the compute.
.B kpipe lsp
answers an editor on standard input and output: diagnostics, their fixes, the budget of a loop, and its pipeline.
.PP
With
.BI \-p " DIR"
and without files, all CUDA files of the folder's compile_commands.json are taken. Flags of nvcc or Clang follow
.BR \-\- .
.SH OPTIONS
)";
static constexpr char ManualTail[] =
    R"man(.SH DIRECTIVES
A comment directly above a loop or a kernel steers it:
.BR "// kpipe: off" ,
.BR "// kpipe: stages=2 variant=ldg" ,
.BR "// kpipe: assume(no\-alias)" .
.SH FILES
.TP
.I .kpipe
Settings for the sources of its folder and the folders below, in YAML; the keys are the options' names. The nearest file wins, the command line before all.
.SH EXIT STATUS
0: done, also when nothing was pipelined. 1: bad options, input that cannot be read or parsed, output that cannot be written, or with
.B \-\-require
a loop that was refused, or with
.B verify
or
.B \-\-verify
a check that failed or could not be made; then nothing was written.
)man";

static void printManualOptions(llvm::raw_ostream &OS) {
  for (const auto &Known : options()) {
    const Entry &E = Known.second;
    auto Describe = [&](const Option &O, const llvm::Twine &Where) {
      OS << ".TP\n\\fB" << roff(dashed(O)) << "\\fR";
      if (!O.ValueStr.empty())
        OS << (O.ArgStr.size() == 1 ? " " : "=") << "\\fI" << roff(O.ValueStr)
           << "\\fR";
      OS << "\n" << roff(O.HelpStr) << Where << "\n";
    };
    if (E.count() == CommandCount && E.alike()) {
      Describe(E.any(), "");
      continue;
    }
    // Once for each meaning, with the commands that it holds for.
    llvm::StringRef Said;
    for (const Option *O : E.Declared) {
      if (!O || O->HelpStr == Said)
        continue;
      Said = O->HelpStr;
      llvm::SmallVector<llvm::StringRef> Names;
      for (size_t I = 0; I != CommandCount; ++I)
        if (E.Declared[I] && E.Declared[I]->HelpStr == Said)
          Names.push_back(Commands[I]->getName());
      Describe(*O, " (" + llvm::join(Names, " and ") + " only)");
    }
  }
}

void printManual(llvm::raw_ostream &OS) {
  OS << ManualHead;
  printManualOptions(OS);
  OS << ManualTail;
}

void printBashCompletion(llvm::raw_ostream &OS) {
  OS << R"(# bash completion of kpipe, written by 'kpipe --print=bash'
_kpipe() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W ')" << names(Commands, " ") << R"( --help --version' -- "$cur"))
    return
  fi
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
)";
  std::array<std::string, CommandCount> Names;
  for (const auto &Known : options()) {
    const Entry &E = Known.second;
    for (auto [O, Text] : llvm::zip(E.Declared, Names))
      if (O)
        Text += withEquals(*O) + " ";
    if (std::vector<std::string> Words = words(E.any()); !Words.empty())
      OS << "    " << dashed(E.any()) << ") COMPREPLY=($(compgen -W '"
         << llvm::join(Words, " ") << "' -- \"$cur\")); return ;;\n";
  }
  OS << R"(  esac
  case $cur in
    -*)
      case ${COMP_WORDS[1]} in
)";
  for (auto [Command, Text] : llvm::zip(Commands, Names))
    OS << "        " << Command->getName() << ") word='" << Text << "' ;;\n";
  OS << R"(      esac
      COMPREPLY=($(compgen -W "$word" -- "$cur"))
      [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _kpipe kpipe
)";
}

void printZshCompletion(llvm::raw_ostream &OS) {
  OS << "#compdef kpipe\n# zsh completion of kpipe, written by 'kpipe "
        "--print=zsh'\nlocal -a "
     << names(Commands, " ") << "\n";
  for (size_t I = 0; I != CommandCount; ++I) {
    OS << Commands[I]->getName() << "=(\n";
    for (const auto &Known : options()) {
      if (!Known.second.Declared[I])
        continue;
      const Option &O = *Known.second.Declared[I];
      std::string Help;
      for (char C : O.HelpStr) {
        if (C == '[' || C == ']' || C == ':')
          Help += '\\';
        Help += C;
      }
      std::string Spec = withEquals(O) + "[" + Help + "]";
      std::vector<std::string> Words = words(O);
      if (!Words.empty())
        Spec += ":value:(" + llvm::join(Words, " ") + ")";
      else if (!O.ValueStr.empty())
        Spec += O.ValueStr.contains("file") || O.ValueStr.contains("dir")
                    ? ":file:_files"
                    : ":value: ";
      OS << "  " << shellWord(Spec) << "\n";
    }
    OS << ")\n";
  }
  OS << "if (( CURRENT == 2 )); then\n  _values command";
  for (llvm::cl::SubCommand *Command : Commands)
    OS << " '" << Command->getName() << "[" << Command->getDescription()
       << "]'";
  OS << R"(
  return
fi
local command=$words[2]
shift words; (( CURRENT-- ))
case $command in
)";
  for (llvm::cl::SubCommand *Command : Commands)
    OS << "  " << Command->getName() << ") _arguments -S $"
       << Command->getName() << " '*:file:_files' ;;\n";
  OS << "esac\n";
}

} // namespace kpipe
