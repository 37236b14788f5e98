// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions are taken as they stand, whatever conditions are around them:
// that the text means the same is asked of what is parsed in the end.
#include "MacroText.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace kpipe {

namespace {

struct Definition {
  bool HasParameters = false;
  std::vector<std::string> Parameters;
  TextTokens Body;
};

/// Macros within macros; more are not followed.
constexpr unsigned MostNested = 8;

class Expander {
public:
  Expander(llvm::StringRef Above, const LangOptions &Language)
      : Language(Language) {
    while (!Above.empty()) {
      std::string Line;
      do {
        auto [First, Rest] = Above.split('\n');
        Above = Rest;
        First.consume_back("\r");
        if (!First.consume_back("\\")) {
          Line += First.str();
          break;
        }
        Line += First.str() + " ";
      } while (!Above.empty());
      directive(Line);
    }
  }

  /// \param At one behind the name; then one behind the arguments.
  std::optional<TextTokens> expand(llvm::StringRef Name, const TextTokens &In,
                                   size_t &At, unsigned Nested = 0) const {
    auto Known = Macros.find(Name);
    if (Known == Macros.end() || Nested > MostNested)
      return std::nullopt;
    const Definition &Of = Known->second;
    std::vector<TextTokens> Given;
    if (Of.HasParameters && !arguments(In, At, Given))
      return std::nullopt;
    if (Of.Parameters.size() != Given.size() &&
        !(Of.Parameters.empty() && Given.size() == 1 && Given[0].empty()))
      return std::nullopt;
    TextTokens Out;
    for (size_t I = 0; I != Of.Body.size(); ++I) {
      const TextToken &T = Of.Body[I];
      if (T.Text == "#" || T.Text == "##" || T.Text == "__VA_ARGS__")
        return std::nullopt;
      auto Found = llvm::find(Of.Parameters, T.Text);
      if (!T.Identifier || Found == Of.Parameters.end()) {
        Out.push_back(T);
        continue;
      }
      const TextTokens &Its = Given[Found - Of.Parameters.begin()];
      if (needsNoParens(Of.Body, I, Its)) {
        const bool Apart = Out.back().Apart;
        Out.back() = Its.front();
        Out.back().Apart = Apart;
        ++I;
        continue;
      }
      bool First = true;
      for (TextToken New : Its) {
        New.Apart = First ? T.Apart : New.Apart;
        First = false;
        Out.push_back(std::move(New));
      }
    }
    return nested(Out, Nested);
  }

private:
  const LangOptions &Language;
  llvm::StringMap<Definition> Macros;

  void directive(llvm::StringRef Line) {
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      return;
    Line = Line.ltrim();
    if (!Line.consume_front("define"))
      return;
    auto Tokens = tokensOf(Line, Language);
    if (!Tokens || Tokens->empty() || !Tokens->front().Identifier)
      return;
    Definition New;
    size_t I = 1;
    if (I < Tokens->size() && (*Tokens)[I].Text == "(" && !(*Tokens)[I].Apart) {
      New.HasParameters = true;
      for (++I; I < Tokens->size() && (*Tokens)[I].Text != ")"; ++I)
        if ((*Tokens)[I].Text != ",")
          New.Parameters.push_back((*Tokens)[I].Text);
      ++I;
    }
    if (I < Tokens->size())
      New.Body.assign(Tokens->begin() + I, Tokens->end());
    Macros[Tokens->front().Text] = std::move(New);
  }

  static bool arguments(const TextTokens &In, size_t &At,
                        std::vector<TextTokens> &Given) {
    if (At >= In.size() || In[At].Text != "(")
      return false;
    Given.emplace_back();
    for (unsigned Depth = 1; ++At < In.size();) {
      const std::string &Text = In[At].Text;
      Depth += Text == "(";
      Depth -= Text == ")";
      if (!Depth) {
        ++At;
        return true;
      }
      if (Text == "," && Depth == 1)
        Given.emplace_back();
      else
        Given.back().push_back(In[At]);
    }
    return false;
  }

  /// `(x)` where x is given a name or a number, what stands in front calls
  /// nothing, and what follows cannot make a cast of it.
  static bool needsNoParens(const TextTokens &Body, size_t I,
                            const TextTokens &Given) {
    static const llvm::StringRef Follows[] = {
        "[", ".",  "->", ")",  "]",  ",",  ";",  "+", "/", "%", "<",
        ">", "<=", ">=", "==", "!=", "&&", "||", "?", ":", "="};
    if (I == 0 || I + 1 >= Body.size() || Body[I - 1].Text != "(" ||
        Body[I + 1].Text != ")" || Given.size() != 1 ||
        !(Given[0].Identifier || llvm::isDigit(Given[0].Text[0])))
      return false;
    const TextToken *Front = I > 1 ? &Body[I - 2] : nullptr;
    if (Front && (Front->Identifier || Front->Text == ")" ||
                  Front->Text == "]" || Front->Text == ">"))
      return false;
    return I + 2 == Body.size() ||
           llvm::is_contained(Follows, llvm::StringRef(Body[I + 2].Text));
  }

  static bool hasStatements(const Definition &Of) {
    return llvm::any_of(Of.Body, [](const TextToken &T) {
      return T.Text == "=" || T.Text == ";" || T.Text == "{";
    });
  }

  /// Statements that come of other macros.
  std::optional<TextTokens> nested(const TextTokens &In,
                                   unsigned Nested) const {
    TextTokens Out;
    for (size_t I = 0; I != In.size();) {
      auto Known = In[I].Identifier ? Macros.find(In[I].Text) : Macros.end();
      if (Known == Macros.end() || !hasStatements(Known->second)) {
        Out.push_back(In[I++]);
        continue;
      }
      const bool Apart = In[I].Apart;
      const std::string &Name = In[I++].Text;
      auto Inner = expand(Name, In, I, Nested + 1);
      if (!Inner)
        return std::nullopt;
      *Inner = withoutOnce(std::move(*Inner));
      if (!Inner->empty())
        Inner->front().Apart = Apart;
      llvm::append_range(Out, *Inner);
    }
    return std::move(Out);
  }
};

} // namespace

TextTokens withoutOnce(TextTokens Text) {
  const size_t N = Text.size();
  static const char *const End[] = {"}", "while", "(", "0", ")"};
  if (N < 7 || Text[0].Text != "do" || Text[1].Text != "{")
    return Text;
  for (size_t I = 0; I != 5; ++I)
    if (Text[N - 5 + I].Text != End[I])
      return Text;
  return TextTokens(Text.begin() + 1, Text.end() - 4);
}

std::optional<TextTokens> macroText(Range Call, const SourceText &Source) {
  const LangOptions &Language = Source.context().getLangOpts();
  auto Tokens = tokensOf(Source.at(Call), Language);
  if (!Tokens || Tokens->empty())
    return std::nullopt;
  size_t At = 1;
  auto Text = Expander(Source.all().take_front(Call.Begin), Language)
                  .expand(Tokens->front().Text, *Tokens, At);
  if (!Text || At != Tokens->size())
    return std::nullopt;
  return withoutOnce(std::move(*Text));
}

} // namespace kpipe
