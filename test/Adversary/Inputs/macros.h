// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros whose names are those which a pipeline introduces.
#pragma once
#define stage 3
#define slot 4
#define load_tile 5
#define fetch_tile(i) never_declared(i)
#define xs_reg
#define stages "none"
