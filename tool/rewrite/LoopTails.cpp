// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoopTails.h.
#include "LoopTails.h"
#include "RawTokens.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace kpipe {

namespace {

llvm::StringRef indentOf(llvm::StringRef Line) {
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; });
}

/// How much deeper what a line has in it is: as the next line is, or as the
/// line is in what it is in.
llvm::StringRef unitOf(llvm::ArrayRef<llvm::StringRef> Lines, size_t I) {
  const llvm::StringRef Own = indentOf(Lines[I]);
  llvm::StringRef Next = indentOf(Lines[I + 1]);
  if (Next.consume_front(Own) && !Next.empty())
    return Next;
  while (I-- != 0)
    if (llvm::StringRef Unit = Own; !Lines[I].trim().empty() &&
                                    Unit.consume_front(indentOf(Lines[I])) &&
                                    !Unit.empty())
      return Unit;
  return "  ";
}

/// Where the statement begins, if the line is a loop's head with one behind it.
std::optional<size_t> tailOf(llvm::StringRef Line) {
  const std::vector<RawToken> Here = rawTokens(Line, /*Comments=*/true);
  auto is = [&](size_t I, llvm::StringRef Word) {
    return I < Here.size() &&
           Line.substr(Here[I].Offset, Here[I].Length) == Word;
  };
  if ((!is(0, "for") && !is(0, "while")) || !is(1, "("))
    return std::nullopt;
  unsigned Open = 0;
  for (size_t I = 1; I != Here.size(); ++I) {
    Open += is(I, "(");
    Open -= is(I, ")");
    if (Open == 0)
      return I + 1 == Here.size() || is(I + 1, "{") || is(I + 1, ";") ||
                     Here[I + 1].Kind == clang::tok::comment
                 ? std::nullopt
                 : std::optional(Here[I + 1].Offset);
  }
  return std::nullopt;
}

} // namespace

std::string
tailsBelowLoops(llvm::StringRef Text,
                llvm::function_ref<bool(llvm::StringRef)> IsTooLong) {
  const std::vector<llvm::StringRef> Lines = splitLines(Text);
  std::vector<std::string> Deeper(Lines.size()); // in front of each line
  std::string Out;
  bool Any = false;
  for (size_t I = 0; I != Lines.size(); ++I) {
    const llvm::StringRef Line = Lines[I], Own = indentOf(Line);
    auto Tail = IsTooLong(Line) && !Line.rtrim().ends_with("\\") ? tailOf(Line)
                                                                 : std::nullopt;
    if (!Tail || I + 1 == Lines.size()) {
      Out += Line.trim().empty() || Line.starts_with("#")
                 ? Line.str()
                 : Deeper[I] + Line.str();
      continue;
    }
    Any = true;
    const llvm::StringRef Unit = unitOf(Lines, I);
    Out += Deeper[I] + Line.take_front(*Tail).rtrim().str() +
           (Line.ends_with("\r\n") ? "\r\n" : "\n") + Deeper[I] + Own.str() +
           Unit.str() + Line.substr(*Tail).str();
    size_t End = I + 1;
    while (End != Lines.size() &&
           (Lines[End].trim().empty() || Lines[End].starts_with("#") ||
            indentOf(Lines[End]).size() > Own.size()))
      ++End;
    if (End != Lines.size() && Line.rtrim().ends_with("{"))
      ++End; // its brace
    for (size_t Of = I + 1; Of != End; ++Of)
      Deeper[Of] += Unit;
  }
  if (!Any)
    return Text.str();
  // A string that goes on in another line would not be the same.
  for (const RawToken &T : rawTokens(Text))
    if (clang::tok::isStringLiteral(T.Kind) &&
        Text.substr(T.Offset, T.Length).contains('\n'))
      return Text.str();
  return Out;
}

} // namespace kpipe
