// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few words of directives alone, and those of every field of a loop's form
// that directives may ask for.
#include "DirectiveWords.h"
#include "kpipe/Suggestions.h"
#include "kpipe/Words.h"

namespace kpipe {

/// Sets the field that a word names, `stages=3` or `pad`.
static bool setField(LoopForm &Form, llvm::StringRef Word) {
  auto [Name, Value] = Word.split('=');
  const bool Bare = !Word.contains('=');
  bool Set = false;
  forEachField(
      [&, Name = Name, Value = Value](const FormField &Field, auto Member) {
        if (Field.Name != Name || !Field.is(FormField::Directive))
          return;
        auto &Asked = Form.*Member;
        using S = SpellingOf<decltype(Member)>;
        if (Bare && S::Bare.empty())
          return;
        if (auto Read = S::parse(Bare ? S::Bare : Value)) {
          Asked = *Read;
          Set = true;
        }
      });
  return Set;
}

/// Words that no option has.
static constexpr std::pair<llvm::StringLiteral, bool DirectiveWords::*>
    OwnWords[] = {
        {"off", &DirectiveWords::Off},
        {"pipelined", &DirectiveWords::Pipelined},
        {"assume(no-alias)", &DirectiveWords::AssumeNoAlias},
        {"assume(all-instances)", &DirectiveWords::AssumeAllInstances},
};

bool DirectiveWords::add(llvm::StringRef Word) {
  for (auto [Own, Member] : OwnWords)
    if (Word == Own)
      return this->*Member = true;
  return setField(Form, Word);
}

std::vector<PlacedWord> placedWords(llvm::StringRef Line) {
  std::vector<PlacedWord> All;
  bool Joins = false; // what comes next belongs to the word before
  for (size_t At = 0; At < Line.size();) {
    const size_t Begin = Line.find_first_not_of(" \t,", At);
    if (Begin == llvm::StringRef::npos)
      break;
    const size_t End =
        std::min(Line.find_first_of(" \t,", Begin), Line.size());
    const llvm::StringRef Word = Line.slice(Begin, End);
    if (!All.empty() && (Joins || Word.starts_with("=")))
      All.back().Text += Word;
    else
      All.push_back({Begin, Word.str()});
    Joins = Word.ends_with("=");
    At = End;
  }
  return All;
}

Message whyNoDirective(llvm::StringRef Word) {
  auto [Name, Value] = Word.split('=');
  std::optional<Message> Why;
  std::vector<std::string> Known;
  for (auto [Own, Member] : OwnWords)
    Known.push_back(Own.str());
  forEachField(
      [&, Name = Name, Value = Value](const FormField &Field, auto Member) {
        if (!Field.is(FormField::Directive))
          return;
        using S = SpellingOf<decltype(Member)>;
        Known.push_back(Field.Name.str());
        if (Field.Name != Name)
          return;
        const std::vector<std::string> Words = S::words();
        Why = {msg::directive_value, Word, S::Want,
               didYouMean(Value, std::vector<llvm::StringRef>(Words.begin(),
                                                              Words.end()))};
      });
  if (Why)
    return *Why;
  const llvm::StringRef Meant = nearest(
      Name, std::vector<llvm::StringRef>(Known.begin(), Known.end()));
  if (Meant.empty())
    return {msg::not_a_directive, Word, ""};
  return {msg::not_a_directive, Word,
          "; did you mean '" + Meant.str() +
              Word.drop_front(Name.size()).str() + "'?"};
}

DirectiveWords overlay(const DirectiveWords &Kernel,
                       const DirectiveWords &Loop) {
  DirectiveWords D = Loop;
  D.Off |= Kernel.Off;
  D.AssumeNoAlias |= Kernel.AssumeNoAlias;
  D.AssumeAllInstances |= Kernel.AssumeAllInstances;
  D.Form = overlay(Kernel.Form, Loop.Form);
  return D;
}

} // namespace kpipe
