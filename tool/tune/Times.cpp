// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order statistics: a median stands a few runs that others disturbed.
#include "Times.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <utility>

namespace kpipe {

TimeSummary summarize(llvm::ArrayRef<double> Times) {
  TimeSummary S;
  if (Times.empty())
    return S;
  std::vector<double> Sorted(Times.begin(), Times.end());
  llvm::sort(Sorted);
  auto At = [&](double Part) {
    double Rank = Part * (Sorted.size() - 1);
    size_t Low = std::floor(Rank), High = std::ceil(Rank);
    return Sorted[Low] + (Rank - Low) * (Sorted[High] - Sorted[Low]);
  };
  S.Rounds = Sorted.size();
  S.Median = At(0.5);
  S.LowerQuartile = At(0.25);
  S.UpperQuartile = At(0.75);
  S.Fastest = Sorted.front();
  S.Slowest = Sorted.back();
  return S;
}

std::optional<size_t> choose(llvm::ArrayRef<FormResult> Forms) {
  auto Usable = [&](size_t I) {
    return Forms[I].Times.Rounds && Forms[I].Failure.empty();
  };
  std::optional<size_t> Fastest;
  for (size_t I = 0; I != Forms.size(); ++I)
    if (Usable(I) &&
        (!Fastest || Forms[I].Times.Median < Forms[*Fastest].Times.Median))
      Fastest = I;
  if (!Fastest)
    return std::nullopt;
  auto AsFast = [&](size_t I) {
    return Usable(I) &&
           Forms[I].Times.Median <= Forms[*Fastest].Times.UpperQuartile;
  };
  auto Rank = [&](size_t I) {
    return Forms[I].Asked.Original ? 0 : Forms[I].Planned ? 1 : 2;
  };
  size_t Best = *Fastest;
  for (size_t I = 0; I != Forms.size(); ++I)
    if (AsFast(I) && std::pair(Rank(I), I) < std::pair(Rank(Best), Best))
      Best = I;
  return Best;
}

} // namespace kpipe
