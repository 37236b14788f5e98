// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares an option for each field of LoopForm.def. A permission is a boolean
// of LLVM's; all else is read by the parser of its type.
#include "FormOptions.h"
#include "Commands.h"
#include "kpipe/Suggestions.h"
#include "kpipe/Words.h"
#include "support/Failure.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

template <typename T> static std::string meantBy(llvm::StringRef Word) {
  const std::vector<std::string> Known = Spelling<T>::words();
  return didYouMean(Word, std::vector<llvm::StringRef>(Known.begin(),
                                                       Known.end()));
}

} // namespace kpipe

namespace llvm::cl {

/// Reads what is asked for a field of a loop's form.
template <typename T>
class parser<kpipe::Asked<T>> : public basic_parser<kpipe::Asked<T>> {
  using Asked = kpipe::Asked<T>;
  using Spelling = kpipe::Spelling<T>;
  static constexpr bool IsFlag = std::is_same_v<T, kpipe::Flag>;

public:
  using basic_parser<Asked>::basic_parser;

  ValueExpected getValueExpectedFlagDefault() const {
    return Spelling::Bare.empty() ? ValueRequired : ValueOptional;
  }

  /// Stands for a value that is not described.
  StringRef getValueName() const override { return IsFlag ? "" : "value"; }

  /// \returns true on an error, which was printed.
  bool parse(Option &O, StringRef Name, StringRef Word, Asked &Out) {
    if constexpr (IsFlag) {
      bool Given = false;
      if (parser<bool>(O).parse(O, Name, Word, Given))
        return true;
      Out = Given ? Asked(kpipe::Flag::Given) : Asked::automatic();
    } else {
      auto Read =
          Spelling::parse(Word.empty() ? StringRef(Spelling::Bare) : Word);
      if (!Read)
        return kpipe::fail(kpipe::optionError("--" + Name + "=" + Word + ": " +
                                              Spelling::Want +
                                              kpipe::meantBy<T>(Word)));
      Out = *Read;
    }
    return false;
  }

  void printOptionDiff(const Option &, const Asked &,
                       const OptionValue<Asked> &, size_t) const {}
};

} // namespace llvm::cl

namespace cl = llvm::cl;

namespace kpipe {

/// "auto|ldg|cp-async"; a permission has no value to describe.
template <typename T> static llvm::StringRef valueDescription() {
  static const std::string Text =
      std::is_same_v<T, Flag> ? "" : llvm::join(Spelling<T>::words(), "|");
  return Text;
}

#define KPIPE_FORM_FIELD(Member, Type, Name, Places, InTuneTable, Help)        \
  static cl::opt<Asked<Type>> Member##Option(                                  \
      Name, cl::desc(Help), cl::value_desc(valueDescription<Type>()),          \
      KPIPE_NOT_TUNE, KPIPE_AND_LSP);
#include "kpipe/LoopForm.def"

LoopForm formOfCommandLine() {
  LoopForm Form;
#define KPIPE_FORM_FIELD(Member, Type, Name, Places, InTuneTable, Help)        \
  Form.Member = Member##Option.getValue();
#include "kpipe/LoopForm.def"
  return Form;
}

std::string asOptions(const LoopForm &Form) {
  std::string Text;
  forEachField([&](const FormField &Field, auto Member) {
    if (!(Form.*Member).said())
      return;
    Text += (Text.empty() ? "--" : " --") + Field.Name.str();
    if (wordFor(Form.*Member) != SpellingOf<decltype(Member)>::Bare)
      Text += "=" + wordFor(Form.*Member);
  });
  return Text;
}

} // namespace kpipe
