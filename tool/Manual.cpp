// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks LLVM's table of the options of all subcommands. Where an option's
// value is described as `a|b`, these are its words.
#include "Manual.h"
#include "CommonOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace kpipe {
namespace {

using llvm::cl::Option;

/// In the order of the manual.
llvm::cl::SubCommand *const Commands[] = {&RewriteCommand, &AnalyzeCommand,
                                          &VerifyCommand};

struct Entry {
  const Option *Declared;
  std::vector<llvm::cl::SubCommand *> Of;

  bool isOf(llvm::cl::SubCommand *Command) const {
    return llvm::is_contained(Of, Command);
  }
};

/// The options of kpipe's own, by name.
std::map<std::string, Entry> options() {
  std::map<std::string, Entry> All;
  for (llvm::cl::SubCommand *Command : Commands)
    for (const auto &Known : llvm::cl::getRegisteredOptions(*Command)) {
      const Option *O = Known.second;
      if (!llvm::is_contained(O->Categories, &KpipeCategory))
        continue;
      Entry &E = All[O->ArgStr.str()];
      E.Declared = O;
      E.Of.push_back(Command);
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

std::string quoted(llvm::StringRef Text) {
  std::string Out;
  for (char C : Text)
    C == '\'' ? Out += "'\\''" : Out += C;
  return "'" + Out + "'";
}

} // namespace

void printManual(llvm::raw_ostream &OS) {
  OS << R"(.TH KPIPE 1 "" "kpipe )" KPIPE_VERSION R"(" "User Commands"
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
.B kpipe verify
.I ORIGINAL REWRITTEN
.BI \-\-arch= sm_86[,sm_90]
.RI [ options "] [" \-\- " \fIflags\fR]"
.SH DESCRIPTION
.B kpipe rewrite
gives back CUDA source in which the next tile of each tiled loop is loaded while this one is computed, to standard output unless told otherwise. A loop for which
that is not shown to be right keeps its text, and a warning says why.
.B kpipe analyze
says what would be done, and why, with the budget of shared memory of each architecture; it changes nothing.
.B kpipe verify
compiles both files with nvcc and checks in the machine code that the loads of the next tile overlap with the compute.
.PP
With
.BI \-p " DIR"
and without files, all CUDA files of the folder's compile_commands.json are taken. Flags of nvcc or Clang follow
.BR \-\- .
.SH OPTIONS
)";
  for (const auto &Known : options()) {
    const Entry &E = Known.second;
    const Option &O = *E.Declared;
    OS << ".TP\n\\fB" << roff(dashed(O)) << "\\fR";
    if (!O.ValueStr.empty())
      OS << (O.ArgStr.size() == 1 ? " " : "=") << "\\fI" << roff(O.ValueStr)
         << "\\fR";
    OS << "\n" << roff(O.HelpStr);
    if (E.Of.size() != std::size(Commands))
      OS << " (" << names(E.Of, ", ") << " only)";
    OS << "\n";
  }
  OS << R"man(.SH DIRECTIVES
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
  std::map<llvm::cl::SubCommand *, std::string> Words;
  for (const auto &Known : options()) {
    const Entry &E = Known.second;
    std::string Name =
        dashed(*E.Declared) +
        (E.Declared->ValueStr.empty() || E.Declared->ArgStr.size() == 1 ? ""
                                                                         : "=");
    for (llvm::cl::SubCommand *Command : E.Of)
      Words[Command] += Name + " ";
    if (std::vector<std::string> Values = words(*E.Declared); !Values.empty())
      OS << "    " << dashed(*E.Declared) << ") COMPREPLY=($(compgen -W '"
         << llvm::join(Values, " ") << "' -- \"$cur\")); return ;;\n";
  }
  OS << R"(  esac
  case $cur in
    -*)
      case ${COMP_WORDS[1]} in
)";
  for (llvm::cl::SubCommand *Command : Commands)
    OS << "        " << Command->getName() << ") word='" << Words[Command]
       << "' ;;\n";
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
  for (llvm::cl::SubCommand *Command : Commands) {
    OS << Command->getName() << "=(\n";
    for (const auto &Known : options()) {
      const Entry &E = Known.second;
      if (!E.isOf(Command))
        continue;
      const Option &O = *E.Declared;
      std::string Help;
      for (char C : O.HelpStr) {
        if (C == '[' || C == ']' || C == ':')
          Help += '\\';
        Help += C;
      }
      std::string Spec = dashed(O);
      if (!O.ValueStr.empty())
        Spec += O.ArgStr.size() == 1 ? "" : "=";
      Spec += "[" + Help + "]";
      std::vector<std::string> Words = words(O);
      if (!Words.empty())
        Spec += ":value:(" + llvm::join(Words, " ") + ")";
      else if (!O.ValueStr.empty())
        Spec += O.ValueStr.contains("file") || O.ValueStr.contains("dir")
                    ? ":file:_files"
                    : ":value: ";
      OS << "  " << quoted(Spec) << "\n";
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
