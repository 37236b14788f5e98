// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From messages to words.
#include "kpipe/Message.h"
#include "kpipe/Refusal.h"
#include "kpipe/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

namespace kpipe {

namespace {

constexpr llvm::StringLiteral Wordings[] = {
#define KPIPE_MESSAGE(Name, Words) Words,
#include "kpipe/Messages.def"
};

constexpr llvm::StringLiteral Ids[] = {
#define KPIPE_RULE(Name, Id) Id,
#define KPIPE_NOTICE(Name, Id) Id,
#include "kpipe/Rules.def"
};

} // namespace

llvm::StringRef idOf(RuleId Rule) { return Ids[static_cast<unsigned>(Rule)]; }

std::string printedId(RuleId Rule) { return ("kpipe-" + idOf(Rule)).str(); }

std::string Message::str() const {
  std::string Text;
  if (!What)
    return Text;
  for (llvm::StringRef Rest = Wordings[*What]; !Rest.empty();) {
    const size_t Brace = Rest.find('{');
    Text += Rest.take_front(Brace);
    if (Brace == llvm::StringRef::npos)
      break;
    unsigned Index = 0;
    Rest = Rest.drop_front(Brace + 1);
    Rest.consumeInteger(10, Index);
    Rest.consume_front("}");
    assert(Index < Arguments.size() && "a message lacks an argument");
    Text += Arguments[Index].str();
  }
  return Text;
}

char Refusal::ID = 0;

Refusal takeRefusal(llvm::Error Why) {
  std::optional<Refusal> Found;
  llvm::handleAllErrors(std::move(Why), [&](Refusal &R) {
    Found.emplace(R.Rule, std::move(R.Why), std::move(R.Cure));
  });
  return std::move(*Found);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Message &M) {
  return OS << M.str();
}

} // namespace kpipe
