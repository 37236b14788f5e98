// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on Clang's raw tokens, so that no string, comment or directive is
// broken; see WrapLines.h.
#include "WrapLines.h"
#include "LoopTails.h"
#include "RawTokens.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace kpipe {

namespace tok = clang::tok;

static llvm::StringRef withoutEnd(llvm::StringRef Line) {
  return Line.rtrim("\r\n");
}

/// Columns of a line; a character of UTF-8 is one, a tab ends at the next 8th.
static unsigned columns(llvm::StringRef Line) {
  unsigned Column = 0;
  for (unsigned char C : Line)
    Column = C == '\t' ? Column / 8 * 8 + 8 : Column + ((C & 0xC0) != 0x80);
  return Column;
}

unsigned widthOf(llvm::StringRef Text) {
  unsigned Width = 80;
  for (llvm::StringRef Line : splitLines(Text))
    if (!Line.ltrim().starts_with("//"))
      Width = std::max(Width, columns(withoutEnd(Line)));
  return std::min(Width, 120u);
}

namespace {

bool opens(tok::TokenKind Kind) {
  return Kind == tok::l_paren || Kind == tok::l_square ||
         Kind == tok::l_brace || Kind == tok::lesslessless;
}

bool closes(tok::TokenKind Kind) {
  return Kind == tok::r_paren || Kind == tok::r_square ||
         Kind == tok::r_brace || Kind == tok::greatergreatergreater;
}

/// A sign with spaces around it stands between two operands.
bool isSum(llvm::ArrayRef<RawToken> Here, size_t I) {
  return (Here[I].Kind == tok::plus || Here[I].Kind == tok::minus) && I &&
         Here[I - 1].end() < Here[I].Offset && I + 1 < Here.size() &&
         Here[I].end() < Here[I + 1].Offset;
}

/// A bracket right behind a name, not that of a cast or around a sum.
bool isCall(llvm::ArrayRef<RawToken> Here, size_t I) {
  return Here[I].Kind == tok::l_paren && I &&
         Here[I - 1].end() == Here[I].Offset &&
         (Here[I - 1].Kind == tok::raw_identifier ||
          Here[I - 1].Kind == tok::greater ||
          Here[I - 1].Kind == tok::r_square);
}

/// Where a line may be broken, and how good that is.
struct Break {
  size_t Offset; ///< of what goes to the next line
  unsigned Rank; ///< the less the better
  bool Within = false; ///< a bracket of this line is open there
};

class Wrapper {
public:
  Wrapper(llvm::StringRef New, unsigned Width)
      : Text(New), Width(Width), Tokens(rawTokens(New, /*Comments=*/true)) {}

  /// A line from Begin, with its end, broken as far as it can be.
  std::string wrapped(size_t Begin, llvm::StringRef Line) const {
    llvm::StringRef Code = withoutEnd(Line), End = Line.substr(Code.size());
    auto First = llvm::lower_bound(
        Tokens, Begin, [](const RawToken &T, size_t O) { return T.end() <= O; });
    // It begins within a comment or a string, or goes on into one.
    if (First == Tokens.end() || First->Offset < Begin)
      return Line.str();
    std::vector<RawToken> Here;
    for (auto T = First; T != Tokens.end() && T->Offset < Begin + Code.size();
         ++T)
      Here.push_back(*T);
    if (Here.empty() || Here.back().end() > Begin + Code.size() ||
        Here.front().Kind == tok::hash)
      return Line.str();
    const llvm::StringRef Newline = End.starts_with("\r") ? "\r\n" : "\n";
    llvm::StringRef Comment;
    if (Here.back().Kind == tok::comment) {
      Comment = Code.substr(Here.back().Offset - Begin);
      Here.pop_back();
    }
    if (Here.empty())
      return Line.str();
    const std::string Broken = behindTemplate(Begin, Here, Newline);
    if (Comment.empty())
      return Broken + End.str();
    // It stands below others no more; where there is no room it goes above.
    const llvm::StringRef Own = Text.slice(Begin, Here.front().Offset);
    const size_t LastLine = Broken.rfind('\n') + 1;
    if (columns(Broken.substr(LastLine)) + 1 + columns(Comment) > Width &&
        LastLine == 0 && Comment.starts_with("// ") &&
        columns(Own) + columns(Comment) <= Width && !Comment.contains("NOLINT"))
      return (Own + Comment + Newline + Broken + End).str();
    const bool Same = LastLine == 0;
    return Same ? Line.str() : Broken + " " + Comment.str() + End.str();
  }

private:
  llvm::StringRef Text;
  const unsigned Width;
  const std::vector<RawToken> Tokens;

