// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that steer kpipe: `// kpipe: off`, `// kpipe: stages=3 variant=ldg pad`,
// `/* kpipe: assume(no-alias) */` directly above a loop or a kernel. Comments,
// because pragmas and attributes of ours would warn in other compilers.
#ifndef KPIPE_OPTIONS_DIRECTIVES_H
#define KPIPE_OPTIONS_DIRECTIVES_H

#include "DirectiveWords.h"
#include "kpipe/Message.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace kpipe {

struct Directives : DirectiveWords {
  /// Words that mean nothing, with their place, and what is to be said.
  struct Unknown {
    clang::SourceLocation Where;
    Message Why;
  };
  std::vector<Unknown> NotUnderstood;
};

/// Directives in the comment lines directly above the line that Where stands
/// on; pragma and template lines in between are looked through.
Directives directivesAbove(clang::SourceLocation Where,
                           const clang::ASTContext &Context);

/// Directives above a function as written: above the template of which it is an
/// instance, and above its qualifiers where those have lines of their own.
Directives directivesOf(const clang::FunctionDecl *F,
                        const clang::ASTContext &Context);

/// What the directives directly above a place say behind `kpipe:`, as parts of
/// the file's buffer.
llvm::SmallVector<llvm::StringRef, 2>
directiveLines(clang::SourceLocation Where, const clang::SourceManager &SM);

/// Where the text of a function, or of its template, begins.
clang::SourceLocation beginOf(const clang::FunctionDecl *F);

/// Is every word of a text a directive?
bool saysDirectives(llvm::StringRef Words);

/// Loop directives over kernel directives.
Directives merge(const Directives &Kernel, const Directives &Loop);

} // namespace kpipe

#endif // KPIPE_OPTIONS_DIRECTIVES_H
