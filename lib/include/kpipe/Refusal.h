// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that cannot be pipelined, as an error: what planning and emission
// return where a value was wanted.
#ifndef KPIPE_REFUSAL_H
#define KPIPE_REFUSAL_H

#include "kpipe/Message.h"
#include "kpipe/Rule.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// The rule that the loop violates, why, and what would help if anything does.
class Refusal : public llvm::ErrorInfo<Refusal> {
public:
  static char ID;
  Refusal(RuleId Rule, Message Why, Message Cure = {})
      : Rule(Rule), Why(std::move(Why)), Cure(std::move(Cure)) {}

  void log(llvm::raw_ostream &OS) const override { OS << Why; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  RuleId Rule;
  Message Why, Cure;
};

/// Takes a Refusal out of an error that is one.
Refusal takeRefusal(llvm::Error Why);

/// A Refusal because the loop's text cannot be moved (rule macro-text).
template <typename... Ts>
llvm::Error cannotMove(msg::Id Why, const Ts &...Arguments) {
  return llvm::make_error<Refusal>(RuleId::MacroText,
                                   Message(Why, Arguments...));
}

} // namespace kpipe

#endif // KPIPE_REFUSAL_H