  std::vector<Break> breaks(llvm::ArrayRef<RawToken> Here) const {
    std::vector<Break> All;
    unsigned Open = 0, Angles = 0;
    std::vector<unsigned> Asked; // depths of `?` without their `:`
    for (size_t I = 0; I + 1 < Here.size(); ++I) {
      const RawToken &T = Here[I], &Next = Here[I + 1];
      if (opens(T.Kind))
        ++Open;
      else if (closes(T.Kind))
        Open -= Open != 0;
      // What a name has right behind it are arguments of a template.
      if (T.Kind == tok::less && I && Here[I - 1].end() == T.Offset &&
          Next.Offset == T.end())
        ++Angles;
      else if (T.Kind == tok::greater && Angles)
        --Angles;
      const unsigned Depth = Open + 2 * Angles;
      auto May = [&](unsigned Rank) {
        All.push_back({Next.Offset, Rank, Open != 0});
      };
      if (T.Kind == tok::question)
        Asked.push_back(Depth);
      const bool Else =
          Next.Kind == tok::colon && !Asked.empty() && Asked.back() == Depth;
      if (T.Kind == tok::comma)
        May(4 * Depth);
      else if (T.Kind == tok::semi && Depth)
        May(4 * Depth - 1); // parts of a loop's head
      else if (T.Kind == tok::equal && !Depth)
        May(2);
      else if (Next.Kind == tok::ampamp || Next.Kind == tok::pipepipe ||
               Next.Kind == tok::question || Next.Kind == tok::lesslessless ||
               Else)
        May(4 * Depth + 1);
      else if (isSum(Here, I + 1))
        May(4 * Depth + 3);
      else if (T.Kind == tok::l_paren && I &&
               Here[I - 1].Kind == tok::greatergreatergreater &&
               Next.Kind != tok::r_paren)
        May(0); // what a kernel is given stays in one piece
      else if (isCall(Here, I) && Next.Kind != tok::r_paren)
        May(4 * Depth + 2);
      if (Else)
        Asked.pop_back();
    }
    return All;
  }

  /// The columns of what stands within brackets, outermost first.
  using Columns = std::vector<unsigned>;

  /// Brackets of a piece of a line that begins with Ahead.
  static void follow(llvm::ArrayRef<RawToken> Piece, unsigned Ahead,
                     Columns &Open) {
    for (const RawToken &T : Piece)
      if (opens(T.Kind))
        Open.push_back(Ahead + unsigned(T.end() - Piece.front().Offset));
      else if (closes(T.Kind) && !Open.empty())
        Open.pop_back();
  }

  /// Is a token inside parentheses or square brackets?
  bool isWithin(const RawToken &Token) const {
    std::vector<tok::TokenKind> Open;
    for (const RawToken &T : Tokens) {
      if (T.Offset >= Token.Offset)
        break;
      if (T.Kind == tok::l_paren || T.Kind == tok::l_square ||
          T.Kind == tok::l_brace)
        Open.push_back(T.Kind);
      else if ((T.Kind == tok::r_paren || T.Kind == tok::r_square ||
                T.Kind == tok::r_brace) &&
               !Open.empty())
        Open.pop_back();
    }
    return !Open.empty() && Open.back() != tok::l_brace;
  }

  /// Where a part of a call's list has no room below its bracket, but would
  /// have some in a line of its own, all of them begin on the next line. \param
  /// At the break that would be made, within the list.
  std::optional<Break> behindBracket(llvm::ArrayRef<RawToken> Here,
                                     llvm::StringRef Ahead, size_t At) const {
    auto Bracket = llvm::find_if(
        Here, [](const RawToken &T) { return T.Kind == tok::l_paren; });
    const size_t First = Bracket - Here.begin();
    if (Bracket == Here.end() || Bracket->Offset >= At ||
        First + 1 >= Here.size() || !isCall(Here, First))
      return std::nullopt;
    const unsigned Column =
        columns(Ahead) + unsigned(Bracket->end() - Here.front().Offset);
    unsigned Depth = 0, Angles = 0, Widest = 0;
    size_t Item = Here[First + 1].Offset;
    for (size_t I = First; I != Here.size(); ++I) {
      const tok::TokenKind Kind = Here[I].Kind;
      Depth += opens(Kind);
      Depth -= closes(Kind) && Depth;
      Angles += Kind == tok::less && Here[I - 1].end() == Here[I].Offset;
      Angles -= Kind == tok::greater && Angles;
      if ((Kind == tok::comma && Depth == 1 && !Angles) || !Depth) {
        // What closes the list stays with its last part.
        Widest = std::max(Widest, columns(Text.slice(Item, Here[I].end())) +
                                      2 * !Depth);
        Item = I + 1 < Here.size() ? Here[I + 1].Offset : Item;
      }
      if (!Depth)
        break;
    }
    if (Depth || Column + Widest <= Width ||
        columns(Ahead) + 4 + Widest > Width)
      return std::nullopt;
    return Break{Here[First + 1].Offset, 0, true};
  }

