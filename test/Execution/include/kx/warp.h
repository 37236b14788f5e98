// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles, votes and __syncwarp. All of them wait for the lanes of their mask.
#pragma once

#include "builtins.h"

namespace kx {
// Lane reads the value of lane Source (its own where Source is negative).
template <typename T> struct Shuffle {
  T Value, Result;
  int Source;
  KX_UNCHECKED static void combine(void **Slots, unsigned Mask) {
    for (int L = 0; L < 32; ++L) {
      if (!Slots[L])
        continue;
      auto *S = static_cast<Shuffle *>(Slots[L]);
      bool Known = S->Source >= 0 && Slots[S->Source] && Mask >> S->Source & 1;
      S->Result =
          Known ? static_cast<Shuffle *>(Slots[S->Source])->Value : S->Value;
    }
  }
};
template <typename T>
KX_SYNC T shuffle(unsigned Mask, T Value, int Source) {
  Shuffle<T> S{Value, Value, Source};
  kx_warp(Mask, &S, &Shuffle<T>::combine, 0);
  return S.Result;
}

struct Vote {
  unsigned Predicate, Ballot;
  KX_UNCHECKED static void combine(void **Slots, unsigned) {
    unsigned Ballot = 0;
    for (int L = 0; L < 32; ++L)
      if (Slots[L] && static_cast<Vote *>(Slots[L])->Predicate)
        Ballot |= 1u << L;
    for (int L = 0; L < 32; ++L)
      if (Slots[L])
        static_cast<Vote *>(Slots[L])->Ballot = Ballot;
  }
};
KX_SYNC unsigned vote(unsigned Mask, int Predicate) {
  Vote V{unsigned(Predicate != 0), 0};
  kx_warp(Mask, &V, &Vote::combine, 0);
  return V.Ballot;
}
} // namespace kx

KX_INLINE unsigned __activemask() { return kx_live_lanes(); }
KX_SYNC void __syncwarp(unsigned Mask = 0xFFFFFFFFu) {
  kx_warp(Mask, nullptr, nullptr, 1);
}
template <typename T>
KX_SYNC T __shfl_sync(unsigned Mask, T V, int Source, int Width = 32) {
  int Lane = int(kx_lane());
  return kx::shuffle(Mask, V, Lane / Width * Width + (Source & (Width - 1)));
}
template <typename T>
KX_SYNC T __shfl_up_sync(unsigned Mask, T V, unsigned Delta, int Width = 32) {
  int Lane = int(kx_lane()), Source = Lane - int(Delta);
  return kx::shuffle(Mask, V, Source < Lane / Width * Width ? -1 : Source);
}
template <typename T>
KX_SYNC T __shfl_down_sync(unsigned Mask, T V, unsigned Delta,
                             int Width = 32) {
  int Lane = int(kx_lane()), Source = Lane + int(Delta);
  return kx::shuffle(Mask, V,
                     Source >= (Lane / Width + 1) * Width ? -1 : Source);
}
template <typename T>
KX_SYNC T __shfl_xor_sync(unsigned Mask, T V, int LaneMask, int Width = 32) {
  int Lane = int(kx_lane()), Source = Lane ^ LaneMask;
  return kx::shuffle(Mask, V,
                     Source >= (Lane / Width + 1) * Width ? -1 : Source);
}
KX_SYNC unsigned __ballot_sync(unsigned Mask, int P) {
  return kx::vote(Mask, P);
}
KX_SYNC int __any_sync(unsigned Mask, int P) {
  return kx::vote(Mask, P) != 0;
}
KX_SYNC int __all_sync(unsigned Mask, int P) {
  return kx::vote(Mask, !P) == 0;
}
