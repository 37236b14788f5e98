// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UnknownOptions.h.
#include "UnknownOptions.h"
#include "kpipe/Frontend.h"
#include "kpipe/Suggestions.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace kpipe {

namespace cl = llvm::cl;

static const cl::Option *optionOf(cl::SubCommand &Command,
                                  llvm::StringRef Name) {
  for (const auto &Known : cl::getRegisteredOptions(Command))
    if (Known.first == Name)
      return Known.second;
  return nullptr;
}

static bool takesWord(const cl::Option *O) {
  return O && O->getValueExpectedFlag() == cl::ValueRequired;
}

static std::string spelled(llvm::StringRef Name) {
  return (Name.size() == 1 ? "-" : "--") + Name.str();
}

/// What other programs call an option of kpipe's.
static llvm::StringRef otherName(llvm::StringRef Name) {
  return llvm::StringSwitch<llvm::StringRef>(Name)
      .Cases({"output", "out"}, "o")
      .Cases({"in-place", "inplace"}, "i")
      .Cases({"outdir", "out-dir", "output-directory"}, "output-dir")
      .Cases({"jobs", "parallel"}, "j")
      .Default("");
}

/// The names of the options that are kpipe's own.
static std::vector<std::string> namesOf(cl::SubCommand &Command) {
  std::vector<std::string> Names;
  for (const auto &Known : cl::getRegisteredOptions(Command))
    if (llvm::is_contained(Known.second->Categories, &KpipeCategory))
      Names.push_back(Known.first.str());
  llvm::sort(Names); // of two that are as near, the first
  return Names;
}

static llvm::Error unknownOption(cl::SubCommand &Command,
                                 llvm::ArrayRef<cl::SubCommand *> Commands,
                                 llvm::StringRef Word, llvm::StringRef Name,
                                 llvm::StringRef Help) {
  const std::string Own = "'kpipe " + Command.getName().str() + "'";
  if (!Word.starts_with("--") && Name.starts_with("o") && Name.size() > 1 &&
      optionOf(Command, "o"))
    return optionError("unknown option '" + Word + "'; write '-o " +
                       Name.drop_front() + "'");
  if (const llvm::StringRef Other = otherName(Name);
      optionOf(Command, Other))
    return optionError("unknown option '" + Word + "'; did you mean '" +
                       spelled(Other) + "'?");
  for (cl::SubCommand *Other : Commands)
    if (optionOf(*Other, Name))
      return optionError(Own + " has no option '" + spelled(Name) +
                         "'; 'kpipe " + Other->getName() + "' has");
  if (isCompilerFlag(Word))
    return optionError("'" + Word + "' is a flag for the compiler; flags for "
                       "nvcc or Clang follow behind all others after '--'");
  const std::vector<std::string> Names = namesOf(Command);
  const llvm::StringRef Meant = nearest(
      Name, std::vector<llvm::StringRef>(Names.begin(), Names.end()));
  return optionError("unknown option '" + Word + "'" +
                     (Meant.empty()
                          ? Help.str()
                          : "; did you mean '" + spelled(Meant) + "'?"));
}

llvm::Error checkOptions(cl::SubCommand &Command,
                         llvm::ArrayRef<cl::SubCommand *> Commands,
                         llvm::ArrayRef<const char *> Words,
                         llvm::StringRef Help) {
  for (size_t I = 0; I < Words.size(); ++I) {
    const llvm::StringRef Word = Words[I];
    if (!Word.starts_with("-") || Word == "-")
      continue;
    const llvm::StringRef Name = Word.ltrim('-').split('=').first;
    const cl::Option *Known = optionOf(Command, Name);
    if (takesWord(Known) && !Word.contains('='))
      ++I;
    // `-j4`
    const cl::Option *Joined = optionOf(Command, Name.take_front(1));
    if (Known || (!Word.starts_with("--") && Joined &&
                  Joined->getFormattingFlag() == cl::Prefix))
      continue;
    return unknownOption(Command, Commands, Word, Name, Help);
  }
  return llvm::Error::success();
}

} // namespace kpipe
