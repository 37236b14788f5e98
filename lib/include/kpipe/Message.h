// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kpipe has to say, as a value: one of the messages of Messages.def and
// what it is about. Every box makes messages, compares them and asks which one
// it has; the words are in Messages.def and nowhere else.
#ifndef KPIPE_MESSAGE_H
#define KPIPE_MESSAGE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace kpipe {

/// The messages of Messages.def: `msg::single_buffer_because`.
namespace msg {
enum Id : unsigned short {
#define KPIPE_MESSAGE(Name, Words) Name,
#include "kpipe/Messages.def"
};
} // namespace msg

class MessageArgument;

/// A message, or nothing to say.
class Message {
public:
  Message() = default;
  /// \param Arguments what takes the place of {0}, {1}, …: names and other text
  /// as the source spells them, integers, and messages that are a clause of this
  /// one.
  template <typename... Ts> Message(msg::Id Id, const Ts &...Arguments);

  bool empty() const { return !What; }
  explicit operator bool() const { return What.has_value(); }
  bool is(msg::Id Id) const { return What == Id; }

  /// Is it about A, or has it a clause that is?
  bool isAbout(const MessageArgument &A) const;

  /// The words; empty for an empty message.
  std::string str() const;

  friend bool operator==(const Message &A, const Message &B);
  friend bool operator!=(const Message &A, const Message &B) {
    return !(A == B);
  }

private:
  std::optional<msg::Id> What;
  std::vector<MessageArgument> Arguments;
};

/// What a message is about: text, or a message that is a part of it.
class MessageArgument {
public:
  MessageArgument(llvm::StringRef Text) : Text(Text) {}
  MessageArgument(const char *Text) : Text(Text) {}
  MessageArgument(const std::string &Text) : Text(Text) {}
  MessageArgument(const Message &Clause) : Clause(Clause) {}
  template <typename T,
            std::enable_if_t<std::is_integral_v<T>, bool> = true>
  MessageArgument(T Number) : Text(llvm::itostr(Number)) {}

  std::string str() const { return Clause ? Clause.str() : Text; }
  const Message &clause() const { return Clause; }
  friend bool operator==(const MessageArgument &A, const MessageArgument &B) {
    return A.Text == B.Text && A.Clause == B.Clause;
  }

private:
  std::string Text;
  Message Clause;
};

template <typename... Ts>
Message::Message(msg::Id Id, const Ts &...Arguments)
    : What(Id), Arguments{MessageArgument(Arguments)...} {}

inline bool operator==(const Message &A, const Message &B) {
  return A.What == B.What && A.Arguments == B.Arguments;
}

inline bool Message::isAbout(const MessageArgument &A) const {
  return llvm::any_of(Arguments, [&](const MessageArgument &Own) {
    return Own == A || Own.clause().isAbout(A);
  });
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Message &M);

} // namespace kpipe

#endif // KPIPE_MESSAGE_H
