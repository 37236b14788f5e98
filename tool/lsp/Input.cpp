// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Input.h.
#include "Input.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace kpipe {

namespace lsp = llvm::lsp;

/// More than any editor sends at once.
static constexpr size_t LongestMessage = size_t(256) << 20;
static constexpr size_t LongestHead = size_t(64) << 10;

bool QuietInput::readMore() {
  char Buffer[1 << 16];
  ssize_t Got;
  do
    Got = ::read(Descriptor, Buffer, sizeof Buffer);
  while (Got < 0 && errno == EINTR);
  if (Got < 0)
    Complaint = std::strerror(errno);
  Ended = Got <= 0;
  if (Ended)
    return false;
  Pending.append(Buffer, Got);
  return true;
}

bool QuietInput::giveUp(llvm::StringRef Why) {
  Complaint = Why.str();
  Ended = true;
  return false;
}

bool QuietInput::readHead(std::string &Head) {
  static constexpr llvm::StringLiteral End = "\r\n\r\n";
  size_t At;
  while ((At = llvm::StringRef(Pending).find(End)) == llvm::StringRef::npos) {
    if (Pending.size() > LongestHead)
      return giveUp("no end of the message's header");
    if (!readMore())
      return false;
  }
  Head = Pending.substr(0, At);
  Pending.erase(0, At + End.size());
  return true;
}

/// Why a text is no message: the protocol knows no lists of them.
static std::optional<std::pair<lsp::ErrorCode, std::string>>
whyNoMessage(llvm::StringRef Json) {
  llvm::Expected<llvm::json::Value> Read = llvm::json::parse(Json);
  if (!Read)
    return {{lsp::ErrorCode::ParseError, llvm::toString(Read.takeError())}};
  const llvm::json::Object *Message = Read->getAsObject();
  if (!Message)
    return {{lsp::ErrorCode::InvalidRequest, "a message is an object"}};
  if (Message->getString("jsonrpc") != "2.0")
    return {{lsp::ErrorCode::InvalidRequest,
             "a message says \"jsonrpc\": \"2.0\""}};
  if (!Message->getString("method") && !Message->get("id"))
    return {{lsp::ErrorCode::InvalidRequest,
             "a message has a method, or the id of a request"}};
  return std::nullopt;
}

llvm::LogicalResult QuietInput::readStandardMessage(std::string &Json) {
  while (readText(Json)) {
    auto Bad = whyNoMessage(Json);
    if (!Bad)
      return llvm::success();
    Refuse(Bad->first, Bad->second);
  }
  return llvm::failure();
}

bool QuietInput::readText(std::string &Json) {
  if (Pending.empty()) {
    pollfd Waiting{Descriptor, POLLIN, 0};
    if (::poll(&Waiting, 1, int(Pause.count())) == 0)
      Idle();
  }
  std::string Head;
  if (!readHead(Head))
    return false;
  size_t Length = 0;
  bool Good = false;
  for (llvm::StringRef Line : llvm::split(Head, "\r\n"))
    if (Line.consume_front_insensitive("Content-Length:"))
      Good = !Line.trim().getAsInteger(10, Length);
  if (!Good)
    return giveUp("a message's header has no Content-Length");
  if (Length > LongestMessage)
    return giveUp("a message of " + std::to_string(Length) +
                  " bytes is too long");
  while (Pending.size() < Length)
    if (!readMore())
      return false;
  Json = Pending.substr(0, Length);
  Pending.erase(0, Length);
  return true;
}

} // namespace kpipe
