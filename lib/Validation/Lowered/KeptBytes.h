// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On what it depends whether a copy brings its bytes or zeros. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_KEPTBYTES_H
#define KPIPE_LIB_VALIDATION_KEPTBYTES_H

#include "Validation/Trees/Addresses.h"

namespace kpipe {

/// Whether something is done: a truth that is asked for.
struct Truth {
  std::string Text;
  bool Negated = false;
  bool operator==(const Truth &O) const {
    return Text == O.Text && Negated == O.Negated;
  }
};

/// A condition without conversions to and from truth.
Truth askedBy(const Tree &Condition, const Frame &F);

/// \param Kept when the bytes are copied; left alone where they always are.
/// \param Bytes how many of them are copied, or with \p OfZeros are zeros.
/// \returns false unless it is all of them or none.
bool keptBy(std::optional<Truth> &Kept, const Tree &Bytes, const Frame &F,
            int64_t All, bool OfZeros);

/// Where a number comes from through parameters that only name it, and are as
/// wide. \param In where Bytes stands, then where the result does.
/// \returns null where a function computes with it on the way.
const Tree *givenNumber(const Tree &Bytes, const Frame *&In);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_KEPTBYTES_H
