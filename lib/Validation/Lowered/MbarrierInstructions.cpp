// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One regular expression for each form, see MbarrierInstructions.h.
#include "MbarrierInstructions.h"
#include "Code/InlineAssembly.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace kpipe {

static std::string oneBlank(llvm::StringRef Text) {
  std::string Plain;
  for (char C : withoutComments(Text))
    if (!llvm::isSpace(C))
      Plain += C;
    else if (!Plain.empty() && Plain.back() != ' ')
      Plain += ' ';
  return Plain;
}

BarrierInstruction barrierInstruction(llvm::StringRef Assembly) {
  using Kind = BarrierInstruction::Kind;
#define SHARED "(\\.shared(::cta)?)?\\.b64 "
#define PLACE "\\[ ?%([0-9]+) ?\\]"
#define ASKS                                                                   \
  "mbarrier\\.(try|test)_wait\\.parity(\\.acquire)?(\\.cta)?" SHARED           \
  "([A-Za-z_][A-Za-z0-9_]*) ?, ?" PLACE " ?, ?%([0-9]+)( ?, ?[^;]*)? ?; ?"
#define LABEL "([A-Za-z_$][A-Za-z0-9_$%={}]*)"
  static const llvm::Regex Init("^ ?mbarrier\\.init" SHARED PLACE
                                " ?, ?%([0-9]+) ?;? ?$");
  static const llvm::Regex Arrive(
      "^ ?mbarrier\\.arrive(\\.release)?(\\.cta)?" SHARED
      "(_|%[0-9]+) ?, ?" PLACE " ?;? ?$");
  static const llvm::Regex Behind(
      "^ ?cp\\.async\\.mbarrier\\.arrive(\\.noinc)?" SHARED PLACE " ?;? ?$");
  static const llvm::Regex Ask(
      "^ ?\\{? ?\\.reg \\.pred ([A-Za-z_][A-Za-z0-9_]*) ?; ?" ASKS
      "selp\\.[bsu]32 %0 ?, ?1 ?, ?0 ?, ?([A-Za-z_][A-Za-z0-9_]*) ?;? ?\\}? "
      "?$");
  static const llvm::Regex Out(
      "^ ?\\{? ?\\.reg \\.pred ([A-Za-z_][A-Za-z0-9_]*) ?; ?" LABEL " ?: ?" ASKS
      "@([A-Za-z_][A-Za-z0-9_]*) bra(\\.uni)? " LABEL " ?; ?bra(\\.uni)? " LABEL
      " ?; ?" LABEL " ?: ?\\}? ?$");
  static const llvm::Regex Back(
      "^ ?\\{? ?\\.reg \\.pred ([A-Za-z_][A-Za-z0-9_]*) ?; ?" LABEL " ?: ?" ASKS
      "@!([A-Za-z_][A-Za-z0-9_]*) bra(\\.uni)? " LABEL " ?; ?\\}? ?$");
  static const llvm::Regex Nothing(
      "^ ?(fence\\.mbarrier_init\\.[a-z_.]*|nanosleep\\.u32 %?[0-9x]+) ?;? ?$");
#undef SHARED
#undef PLACE
#undef ASKS
#undef LABEL
  const std::string Text = oneBlank(Assembly);
  llvm::SmallVector<llvm::StringRef, 20> M;
  auto Number = [](llvm::StringRef T) {
    unsigned N = 0;
    T.getAsInteger(10, N);
    return N;
  };
  if (Nothing.match(Text))
    return {Kind::Nothing};
  if (Init.match(Text, &M))
    return {Kind::Init, Number(M[3]), Number(M[4])};
  if (Arrive.match(Text, &M))
    return {Kind::Arrive, Number(M[6])};
  if (Behind.match(Text, &M))
    return {M[1].empty() ? Kind::ArriveOn : Kind::ArriveBehind, Number(M[4])};
  // What is asked: 7 and 8, the predicate of it: 1 and 7 in their order.
  if (Ask.match(Text, &M) && M[1] == M[7] && M[7] == M[11])
    return {Kind::Ask, Number(M[8]), Number(M[9])};
  if (Out.match(Text, &M) && M[1] == M[8] && M[8] == M[12] && M[14] == M[17] &&
      M[16] == M[2] && M[14] != M[2])
    return {Kind::Wait, Number(M[9]), Number(M[10])};
  if (Back.match(Text, &M) && M[1] == M[8] && M[8] == M[12] && M[14] == M[2])
    return {Kind::Wait, Number(M[9]), Number(M[10])};
  return {};
}

} // namespace kpipe
