// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arrivals.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

void Arrivals::arrives(const AsyncStatement &Async, const Tree &At) {
  for (size_t I = 0; I != Async.Events.size(); ++I) {
    const AsyncEvent &E = Async.Events[I];
    if (E.What != AsyncEvent::Arrive && E.What != AsyncEvent::ArriveBehind)
      continue;
    if (E.Token)
      Arrived[E.Token] = &At;
    else if (I + 1 == Async.Events.size() ||
             Async.Events[I + 1].What != AsyncEvent::Barrier ||
             Async.Events[I + 1].Object != E.Object)
      Counted.push_back({E.Object, &At});
  }
}

void Arrivals::waits(const AsyncEvent &E, const Tree &At) {
  if (E.Token)
    Awaited.push_back({E.Token, &At});
  if (E.Parity)
    ByParity.insert(E.Object);
}

const Tree *Arrivals::missed() const {
  for (const auto &[Token, At] : Awaited)
    if (!Arrived.count(Token))
      return At;
  for (const auto &[Object, At] : Counted)
    if (!ByParity.count(Object))
      return At;
  for (const auto &[Token, At] : Arrived)
    if (llvm::none_of(Awaited, [&, Token = Token](const auto &One) {
          return One.first == Token;
        }))
      return At;
  return nullptr;
}

} // namespace kpipe
