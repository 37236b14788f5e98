// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of an editor from a file descriptor, with word of it when none has
// come for a while: that is when a text is worth analysing. It must not know
// what messages say, only which texts are none.
#ifndef KPIPE_TOOL_LSP_INPUT_H
#define KPIPE_TOOL_LSP_INPUT_H

#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LSP/Transport.h"
#include <chrono>
#include <functional>

namespace kpipe {

class QuietInput : public llvm::lsp::JSONTransportInput {
public:
  /// \param Idle called where no message has come for Pause; not again before
  /// the next one.
  /// \param Refuse called for what is no message of JSON-RPC; the transport,
  /// which would end there, never sees it.
  QuietInput(int Descriptor, std::chrono::milliseconds Pause,
             std::function<void()> Idle,
             std::function<void(llvm::lsp::ErrorCode, llvm::StringRef)> Refuse)
      : Descriptor(Descriptor), Pause(Pause), Idle(std::move(Idle)),
        Refuse(std::move(Refuse)) {}

  bool hasError() const final { return false; }
  /// Nobody can tell where a message begins behind what is none.
  bool isEndOfInput() const final { return Ended; }
  /// What was wrong with the input; empty if it just ended.
  llvm::StringRef complaint() const { return Complaint; }
  llvm::LogicalResult readStandardMessage(std::string &Json) final;
  llvm::LogicalResult readDelimitedMessage(std::string &) final {
    return llvm::failure();
  }

private:
  const int Descriptor;
  const std::chrono::milliseconds Pause;
  std::function<void()> Idle;
  std::function<void(llvm::lsp::ErrorCode, llvm::StringRef)> Refuse;
  std::string Pending, Complaint;
  bool Ended = false;

  /// Waits for more; false at the end of the input.
  bool readMore();
  bool readHead(std::string &Head);
  bool readText(std::string &Json);
  /// No message can be read any more, and why; always false.
  bool giveUp(llvm::StringRef Why);
};

} // namespace kpipe

#endif // KPIPE_TOOL_LSP_INPUT_H
