// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds for every field of the table, see LoopForm.h.
#include "kpipe/LoopForm.h"
#include "kpipe/FormJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace kpipe {

LoopForm overlay(LoopForm Base, const LoopForm &Over) {
  forEachField([&](const FormField &, auto Member) {
    if ((Over.*Member).said())
      Base.*Member = Over.*Member;
  });
  return Base;
}

template <typename T> static void complete(Asked<T> &Value) {
  if (!Value.said())
    Value = Asked<T>::automatic();
}
static void complete(Asked<Flag> &) {}

LoopForm complete(LoopForm Form) {
  forEachField([&](const FormField &, auto Member) { complete(Form.*Member); });
  return Form;
}

bool operator==(const LoopForm &A, const LoopForm &B) {
  bool Same = true;
  forEachField(
      [&](const FormField &, auto Member) { Same &= A.*Member == B.*Member; });
  return Same;
}

llvm::StringRef jsonKey(const FormField &Field) {
  static const std::map<llvm::StringRef, std::string> Keys = [] {
    std::map<llvm::StringRef, std::string> All;
    forEachField([&](const FormField &F, auto) {
      std::string Snake = F.Name.str();
      llvm::replace(Snake, '-', '_');
      All[F.Name] = llvm::convertToCamelFromSnakeCase(Snake);
    });
    return All;
  }();
  return Keys.find(Field.Name)->second;
}

} // namespace kpipe
