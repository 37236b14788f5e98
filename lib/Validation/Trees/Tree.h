// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function as a generic tree: what Clang understood of it, without places and
// without sugar. It is the form in which the author's text and kpipe's are
// compared, and crosses from the process that parses the result. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_TREE_H
#define KPIPE_LIB_VALIDATION_TREE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kpipe {

/// One node: a statement, an expression, a declaration, a capture.
struct Tree {
  std::string Kind;  ///< the class of Clang's node
  std::string Label; ///< operator, kind of cast, value of a literal
  std::string Type;  ///< canonical; empty for statements
  /// The declaration that is named or made: 0 for none, else 1 + its number in
  /// the function where it is the function's own.
  unsigned Local = 0;
  /// Its name; of what the whole program knows, all that tells it from others.
  std::string Name;
  std::vector<std::unique_ptr<Tree>> Kids;

  /// Only of the author's: what the node stands for.
  const clang::Stmt *Origin = nullptr;
  const clang::Decl *Of = nullptr;

  bool is(llvm::StringRef K) const { return Kind == K; }
  const Tree &kid(size_t I) const { return *Kids[I]; }
};

/// The label of an operator that is called to copy an object's bits.
inline constexpr llvm::StringLiteral BitCopy = "= bits";

using TreeList = llvm::SmallVector<const Tree *, 16>;

/// What a tree has as the origin of what stands for S: without parentheses and
/// nodes that end temporaries.
const clang::Stmt *originOf(const clang::Stmt *S);

/// The node T without what is below it.
std::unique_ptr<Tree> nodeOf(const Tree &T);

/// T and all nodes below it, in their order.
void eachNode(const Tree &T, llvm::function_ref<void(const Tree &)> Do);

/// The function as a tree: its parameters, then its body. Name: see keyOf().
std::unique_ptr<Tree> treeOf(const clang::FunctionDecl *F,
                             clang::ASTContext &Context);

void writeTree(const Tree &T, std::string &Text);
/// Takes one tree from the front of the text. \returns null where none is.
std::unique_ptr<Tree> readTree(llvm::StringRef &Text);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TREE_H
