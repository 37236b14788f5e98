// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What came of looking at one property of machine code. It must not know who
// looked, nor how it is shown.
#ifndef KPIPE_CHECKVERDICT_H
#define KPIPE_CHECKVERDICT_H

namespace kpipe {

enum class CheckVerdict { Holds, Fails, NotChecked };

} // namespace kpipe

#endif // KPIPE_CHECKVERDICT_H
