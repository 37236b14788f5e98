// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's and LLVM's heavy headers, compiled once for the whole library. Only
// the build includes this file; every source still includes what it uses.
#ifndef KPIPE_PRECOMPILED_H
#define KPIPE_PRECOMPILED_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#endif // KPIPE_PRECOMPILED_H
