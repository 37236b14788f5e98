// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage and accesses as messages, see AccessNames.h.

#include "AccessNames.h"

namespace kpipe {

Message named(const Storage &P) {
  switch (P.Where) {
  case Storage::Kind::Pointee:
    return {msg::touched_pointee, P.Var->getNameAsString()};
  case Storage::Kind::Unknown:
    return {msg::touched_unknown};
  case Storage::Kind::AnyGlobal:
    return {msg::touched_global};
  case Storage::Kind::Local:
  case Storage::Kind::Shared:
  case Storage::Kind::Device:
    break;
  }
  if (!P.Var && P.Field)
    return {msg::touched_variable, P.Field->getNameAsString()};
  if (!P.Var)
    return {P.Where == Storage::Kind::Local ? msg::touched_unknown
                                            : msg::touched_shared};
  return {msg::touched_variable, P.Var->getNameAsString()};
}

Message accessName(const Access &A) {
  return {A.Write ? msg::write_of : msg::read_of, named(A.Where)};
}

} // namespace kpipe
