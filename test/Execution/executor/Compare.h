// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the buffers that a candidate left with the reference's, and prints
// differences, hazards and the verdict. Runs nothing itself.
#pragma once

#include "Machine.h"

#include <set>
#include <string>
#include <vector>

namespace kpipe::exec {

class Comparison {
public:
  /// Program 0 is the original (under another configuration), others are
  /// rewritten. Contents must be equal; a rewritten program must not read a
  /// byte of global memory that the original did not.
  void compare(const std::vector<Record> &Reference,
               const std::vector<Record> &Candidate, std::size_t Program,
               const Config &C);
  void print(const Report &R, std::size_t Program);
  /// Prints the last line; true if nothing was found.
  bool conclude(std::size_t Buffers, unsigned Runs);

private:
  void difference(std::size_t Program, const Config &C,
                  const std::string &Where, const std::string &Text);

  std::set<std::string> Told;
  unsigned Differences = 0, HazardsOfOriginal = 0, HazardsOfRewritten = 0,
           RunsWithHazards = 0;
};

} // namespace kpipe::exec
