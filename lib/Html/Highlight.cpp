// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lexer of a few kinds of words, see Highlight.h. Clang's own would need
// valid UTF-8, language options and a file that it can parse.
#include "Highlight.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>

namespace kpipe::html {

static bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }

static Ink inkOfWord(llvm::StringRef Word) {
  static const llvm::StringSet<> Keywords{
      "alignas",   "auto",     "bool",      "break",    "case",     "char",
      "class",     "const",    "constexpr", "continue", "decltype", "default",
      "do",        "double",   "else",      "enum",     "extern",   "false",
      "float",     "for",      "goto",      "half",     "if",       "inline",
      "int",       "int32_t",  "int64_t",   "int8_t",   "long",     "mutable",
      "namespace", "nullptr",  "operator",  "private",  "public",   "return",
      "short",     "signed",   "size_t",    "sizeof",   "static",   "struct",
      "switch",    "template", "this",      "true",     "typedef",  "typename",
      "uint32_t",  "uint64_t", "uint8_t",   "union",    "unsigned", "using",
      "void",      "volatile", "while",     "float2",   "float4",   "int4"};
  static const llvm::StringSet<> Cuda{"threadIdx", "blockIdx", "blockDim",
                                      "gridDim",   "warpSize", "kpipe"};
  if (Keywords.contains(Word))
    return Ink::Keyword;
  if (Cuda.contains(Word) || Word.starts_with("__"))
    return Ink::Cuda;
  return llvm::isDigit(Word.front()) ? Ink::Literal : Ink::Plain;
}

/// The end of a string or character literal that begins at \p At; a literal
/// ends at the latest with its line.
static size_t literalEnd(llvm::StringRef Source, size_t At) {
  char Quote = Source[At++];
  while (At < Source.size() && Source[At] != Quote && Source[At] != '\n')
    At += Source[At] == '\\' && At + 1 < Source.size() ? 2 : 1;
  return At < Source.size() && Source[At] == Quote
             ? At + 1
             : std::min(At, Source.size());
}

std::vector<Ink> inkOf(llvm::StringRef Source) {
  std::vector<Ink> Inks(Source.size(), Ink::Plain);
  bool LineBegins = true;
  for (size_t At = 0; At < Source.size();) {
    char C = Source[At];
    llvm::StringRef Rest = Source.drop_front(At);
    size_t End = At + 1;
    Ink Color = Ink::Plain;
    if (Rest.starts_with("//")) {
      End = std::min(Source.find('\n', At), Source.size());
      Color = Ink::Comment;
    } else if (Rest.starts_with("/*")) {
      size_t Close = Source.find("*/", At + 2);
      End = Close == llvm::StringRef::npos ? Source.size() : Close + 2;
      Color = Ink::Comment;
    } else if (C == '"' || C == '\'') {
      End = literalEnd(Source, At);
      Color = Ink::Literal;
    } else if (C == '#' && LineBegins) {
      while (End < Source.size() && (Source[End] == ' ' || isWord(Source[End])))
        ++End;
      Color = Ink::Directive;
    } else if (isWord(C)) {
      while (
          End < Source.size() &&
          (isWord(Source[End]) ||
           (llvm::isDigit(C) && (Source[End] == '.' || Source[End] == '\''))))
        ++End;
      Color = inkOfWord(Source.slice(At, End));
    }
    std::fill(Inks.begin() + At, Inks.begin() + End, Color);
    if (C == '\n')
      LineBegins = true;
    else if (C != ' ' && C != '\t')
      LineBegins = false;
    At = End;
  }
  return Inks;
}

} // namespace kpipe::html
