// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks LLVM's table of the options of both subcommands. Where an option's
// value is described as `a|b`, these are its words.
#include "Manual.h"
#include "CommonOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace kpipe {
namespace {

using llvm::cl::Option;

struct Entry {
  const Option *Declared;
  bool Rewrite = false, Analyze = false;
};

/// The options of kpipe's own, by name.
std::map<std::string, Entry> options() {
  std::map<std::string, Entry> All;
  for (auto [Command, IsRewrite] :
       {std::pair(&RewriteCommand, true), std::pair(&AnalyzeCommand, false)})
    for (const auto &Known : llvm::cl::getRegisteredOptions(*Command)) {
      const Option *O = Known.second;
      if (!llvm::is_contained(O->Categories, &KpipeCategory))
        continue;
      Entry &E = All[O->ArgStr.str()];
      E.Declared = O;
      (IsRewrite ? E.Rewrite : E.Analyze) = true;
    }
  return All;
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
.SH DESCRIPTION
.B kpipe rewrite
gives back CUDA source in which the next tile of each tiled loop is loaded while this one is computed, to standard output unless told otherwise. A loop for which
that is not shown to be right keeps its text, and a warning says why.
.B kpipe analyze
says what would be done, and why, with the budget of shared memory of each architecture; it changes nothing.
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
    if (E.Rewrite != E.Analyze)
      OS << " (" << (E.Rewrite ? "rewrite" : "analyze") << " only)";
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
a loop that was refused; then nothing was written.
)man";
}

void printBashCompletion(llvm::raw_ostream &OS) {
  OS << R"(# bash completion of kpipe, written by 'kpipe --print=bash'
_kpipe() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W 'rewrite analyze --help --version' -- "$cur"))
    return
  fi
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
)";
  std::string Rewrite, Analyze;
  for (const auto &Known : options()) {
    const Entry &E = Known.second;
    std::string Name =
        dashed(*E.Declared) +
        (E.Declared->ValueStr.empty() || E.Declared->ArgStr.size() == 1 ? ""
                                                                         : "=");
    if (E.Rewrite)
      Rewrite += Name + " ";
    if (E.Analyze)
      Analyze += Name + " ";
    if (std::vector<std::string> Words = words(*E.Declared); !Words.empty())
      OS << "    " << dashed(*E.Declared) << ") COMPREPLY=($(compgen -W '"
         << llvm::join(Words, " ") << "' -- \"$cur\")); return ;;\n";
  }
  OS << R"(  esac
  case $cur in
    -*)
      case ${COMP_WORDS[1]} in
        rewrite) word=')" << Rewrite << R"(' ;;
        *) word=')" << Analyze << R"(' ;;
      esac
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
        "--print=zsh'\nlocal -a rewrite analyze\n";
  for (bool IsRewrite : {true, false}) {
    OS << (IsRewrite ? "rewrite" : "analyze") << "=(\n";
    for (const auto &Known : options()) {
      const Entry &E = Known.second;
      if (!(IsRewrite ? E.Rewrite : E.Analyze))
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
  OS << R"(if (( CURRENT == 2 )); then
  _values command 'rewrite[pipeline the tiled K-loops of CUDA files]' 'analyze[say what rewrite would do and why]'
  return
fi
local command=$words[2]
shift words; (( CURRENT-- ))
case $command in
  rewrite) _arguments -S $rewrite '*:file:_files' ;;
  analyze) _arguments -S $analyze '*:file:_files' ;;
esac
)";
}

} // namespace kpipe
