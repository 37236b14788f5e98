// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ends of a snapshot and what passes between them: a text and a
// question over, a list of errors and the answer back, each as a length and
// bytes. It must not know Clang.
#include "Snapshot.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kpipe {
namespace {

#ifdef MSG_NOSIGNAL
constexpr int SendFlags = MSG_NOSIGNAL;
#else
constexpr int SendFlags = 0;
#endif

bool sendBytes(int Socket, const char *Data, size_t Size) {
  while (Size) {
    ssize_t Sent = ::send(Socket, Data, Size, SendFlags);
    if (Sent < 0 && errno == EINTR)
      continue;
    if (Sent <= 0)
      return false;
    Data += Sent;
    Size -= Sent;
  }
  return true;
}

bool receiveBytes(int Socket, char *Data, size_t Size) {
  while (Size) {
    ssize_t Got = ::recv(Socket, Data, Size, 0);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return false;
    Data += Got;
    Size -= Got;
  }
  return true;
}

bool sendText(int Socket, llvm::StringRef Text) {
  uint64_t Size = Text.size();
  return sendBytes(Socket, reinterpret_cast<const char *>(&Size),
                   sizeof(Size)) &&
         sendBytes(Socket, Text.data(), Text.size());
}

std::optional<std::string> receiveText(int Socket) {
  uint64_t Size = 0;
  if (!receiveBytes(Socket, reinterpret_cast<char *>(&Size), sizeof(Size)))
    return std::nullopt;
  std::string Text(Size, '\0');
  if (!receiveBytes(Socket, Text.data(), Size))
    return std::nullopt;
  return Text;
}

} // namespace

Snapshot::Forked Snapshot::take(unsigned Offset, size_t ErrorsBefore) {
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, Ends) != 0)
    return {};
  pid_t Process = ::fork();
  if (Process < 0) {
    ::close(Ends[0]);
    ::close(Ends[1]);
    return {};
  }
  Forked Result;
  if (Process > 0) {
    ::close(Ends[1]);
    Result.Handle.reset(
        new Snapshot(Ends[0], Process, Offset, ErrorsBefore));
    return Result;
  }
  // The copy. It ends without a word when the other side closes or dies, and
  // never runs destructors or flushes what the original had buffered.
  ::close(Ends[0]);
  Result.ReplyTo = Ends[1];
  for (;;) {
    Result.Rest = receiveText(Ends[1]);
    std::optional<std::string> Question = receiveText(Ends[1]);
    if (!Result.Rest || !Question)
      ::_exit(0);
    // A copy of the copy parses and answers, so that this one can be asked
    // again. Where that one dies, closing the socket says so.
    pid_t Parser = ::fork();
    if (Parser == 0) {
      Result.Question = std::move(*Question);
      return Result;
    }
    int Status = 1;
    while (Parser > 0 && ::waitpid(Parser, &Status, 0) < 0 && errno == EINTR)
      ;
    if (Status != 0)
      ::_exit(0);
  }
}

Snapshot::~Snapshot() {
  ::close(Socket);
  // An older copy's socket may also be open in a younger copy: do not rely on
  // the close alone.
  ::kill(Process, SIGKILL);
  while (::waitpid(Process, nullptr, 0) < 0 && errno == EINTR)
    ;
}

std::optional<Snapshot::Reply>
Snapshot::parseRest(llvm::StringRef Rest, llvm::StringRef Question) {
  if (!sendText(Socket, Rest) || !sendText(Socket, Question))
    return std::nullopt;
  std::optional<std::string> Text = receiveText(Socket);
  std::optional<std::string> Answer = receiveText(Socket);
  if (!Text || !Answer)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(*Text);
  if (!Parsed) {
    llvm::consumeError(Parsed.takeError());
    return std::nullopt;
  }
  std::vector<ParseError> Errors;
  for (const llvm::json::Value &Row : *Parsed->getAsArray()) {
    const llvm::json::Object &Fields = *Row.getAsObject();
    Errors.push_back({{Fields.getString("file")->str(),
                       unsigned(*Fields.getInteger("line")),
                       unsigned(*Fields.getInteger("column"))},
                      Fields.getString("message")->str()});
  }
  return Reply{std::move(Errors), std::move(*Answer)};
}

void Snapshot::reply(int ReplyTo, llvm::ArrayRef<ParseError> Errors,
                     llvm::StringRef Answer) {
  llvm::json::Array Rows;
  for (const ParseError &E : Errors)
    Rows.push_back(llvm::json::Object{
        {"file", llvm::json::fixUTF8(E.Where.File)},
        {"line", E.Where.Line},
        {"column", E.Where.Column},
        {"message", llvm::json::fixUTF8(E.Message)}});
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::json::Value(std::move(Rows));
  if (sendText(ReplyTo, Text))
    sendText(ReplyTo, Answer);
  ::_exit(0);
}

} // namespace kpipe
