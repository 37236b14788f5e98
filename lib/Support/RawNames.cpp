// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spelling of a raw identifier, see RawNames.h.

#include "RawNames.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"

using namespace clang;

namespace kpipe {

llvm::StringRef rawName(const Token &T, const ASTContext &Context) {
  if (!T.needsCleaning() && !T.hasUCN())
    return T.getRawIdentifier();
  const std::string Clean = Lexer::getSpelling(T, Context.getSourceManager(),
                                               Context.getLangOpts());
  llvm::SmallString<64> Name;
  if (T.hasUCN())
    expandUCNs(Name, Clean);
  else
    Name = Clean;
  return Context.Idents.get(Name).getName();
}

} // namespace kpipe
