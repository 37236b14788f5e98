// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that kpipe introduces: readable ones that no word of the file uses, nor
// a macro that the file sees.
#ifndef KPIPE_EMISSION_NAMES_H
#define KPIPE_EMISSION_NAMES_H

#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace kpipe {

class Names {
public:
  /// \p Words of the file, \p Macros of the unit; they outlive this.
  Names(const llvm::StringSet<> &Words, clang::IdentifierTable &Macros,
        llvm::StringSet<> Taken)
      : Words(Words), Macros(Macros), Taken(std::move(Taken)) {}

  /// Wish itself, or with the first number behind it that is free. The name is
  /// taken from then on. `__smem_reg` is a name of the implementation's, and
  /// becomes `smem_reg`.
  std::string fresh(llvm::StringRef Wish) {
    const llvm::StringRef Plain = Wish.ltrim('_');
    const bool Reserved =
        Wish.starts_with("__") ||
        (Wish.starts_with("_") && !Plain.empty() && llvm::isUpper(Plain[0]));
    if (Reserved && !Plain.empty() && llvm::isAlpha(Plain[0]))
      Wish = Plain;
    std::string Name = Wish.str();
    for (unsigned N = 2; isTaken(Name); ++N)
      Name = Wish.str() + "_" + std::to_string(N);
    Taken.insert(Name);
    return Name;
  }

  /// Takes names that mean something in another text.
  void take(const llvm::StringSet<> &Others) {
    for (const auto &Word : Others)
      Taken.insert(Word.first());
  }

private:
  const llvm::StringSet<> &Words;
  clang::IdentifierTable &Macros;
  llvm::StringSet<> Taken;

  bool isTaken(llvm::StringRef Name) {
    return Words.contains(Name) || Taken.contains(Name) ||
           Macros.get(Name).hadMacroDefinition();
  }
};

} // namespace kpipe

#endif // KPIPE_EMISSION_NAMES_H
