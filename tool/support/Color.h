// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what is said on standard error has colours.
#ifndef KPIPE_TOOL_SUPPORT_COLOR_H
#define KPIPE_TOOL_SUPPORT_COLOR_H

namespace kpipe {

enum class ColorChoice {
  Auto, ///< on a terminal, unless the environment has NO_COLOR
  Always,
  Never
};

bool colorsFor(ColorChoice Choice);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_COLOR_H
