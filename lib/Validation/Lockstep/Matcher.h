// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two trees in lockstep: the author's and kpipe's. What may differ is what the
// mapping of the loop declares. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_MATCHER_H
#define KPIPE_LIB_VALIDATION_MATCHER_H

#include "Validation/Trees/Tree.h"
#include "kpipe/Message.h"
#include "kpipe/Validation.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>
#include <optional>

namespace kpipe {

/// Which declaration of one function is which of the other: one to one.
class OneToOne {
public:
  void bind(unsigned Author, unsigned Ours) {
    forget(Author);
    To[Author] = Ours;
    From[Ours] = Author;
  }
  void forget(unsigned Author) {
    auto It = To.find(Author);
    if (It == To.end())
      return;
    From.erase(It->second);
    To.erase(It);
  }
  /// 0: none.
  unsigned ours(unsigned Author) const { return find(To, Author); }
  unsigned authors(unsigned Ours) const { return find(From, Ours); }

private:
  using Map = std::map<unsigned, unsigned>;
  static unsigned find(const Map &M, unsigned Key) {
    auto It = M.find(Key);
    return It == M.end() ? 0 : It->second;
  }
  Map To, From;
};

/// Which half of a split load is looked at; none: statements as they are.
enum class LoadHalf { None, Ahead, Store };

/// What the lambdas of one loop do with the author's nodes.
struct Account {
  /// How often each node is there, where it was there once.
  llvm::DenseMap<const Tree *, unsigned> Times;
  /// What the two halves of the load keep, and the compute region.
  llvm::DenseSet<const Tree *> Kept[3];
  /// What one of them does twice where the author did it once.
  llvm::DenseSet<const Tree *> Twice;
  /// Arguments that a clone is given and does not look at, by halves.
  llvm::DenseSet<const Tree *> Idle[3];
  /// The place in registers of each copy, in words that both halves share.
  std::map<unsigned, std::string> Fetched, Stored;
  /// The same as what fetches has it.
  std::map<unsigned, const Tree *> Registers;
  /// Names of stages among the declarations of registers.
  llvm::DenseSet<unsigned> NoRegisters;
  /// What a call of a helper is given to keep its registers in.
  struct HelperTile {
    std::string Fetched, Stored;
    const Tree *Where = nullptr;
  };
  std::map<const clang::CallExpr *, HelperTile> Tiles;
  /// How often each copy's own store happens.
  std::map<unsigned, unsigned> Copied;
  /// The functions that calls of helpers mean.
  std::map<const clang::CallExpr *, std::shared_ptr<Tree>> Helpers;
};

/// Where the comparison stands with respect to one loop, and how a stage is
/// named there.
struct Standing {
  enum { Before, Inside, After } Where = Before;
  /// Numbers of the variables.
  unsigned Stage = 0, Bytes = 0, Parity = 0, Empty = 0;
  /// The references to a stage, by the author's array or view.
  std::map<const clang::Decl *, unsigned> References;
  /// The other names of views, by which all stages are reached.
  std::map<const clang::Decl *, unsigned> Firsts;
  /// References to the first stages of arrays that have views.
  std::map<const clang::Decl *, unsigned> FirstStages;
};

class Matcher {
public:
  Matcher(clang::ASTContext &Context,
          const llvm::StringMap<const Tree *> &Result,
          llvm::ArrayRef<const DeclaredLoop *> Loops)
      : Context(Context), Result(Result), Loops(Loops) {}

  /// The whole function. \returns false if something differs: see Difference.
  bool matchFunction(const Tree &A, const Tree &O);

  /// The first difference of the attempt that came farthest.
  struct {
    size_t Reached = 0;
    const Tree *Where = nullptr;
    Message Why;
    const DeclaredLoop *In = nullptr;
  } Difference;

private:
  friend class AccountCheck;
  friend class BulkMatcher;
  friend class ContentMoves;
  friend class CopyMatcher;
  friend class LoadMatcher;
  friend class LoopMatcher;
  friend class ProducerMatcher;
  friend class SkeletonMatcher;
  friend class StageMatcher;

  clang::ASTContext &Context;
  /// Functions of the result by their keys.
  const llvm::StringMap<const Tree *> &Result;
  llvm::ArrayRef<const DeclaredLoop *> Loops; ///< of this function

  // What holds where the comparison stands.
  const DeclaredLoop *Loop = nullptr; ///< whose lambdas are looked at
  const Tree *Function = nullptr;     ///< the author's, around what is compared
  OneToOne Bound;
  std::map<const DeclaredLoop *, Standing> Standings;
  /// The author's declarations: numbers of the function's own, keys of others.
  llvm::DenseMap<const clang::Decl *, unsigned> Numbers;
  llvm::DenseMap<const clang::Decl *, std::string> Keys;
  LoadHalf Half = LoadHalf::None;
  const clang::CallExpr *Within = nullptr; ///< whose helper's body this is
  Account *Counted = nullptr;
  /// The author's nodes that were matched.
  std::vector<const Tree *> Trail;
  /// Conversions do not count: an expression in which names are replaced.
  bool Loose = false;
  std::function<std::optional<bool>(const Tree &, const Tree &)> Replaced;
  std::map<std::string, std::string> PaddedTypes;

  bool match(const Tree &A, const Tree &O);
  bool matchNode(const Tree &A, const Tree &O);
  bool matchKids(const Tree &A, const Tree &O, size_t From = 0);
  bool matchBlock(const Tree &A, const Tree &O);
  bool attempt(llvm::function_ref<bool()> Try);
  bool fail(const Tree &A, Message Why);
  bool differ(const Tree &A, const Tree &O);

  // Declarations and what stands for them.
  bool matchDecl(const Tree &A, const Tree &O);
  bool sameType(const Tree &A, const Tree &O) const;
  std::string typeText(clang::QualType T) const;
  const DeclaredLoop *loopOf(const Tree &A) const;
  const DeclaredLoop *stagedBy(const clang::Decl *D) const;
  bool names(const Tree &O, unsigned Local) const;
  void number(const Tree &A);

  // A loop and what became of it.
  bool matchLoop(const Tree &A, const Tree &O);
};

/// Statements of a block, with declarations one by one and without empty ones.
TreeList flattened(const Tree &Block);

/// What the body's statements are in a tree, pragmas taken off.
const BodyItem *itemOf(const Tree &S, const TileLoop &T);

/// `a Op b`.
bool isBinary(const Tree &T, llvm::StringRef Op);

/// Below implicit conversions.
const Tree &withoutConversions(const Tree &T);

/// A call of a function of kpipe's runtime; its arguments begin at kid 1.
bool callsRuntime(const Tree &T, llvm::StringRef Name);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_MATCHER_H