  /// What a template is of begins a line below its parameters.
  std::string behindTemplate(size_t Begin, const std::vector<RawToken> &Here,
                             llvm::StringRef Newline) const {
    const size_t End = Here.back().end();
    size_t Behind = 0;
    if (Here.size() > 1 && Here[1].Kind == tok::less &&
        Text.substr(Here[0].Offset, Here[0].Length) == "template")
      for (unsigned I = 1, Open = 0; I != Here.size() && !Behind; ++I) {
        Open += Here[I].Kind == tok::less;
        Open -= Here[I].Kind == tok::greater;
        if (!Open && I + 1 != Here.size())
          Behind = I + 1;
      }
    const std::string Indent = Text.slice(Begin, Here.front().Offset).str();
    if (!Behind)
      return broken(Indent, Here, End, Newline);
    return broken(Indent, {Here.begin(), Here.begin() + Behind},
                  Here[Behind - 1].end(), Newline) +
           Newline.str() +
           broken(Indent, {Here.begin() + Behind, Here.end()}, End, Newline);
  }

  std::string broken(const std::string &Indent, std::vector<RawToken> Here,
                     size_t Last, llvm::StringRef Newline) const {
    std::string Out;
    // Goes on below an open bracket, or begins a statement.
    const unsigned Further = isWithin(Here.front()) ? 0 : 4;
    std::string Ahead = Indent; // in front of what is left
    Columns Open;
    size_t From = Here.front().Offset;
    while (columns(Ahead + Text.slice(From, Here.back().end()).str()) > Width) {
      std::optional<Break> Best;
      for (const Break &B : breaks(Here)) {
        llvm::StringRef Piece = Text.slice(From, B.Offset).rtrim();
        if (columns(Ahead + Piece.str()) <= Width &&
            (!Best || B.Rank <= Best->Rank))
          Best = B;
      }
      if (!Best)
        break;
      if (auto Behind = behindBracket(Here, Ahead, Best->Offset))
        Best = Behind;
      llvm::StringRef Piece = Text.slice(From, Best->Offset).rtrim();
      Out += Ahead + Piece.str() + Newline.str();
      auto Rest = llvm::find_if(
          Here, [&](const RawToken &T) { return T.Offset >= Best->Offset; });
      follow(llvm::ArrayRef(Here).take_front(Rest - Here.begin()),
             columns(Ahead), Open);
      const unsigned Deeper = columns(Ahead) + 4;
      const bool Behind = opens(std::prev(Rest)->Kind);
      // Below a bracket far to the right there is no room.
      if (Best->Within && (Behind || Open.back() > Width / 2))
        Open.back() = Deeper;
      const unsigned Below = !Open.empty() ? Open.back()
                             : Ahead.size() > Indent.size()
                                 ? columns(Ahead)
                                 : columns(Indent) + Further;
      Ahead =
          Indent + std::string(Below - std::min(Below, columns(Indent)), ' ');
      From = Best->Offset;
      Here.erase(Here.begin(), Rest);
    }
    return Out + Ahead + Text.slice(From, Last).str();
  }
};

} // namespace

std::string wrapLines(llvm::StringRef Old, llvm::StringRef New,
                      unsigned Width) {
  llvm::StringSet<> Authors;
  for (llvm::StringRef Line : splitLines(Old))
    Authors.insert(Line.trim());
  if (Width == 0)
    Width = widthOf(Old);
  auto IsTooLong = [&](llvm::StringRef Line) {
    return columns(withoutEnd(Line)) > Width && !Authors.contains(Line.trim());
  };
  if (llvm::none_of(splitLines(New), IsTooLong))
    return New.str();
  const std::string Whole = tailsBelowLoops(New, IsTooLong);
  const Wrapper Lines(Whole, Width);
  std::string Out;
  bool GoesOn = false; // a backslash ends the line before
  for (llvm::StringRef Line : splitLines(Whole)) {
    bool InMacro = GoesOn || withoutEnd(Line).ends_with("\\");
    GoesOn = withoutEnd(Line).ends_with("\\");
    Out += InMacro || !IsTooLong(Line)
               ? Line.str()
               : Lines.wrapped(Line.data() - Whole.data(), Line);
  }
  return Out;
}

} // namespace kpipe
