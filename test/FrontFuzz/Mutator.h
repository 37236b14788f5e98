// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes inputs in ways that often leave them parsable: by tokens and lines,
// with words from the dictionary and lines from the seeds. It must not know
// what inputs are for.
#ifndef KPIPE_TEST_FRONTFUZZ_MUTATOR_H
#define KPIPE_TEST_FRONTFUZZ_MUTATOR_H

#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>
#include <vector>

namespace kpipe::fuzz {

class Mutator {
public:
  /// \param Dictionary text in the form of libFuzzer's -dict files.
  explicit Mutator(llvm::StringRef Dictionary);

  /// Lines of Seed may be put into any input.
  void addSeed(llvm::StringRef Seed);

  /// One to four changes. The same Random gives the same changes.
  std::string mutate(llvm::StringRef Input, std::minstd_rand &Random) const;

private:
  std::vector<std::string> Words;
  std::vector<std::string> Lines;

  void changeOnce(std::string &Text, std::minstd_rand &Random) const;
};

} // namespace kpipe::fuzz

#endif // KPIPE_TEST_FRONTFUZZ_MUTATOR_H
