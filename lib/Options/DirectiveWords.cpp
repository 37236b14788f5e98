// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few words of directives alone, and those of every field of a loop's form
// that directives may ask for.
#include "DirectiveWords.h"
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

bool DirectiveWords::add(llvm::StringRef Word) {
  if (Word == "off")
    return Off = true;
  if (Word == "pipelined")
    return Pipelined = true;
  if (Word == "assume(no-alias)")
    return AssumeNoAlias = true;
  if (Word == "assume(all-instances)")
    return AssumeAllInstances = true;
  return setField(Form, Word);
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
