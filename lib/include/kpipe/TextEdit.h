// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One change of one file's text, as a value.
#ifndef KPIPE_TEXTEDIT_H
#define KPIPE_TEXTEDIT_H

#include <string>
#include <tuple>

namespace kpipe {

/// Replaces Length bytes at Offset; Length 0 inserts. Insertions at one place
/// keep the order in which they are given.
struct TextEdit {
  unsigned Offset = 0, Length = 0;
  std::string Text;
  bool operator<(const TextEdit &O) const {
    return std::tie(Offset, Length, Text) <
           std::tie(O.Offset, O.Length, O.Text);
  }
  bool operator==(const TextEdit &O) const {
    return std::tie(Offset, Length, Text) ==
           std::tie(O.Offset, O.Length, O.Text);
  }
};

} // namespace kpipe

#endif // KPIPE_TEXTEDIT_H
