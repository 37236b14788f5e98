// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that are made in another turn than the author makes them: statement by
// statement they copy the same, with the counter as it is there. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_RESTAGED_MOVEDCOPIES_H
#define KPIPE_LIB_VALIDATION_RESTAGED_MOVEDCOPIES_H

#include "TurnText.h"
#include "Validation/Trees/Addresses.h"

namespace kpipe {

/// A commit, which is compared nowhere.
bool isCommitStatement(const Tree &S, const Frame &F);

class MovedCopies {
public:
  MovedCopies(const Frame &OfAuthor, const Frame &OfOther,
              std::map<unsigned, unsigned> Numbers)
      : AuthorIn(OfAuthor), OtherIn(OfOther), Numbers(std::move(Numbers)),
        Author(OfAuthor.Context), Other(OfOther.Context) {
    Other.AuthorsNumbers = &this->Numbers;
  }
  MovedCopies(const MovedCopies &) = delete;

  const Frame &AuthorIn, &OtherIn;
  /// The author's numbers by those of the other text.
  std::map<unsigned, unsigned> Numbers;
  TurnText Author, Other;
  /// The author's node that has no counterpart.
  const Tree *Differs = nullptr;

  /// Two lists of copies, and declarations for them. One that only one of them
  /// has counts by what it is used for.
  bool lists(const TreeList &X, const TreeList &Y);
  /// What made variables that nothing changes, in these statements.
  static void learn(const Tree &S, const Frame &F, TurnText &To);

private:
  bool statement(const Tree &X, const Tree &Y);
  bool declaration(const Tree &X, const Tree &Y);
  bool step(const Tree &X, const Tree &Y);
  bool equal(const Tree &X, const Tree &Y);
  bool fail(const Tree &At) {
    if (!Differs)
      Differs = &At;
    return false;
  }
};

/// \param S statements of a loop, of which each is a copy, a commit, or a
/// condition or loop around copies; functions are looked into.
/// \param Turning variables of F that hang on the turn.
/// \returns null if it is so and each turn copies to the same elements; else
/// the node that is something else, or hangs on the turn.
const Tree *notSteadyCopies(const TreeList &S, const Frame &F,
                            std::set<unsigned> Turning);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_RESTAGED_MOVEDCOPIES_H
