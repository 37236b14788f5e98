// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::token: what an attempt to acquire or to wait found. The blocking call
// for the same stage takes it, and does not wait again for what is done.
#ifndef KPIPE_ASYNC_TOKEN_H
#define KPIPE_ASYNC_TOKEN_H

namespace kpipe {

/// again: not yet, or nobody has asked.
enum class token : bool { again = false, done = true };

} // namespace kpipe

#endif // KPIPE_ASYNC_TOKEN_H
