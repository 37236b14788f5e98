// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma in the compute region: asynchronous reads of the tile, which end at
// `wgmma.wait_group`, by a proxy of their own, so that plain stores to the tile
// need a fence. What recognition finds of them.
#ifndef KPIPE_MATRIXTILE_H
#define KPIPE_MATRIXTILE_H

#include "kpipe/Message.h"

namespace clang {
class Stmt;
} // namespace clang

namespace kpipe {

struct MatrixTile {
  /// `wgmma.wait_group 0` as a statement of the body. It is BodyItem::Replaced
  /// where a group may stay in flight for one more tile.
  const clang::Stmt *Wait = nullptr;
  /// Why none may, as a clause; empty if one may.
  Message NotInFlight;
  /// The author has a `fence.proxy.async` between plain stores and wgmma.
  bool Fenced = false;

  bool staysInFlight() const { return Wait && NotInFlight.empty(); }

  /// What swizzled tiles and their descriptors rely on, bytes.
  static constexpr unsigned Alignment = 1024;
  /// Plain tiles: a group in flight takes a stage from those that are on their
  /// way, and with less than two of these it loses (485 of 556 TFLOP/s with
  /// three stages, bf16 128x128x64 of 4096 cubed on an H200).
  static constexpr unsigned StagesInFlight = 4;
};

} // namespace kpipe

#endif // KPIPE_MATRIXTILE_H
