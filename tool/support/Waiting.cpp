// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that takes no signal and holds no lock while the process may be
// copied but its own. See Waiting.h.
#include "Waiting.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>

namespace kpipe {

class Waiting::Clock {
public:
  explicit Clock(std::string What) : What(std::move(What)) {
    // Signals are for the threads that work.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    Thread = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

  ~Clock() {
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      Ends = true;
    }
    Changed.notify_one();
    Thread.join();
  }

private:
  const std::string What;
  std::mutex Mutex;
  std::condition_variable Changed;
  bool Ends = false;
  std::thread Thread;

  static void print(const std::string &Text) {
    if (write(STDERR_FILENO, Text.data(), Text.size()) < 0)
      return; // nobody is there to read it
  }

  void run() {
    constexpr unsigned Quiet = 2;
    std::unique_lock<std::mutex> Lock(Mutex);
    bool Any = false;
    for (unsigned Seconds = 1;
         !Changed.wait_for(Lock, std::chrono::seconds(1),
                           [this] { return Ends; });
         ++Seconds)
      if (Seconds >= Quiet) {
        print("\rkpipe: " + What + " \u2026 " + std::to_string(Seconds) +
              " s\033[K");
        Any = true;
      }
    if (Any)
      print("\r\033[K");
  }
};

Waiting::Waiting(llvm::StringRef What) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    Shown = std::make_unique<Clock>(What.take_back(60).str());
}

Waiting::~Waiting() = default;

} // namespace kpipe
