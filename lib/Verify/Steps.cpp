// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a loop as letters, see Steps.h.
#include "Steps.h"
#include <string>

namespace kpipe {

/// The steps as letters, each once where it is repeated; reads are left out, as
/// ptxas spreads them.
static std::string stepsOf(const TileCode &T) {
  std::string Steps;
  for (const TileEvent &E : T.Events) {
    char Letter = 0;
    switch (E.What) {
    case Role::Load:
    case Role::AsyncLoad:
      Letter = 'L';
      break;
    case Role::Store:
      Letter = 'S';
      break;
    case Role::Wait:
      Letter = 'W';
      break;
    case Role::Barrier:
      Letter = 'B';
      break;
    case Role::Compute:
      Letter = T.isCompute(E) ? 'C' : 0;
      break;
    default:
      break;
    }
    if (Letter && (Steps.empty() || Steps.back() != Letter))
      Steps += Letter;
  }
  if (Steps.size() > 1 && Steps.front() == Steps.back())
    Steps.pop_back();
  return Steps;
}

bool sameSteps(const TileCode &A, const TileCode &B) {
  std::string X = stepsOf(A), Y = stepsOf(B);
  return X.size() == Y.size() && (X + X).find(Y) != std::string::npos;
}

} // namespace kpipe
