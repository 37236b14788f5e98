// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the rule of temporaries off, every variable that is set once and read
// once is taken for one. The check of the result finds those that hold another
// value than their load does where the store stands.
// RUN: env KPIPE_RULES_OFF=temporaries %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %S/../Adversary/temporaries_that_change.cu 2>&1 \
// RUN:   | FileCheck %s

// An index changes.
// CHECK: note: 'v' may hold another value than what its load finds where the copy is made
// By another name.
// CHECK: warning: not pipelined: {{.*}} [kpipe-name-meaning]
// A pointer moves on.
// CHECK: note: 'r' may hold another value than what its load finds where the copy is made
// Elements are set twice, as a whole and in part.
// CHECK: warning: not pipelined: {{.*}} [kpipe-name-meaning]
// CHECK: note: 'r' may hold another value than what its load finds where the copy is made
// Loops do not run in step: other elements, another first turn, more turns.
// CHECK: note: 'r' may hold another value than what its load finds where the copy is made
// CHECK-NEXT: r[1 - i]
// CHECK: note: 'r' may hold another value than what its load finds where the copy is made
// CHECK-NEXT: xs[t + (i - 1) * T]
// CHECK: note: 'r' may hold another value than what its load finds where the copy is made
// CHECK-NEXT: r[i % 2]
