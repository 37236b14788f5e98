// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of hazards and of places in the code. See Report.h.
#include "Report.h"

#include <cstdio>

using namespace kpipe::exec;

const char *kpipe::exec::id(Hazard H) {
  switch (H) {
  case Hazard::SharedRace:
    return "shared-race";
  case Hazard::GlobalRace:
    return "global-race";
  case Hazard::ReadInFlight:
    return "read-in-flight";
  case Hazard::WriteInFlight:
    return "write-in-flight";
  case Hazard::CopyCollision:
    return "copy-collision";
  case Hazard::SourceWritten:
    return "source-written";
  case Hazard::Uninitialised:
    return "uninitialised-read";
  case Hazard::SharedBounds:
    return "shared-bounds";
  case Hazard::GlobalBounds:
    return "global-bounds";
  case Hazard::Misaligned:
    return "misaligned";
  case Hazard::BadCopy:
    return "bad-copy";
  case Hazard::UndrainedCopy:
    return "undrained-copy";
  case Hazard::ProxyFence:
    return "proxy-fence";
  case Hazard::BadMbarrier:
    return "bad-mbarrier";
  case Hazard::Deadlock:
    return "deadlock";
  case Hazard::BarrierDivergence:
    return "barrier-divergence";
  case Hazard::WarpDivergence:
    return "warp-divergence";
  case Hazard::WildAccess:
    return "wild-access";
  case Hazard::Assertion:
    return "assertion";
  case Hazard::Unsupported:
    return "unsupported";
  }
  return "unknown";
}

std::string kpipe::exec::place(std::uint32_t PC) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof Buffer, "@{%x}", PC);
  return Buffer;
}
