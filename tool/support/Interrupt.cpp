// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One handler for the three signals. What it reads is atomic and never freed
// while it may look: an entry is taken out of its slot by whoever uses it.
#include "Interrupt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace kpipe {
namespace {

constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> InScope{false};
std::atomic<bool> WasInterrupted{false};

/// What a fork of the program inherits is not its own to remove.
std::atomic<pid_t> Owner{0};

/// Paths of leftovers. Entries are used again, never freed.
struct Slot {
  std::atomic<char *> Path{nullptr};
  std::atomic<bool> Used{true};
  Slot *Next = nullptr;
};
std::atomic<Slot *> Slots{nullptr};

std::atomic<pid_t> Groups[1024];

/// Removes a file, or a folder with what is in it. Links are not followed.
void removeTree(int Parent, const char *Name, unsigned Depth) {
  if (::unlinkat(Parent, Name, 0) == 0 || errno == ENOENT || Depth == 0)
    return;
#ifdef SYS_getdents64
  int Folder = ::openat(Parent, Name,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (Folder < 0)
    return;
  alignas(dirent64) char Buffer[2048];
  for (long Size;
       (Size = ::syscall(SYS_getdents64, Folder, Buffer, sizeof(Buffer))) > 0;)
    for (long At = 0; At < Size;) {
      auto *Entry = reinterpret_cast<dirent64 *>(Buffer + At);
      At += Entry->d_reclen;
      if (std::strcmp(Entry->d_name, ".") != 0 &&
          std::strcmp(Entry->d_name, "..") != 0)
        removeTree(Folder, Entry->d_name, Depth - 1);
    }
  ::close(Folder);
#endif
  ::unlinkat(Parent, Name, AT_REMOVEDIR);
}

void onSignal(int Signal) {
  if (InScope && !WasInterrupted.exchange(true))
    return;
  removeLeftovers();
  // It ends the program as soon as this handler returns.
  struct sigaction Default = {};
  Default.sa_handler = SIG_DFL;
  ::sigaction(Signal, &Default, nullptr);
  ::kill(::getpid(), Signal);
}

void installInterruptHandlers() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    Owner = ::getpid();
    struct sigaction Action = {};
    Action.sa_handler = onSignal;
    sigemptyset(&Action.sa_mask);
    for (int Signal : Signals) {
      struct sigaction Old;
      ::sigaction(Signal, &Action, &Old);
      if (Old.sa_handler == SIG_IGN) // nohup
        ::sigaction(Signal, &Old, nullptr);
    }
  });
}

} // namespace

InterruptScope::InterruptScope() {
  installInterruptHandlers();
  WasInterrupted = false;
  InScope = true;
}

InterruptScope::~InterruptScope() { InScope = false; }

bool InterruptScope::interrupted() { return WasInterrupted; }

Leftover::Leftover(llvm::StringRef Path) {
  installInterruptHandlers();
  llvm::SmallString<256> Full(Path);
  llvm::sys::fs::make_absolute(Full);
  Slot *Mine = nullptr;
  for (Slot *S = Slots; S && !Mine; S = S->Next)
    if (!S->Used.exchange(true))
      Mine = S;
  if (!Mine) {
    Mine = new Slot;
    Mine->Next = Slots;
    while (!Slots.compare_exchange_weak(Mine->Next, Mine))
      ;
  }
  Mine->Path = ::strdup(Full.c_str());
  Entry = Mine;
}

void Leftover::forget() {
  if (!Entry)
    return;
  auto *Mine = static_cast<Slot *>(std::exchange(Entry, nullptr));
  ::free(Mine->Path.exchange(nullptr));
  Mine->Used = false;
}

void removeLeftovers() {
  if (::getpid() != Owner)
    return;
  for (std::atomic<pid_t> &Group : Groups)
    if (pid_t Leader = Group)
      ::kill(-Leader, SIGTERM);
  constexpr unsigned Deepest = 16;
  for (Slot *S = Slots; S; S = S->Next)
    if (const char *Path = S->Path.exchange(nullptr))
      removeTree(AT_FDCWD, Path, Deepest);
}

void beginGroup(pid_t Leader) {
  for (std::atomic<pid_t> &Group : Groups)
    if (pid_t None = 0; Group.compare_exchange_strong(None, Leader))
      return;
}

void endedGroup(pid_t Leader) {
  for (std::atomic<pid_t> &Group : Groups)
    if (pid_t Mine = Leader; Group.compare_exchange_strong(Mine, 0))
      return;
}

} // namespace kpipe
