// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe-executor: runs a reference program and candidates under every
// configuration, compares what they leave in global memory bit for bit, prints
// hazards. Exit 0: all equal and clean; 1: not; 2: could not run. Source lines
// appear as "@{module:pc}" marks, which the front (execute.py) resolves.
#include "Compare.h"
#include "Machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

using namespace kpipe::exec;

static void onFault(int, siginfo_t *Info, void *Context) {
  void *PC = reinterpret_cast<void *>(
      static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_RIP]);
  if (TheMachine && TheMachine->running())
    TheMachine->fault(PC, Info->si_addr);
  static const char Text[] = "error: the executor or a harness faulted\n";
  (void)!write(2, Text, sizeof Text - 1);
  std::_Exit(2);
}

static void onTimeout(int) {
  static const char Text[] = "error: the program ran out of time\n";
  (void)!write(2, Text, sizeof Text - 1);
  std::_Exit(1);
}

static void installHandlers(unsigned Seconds) {
  static char Stack[64 << 10];
  stack_t Alternative{};
  Alternative.ss_sp = Stack;
  Alternative.ss_size = sizeof Stack;
  sigaltstack(&Alternative, nullptr);
  struct sigaction Action{};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int Signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    sigaction(Signal, &Action, nullptr);
  // Of the processor's time: a busy machine makes no program run for ever.
  signal(SIGPROF, onTimeout);
  itimerval Limit{};
  Limit.it_value.tv_sec = time_t(Seconds);
  setitimer(ITIMER_PROF, &Limit, nullptr);
}

namespace {
struct Options {
  std::vector<Completion> Modes{Completion::Late, Completion::Early,
                                Completion::Random};
  std::vector<Order> Orders{Order::Forward, Order::Reverse, Order::Shuffled};
  std::uint64_t Seed = 1;
  unsigned Stages = 2, Timeout = 60;
  std::string Case;
  bool Records = false, Clocks = false;
  std::vector<std::string> Programs;
};
} // namespace

template <typename T>
static bool parseList(const char *Text, std::vector<T> &Out) {
  Out.clear();
  for (std::string Rest = Text; !Rest.empty();) {
    std::size_t Comma = Rest.find(',');
    std::string Word = Rest.substr(0, Comma);
    Rest = Comma == std::string::npos ? "" : Rest.substr(Comma + 1);
    bool Known = false;
    for (T Value : {T(0), T(1), T(2)})
      if (Word == name(Value)) {
        Out.push_back(Value);
        Known = true;
      }
    if (!Known)
      return false;
  }
  return !Out.empty();
}

static bool parse(int Argc, char **Argv, Options &O) {
  for (int I = 1; I < Argc; ++I) {
    const char *A = Argv[I];
    auto Is = [&](const char *Prefix) {
      std::size_t N = std::strlen(Prefix);
      if (std::strncmp(A, Prefix, N) != 0)
        return false;
      A += N;
      return true;
    };
    bool Good = true;
    if (Is("--modes="))
      Good = parseList(A, O.Modes);
    else if (Is("--orders="))
      Good = parseList(A, O.Orders);
    else if (Is("--seed="))
      O.Seed = std::strtoull(A, nullptr, 10);
    else if (Is("--stages="))
      O.Stages = unsigned(std::strtoul(A, nullptr, 10));
    else if (Is("--timeout="))
      O.Timeout = unsigned(std::strtoul(A, nullptr, 10));
    else if (Is("--case="))
      O.Case = A;
    else if (Is("--records"))
      O.Records = true;
    else if (Is("--clocks"))
      O.Clocks = true;
    else if (A[0] == '-')
      Good = false;
    else
      O.Programs.push_back(A);
    if (!Good) {
      std::fprintf(stderr, "error: bad option '%s'\n", Argv[I]);
      return false;
    }
  }
  if (O.Programs.empty())
    std::fprintf(stderr, "error: no program given\n");
  return !O.Programs.empty();
}

// The lines that the same cases print on a GPU (see test/GPU).
static void printRecords(const std::vector<Record> &Records) {
  for (const Record &R : Records) {
    unsigned long long Hash = 14695981039346656037ull; // FNV-1a
    for (unsigned char Byte : R.Bytes)
      Hash = (Hash ^ Byte) * 1099511628211ull;
    std::printf("%s: %s %zu %016llx\n", R.Where.c_str(), R.Buffer.c_str(),
                R.Bytes.size(), Hash);
  }
}

int main(int Argc, char **Argv) {
  Options O;
  if (!parse(Argc, Argv, O))
    return 2;
  Machine M;
  M.Stages = O.Stages;
  installHandlers(O.Timeout);

  std::vector<std::unique_ptr<Module>> Modules;
  for (const std::string &Path : O.Programs) {
    Modules.push_back(std::make_unique<Module>());
    std::string Error;
    if (!Modules.back()->load(Path, Error)) {
      std::fprintf(stderr, "error: %s\n", Error.c_str());
      return 2;
    }
  }

  Comparison Verdict;
  std::vector<Record> Reference;
  unsigned Runs = 0;
  for (std::size_t I = 0; I < Modules.size(); ++I) {
    Report R;
    for (Order Threads : O.Orders)
      for (Completion Mode : O.Modes) {
        Config C{Mode, Threads, O.Seed, O.Clocks};
        std::vector<Record> Records = M.run(*Modules[I], C, R, O.Case);
        ++Runs;
        if (Reference.empty() && I == 0) {
          Reference = std::move(Records);
          if (O.Records)
            printRecords(Reference);
        } else {
          Verdict.compare(Reference, Records, I, C);
        }
        if (!M.usedCopies())
          break; // no copies: when they land makes no difference
      }
    Verdict.print(R, I);
  }
  if (Reference.empty()) {
    std::fprintf(stderr, "error: no case left a buffer to compare\n");
    return 2;
  }
  return Verdict.conclude(Reference.size(), Runs) ? 0 : 1;
}
