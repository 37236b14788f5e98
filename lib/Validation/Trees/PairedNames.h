// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees of one function in two texts, compared node by node: its own variables
// have other numbers in each, and the same ones in equal places. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_PAIREDNAMES_H
#define KPIPE_LIB_VALIDATION_PAIREDNAMES_H

#include "Tree.h"
#include <map>

namespace kpipe {

struct PairedNames {
  /// The author's numbers by the other text's, and the reverse.
  std::map<unsigned, unsigned> Numbers, Back;

  /// Takes two variables for one. False if either is another one already.
  bool pair(unsigned Authors, unsigned Others);
  /// Equal but for what is below them.
  bool sameNode(const Tree &Author, const Tree &Other);
  /// Equal, names included; what was found of names stays only then.
  bool same(const Tree &Author, const Tree &Other);

private:
  bool sameAll(const Tree &Author, const Tree &Other);
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_PAIREDNAMES_H
