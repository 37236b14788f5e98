// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of two branches at most, see WaitingAssembly.h.
#include "WaitingAssembly.h"
#include "InlineAssembly.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace kpipe {

bool asksUntilItIs(llvm::StringRef Text) {
  static const llvm::Regex Loop(
      "^([A-Za-z_$][A-Za-z0-9_$%={}]*):"
      "mbarrier\\.(try|test)_wait\\.parity\\.[a-z_.:0-9]*b64 "
      "([A-Za-z_][A-Za-z0-9_]*),\\[%[0-9]+\\],[^;]*;"
      "(@([A-Za-z_][A-Za-z0-9_]*) bra(\\.uni)? ([A-Za-z_$][A-Za-z0-9_$%={}]*);"
      "bra(\\.uni)? ([A-Za-z_$][A-Za-z0-9_$%={}]*);"
      "([A-Za-z_$][A-Za-z0-9_$%={}]*):"
      "|@!([A-Za-z_][A-Za-z0-9_]*) bra(\\.uni)? "
      "([A-Za-z_$][A-Za-z0-9_$%={}]*);)$");
  // One blank between words, none at signs.
  std::string Plain;
  for (char C : withoutComments(Text)) {
    const bool Blank = llvm::isSpace(C);
    const bool Sign = llvm::StringRef(",;:[]").contains(C);
    if (Sign && !Plain.empty() && Plain.back() == ' ')
      Plain.pop_back();
    if (Blank &&
        (Plain.empty() || llvm::StringRef(",;:[] ").contains(Plain.back())))
      continue;
    Plain += Blank ? ' ' : C;
  }
  llvm::StringRef Rest = llvm::StringRef(Plain).trim();
  if (Rest.consume_front("{") && !Rest.consume_back("}"))
    return false;
  Rest = Rest.trim();
  llvm::StringRef Predicate;
  if (Rest.consume_front(".reg .pred ")) {
    std::tie(Predicate, Rest) = Rest.split(';');
    Rest = Rest.trim();
  }
  llvm::SmallVector<llvm::StringRef, 14> M;
  if (!Loop.match(Rest, &M) || M[3] != Predicate)
    return false;
  return M[5].empty()
             ? M[11] == M[3] && M[13] == M[1]
             : M[5] == M[3] && M[7] == M[10] && M[9] == M[1] && M[7] != M[1];
}

} // namespace kpipe
