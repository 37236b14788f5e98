// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Input.h.
#include "Input.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace kpipe {

/// More than any editor sends at once.
static constexpr size_t LongestMessage = size_t(256) << 20;

bool QuietInput::readMore() {
  char Buffer[1 << 16];
  ssize_t Got;
  do
    Got = ::read(Descriptor, Buffer, sizeof Buffer);
  while (Got < 0 && errno == EINTR);
  Failed = Got < 0;
  Ended = Got == 0;
  if (Got <= 0)
    return false;
  Pending.append(Buffer, Got);
  return true;
}

bool QuietInput::readUntil(llvm::StringRef End, std::string &Text) {
  size_t At;
  while ((At = Pending.find(End.str())) == std::string::npos)
    if (Pending.size() > LongestMessage || !readMore())
      return false;
  Text = Pending.substr(0, At);
  Pending.erase(0, At + End.size());
  return true;
}

llvm::LogicalResult QuietInput::readStandardMessage(std::string &Json) {
  if (Pending.empty()) {
    pollfd Waiting{Descriptor, POLLIN, 0};
    if (::poll(&Waiting, 1, int(Pause.count())) == 0)
      Idle();
  }
  std::string Head;
  if (!readUntil("\r\n\r\n", Head))
    return llvm::failure();
  size_t Length = 0;
  for (llvm::StringRef Line : llvm::split(Head, "\r\n"))
    if (Line.consume_front_insensitive("Content-Length:") &&
        Line.trim().getAsInteger(10, Length))
      Length = 0;
  if (Length == 0 || Length > LongestMessage)
    return llvm::failure();
  while (Pending.size() < Length)
    if (!readMore())
      return llvm::failure();
  Json = Pending.substr(0, Length);
  Pending.erase(0, Length);
  return llvm::success();
}

} // namespace kpipe
