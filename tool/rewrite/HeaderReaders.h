// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header that is edited for one file of a run is read by others. Each of them
// has to have found the same loop there, or to make no code of it: macros and
// conditions may say something else in another file.
#ifndef KPIPE_TOOL_REWRITE_HEADERREADERS_H
#define KPIPE_TOOL_REWRITE_HEADERREADERS_H

#include "kpipe/Engine.h"
#include <set>
#include <string>
#include <vector>

namespace kpipe {

class HeaderReaders {
public:
  /// \param File that was rewritten. \param Main its name in places.
  /// \returns what is wrong with this and an earlier file, one line; else empty.
  std::string add(const std::string &File, const std::string &Main,
                  const UnitOutcome &Of);

private:
  using Line = std::pair<std::string, unsigned>;
  struct Reader {
    std::string File;
    std::set<Line> Pipelined; ///< loops in headers
    std::vector<HeaderFunction> Functions;
  };
  std::vector<Reader> Readers;

  static std::string compare(const Reader &Edits, const Reader &Reads);
};

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_HEADERREADERS_H
