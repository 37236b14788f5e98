// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BufferRuns.h. What a turn finds depends on whether it is even and on what
// the turn before left, which is the same from the third turn on: so a few
// turns, as the last ones and as others, are all that there can be.
#include "BufferRuns.h"

namespace kpipe {

namespace {

class BufferRun {
public:
  BufferRun(const BufferedLoop &Loop, unsigned Array, int Turns)
      : Loop(Loop), Array(Array), Turns(Turns) {}

  std::optional<BufferFault> run() {
    for (const BufferEvent &E : Loop.Before)
      if (auto Fault = event(E, 0, 0))
        return Fault;
    for (int T = 0; T != Turns; ++T)
      for (const BufferEvent &E : Loop.Turn)
        if (T + 1 != Turns ? !E.IfLast : !E.IfMore)
          if (auto Fault = event(E, T, T + Loop.Ahead))
            return Fault;
    for (const State &S : Buffers)
      if (S.Is == Issued || S.Is == Committed)
        return BufferFault{Last, {msg::proof_in_flight}};
    return std::nullopt;
  }

private:
  const BufferedLoop &Loop;
  const unsigned Array;
  const int Turns;
  enum Stage { Empty, Issued, Committed, Arrived, Shown };
  struct State {
    Stage Is = Empty;
    int Tile = -1;
    int64_t Group = 0;      ///< where it is committed
    bool MayBeRead = false; ///< since the last barrier
  };
  State Buffers[2];
  int64_t Groups = 0; ///< that are committed
  const Tree *Last = nullptr;

  std::optional<BufferFault> event(const BufferEvent &E, int Turn, int Tile) {
    State &S = Buffers[E.Buffer[Turn & 1]];
    switch (E.What) {
    case BufferEvent::Copy:
      if (E.Array != Array)
        break;
      if (S.MayBeRead ||
          ((S.Is == Issued || S.Is == Committed) && S.Tile != Tile))
        return BufferFault{E.At, {msg::proof_copy_early}};
      S.Is = Issued;
      S.Tile = Tile;
      Last = E.At;
      break;
    case BufferEvent::Read:
      if (E.Array != Array)
        break;
      if (S.Is != Shown)
        return BufferFault{E.At, {msg::proof_read_early}};
      if (S.Tile != Turn)
        return BufferFault{E.At, {msg::proof_buffer}};
      S.MayBeRead = true;
      break;
    case BufferEvent::Commit:
      for (State &B : Buffers)
        if (B.Is == Issued) {
          B.Is = Committed;
          B.Group = Groups;
        }
      ++Groups;
      break;
    case BufferEvent::Wait:
    case BufferEvent::WaitAll:
      for (State &B : Buffers)
        if ((B.Is == Committed &&
             (E.What == BufferEvent::WaitAll || B.Group < Groups - E.Keep)) ||
            (B.Is == Issued && E.What == BufferEvent::WaitAll))
          B.Is = Arrived;
      break;
    case BufferEvent::Barrier:
      for (State &B : Buffers) {
        if (B.Is == Arrived)
          B.Is = Shown;
        B.MayBeRead = false;
      }
      break;
    }
    return std::nullopt;
  }
};

} // namespace

std::optional<BufferFault> findBufferFault(const BufferedLoop &Loop,
                                           unsigned Array) {
  for (int Turns = 1; Turns != 8; ++Turns)
    if (auto Fault = BufferRun(Loop, Array, Turns).run())
      return Fault;
  return std::nullopt;
}

} // namespace kpipe
