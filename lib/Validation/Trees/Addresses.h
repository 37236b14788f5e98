// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as sums of bytes: two spellings of one place have one sum, be they
// a subscript, a pointer's arithmetic or a number of shared memory. Private to
// the validation.
#ifndef KPIPE_LIB_VALIDATION_ADDRESSES_H
#define KPIPE_LIB_VALIDATION_ADDRESSES_H

#include "Tree.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kpipe {

/// Where the names of a tree are looked up: a function, or one that is called
/// and read as if its body stood in the caller.
class Frame {
public:
  Frame(const Tree &Function, const clang::ASTContext &Context);
  /// The body of a function, with what Call gives its parameters.
  Frame(const Tree &Function, const Frame &Caller,
        std::map<unsigned, const Tree *> Given);

  const clang::ASTContext &Context;
  const Frame *Caller = nullptr;
  /// What a parameter is given, to be read in Caller.
  std::map<unsigned, const Tree *> Given;
  /// Numbers of the other function's variables, by the numbers of this one's.
  const std::map<unsigned, unsigned> *Renumbered = nullptr;
  /// The author's numbers of shared memory that became pointers.
  const std::set<unsigned> *Pointers = nullptr;

  /// The statement whose names are looked up; null in a function that is read
  /// as if it stood in its caller.
  const Tree *Here = nullptr;

  /// What initialises a variable that nothing changes, where that has the same
  /// value Here; null for any other.
  const Tree *valueOf(unsigned Local) const;
  /// What initialises a variable that nothing changes, whatever its names are
  /// by now; null for any other.
  const Tree *initOf(unsigned Local) const {
    auto Found = Declared.find(Local);
    return Found != Declared.end() && isKept(Local) ? Found->second : nullptr;
  }
  /// Is it read only, everywhere in the function?
  bool isKept(unsigned Local) const { return !Changed.count(Local); }
  /// Is it a parameter that is another name of what is given?
  bool isReference(unsigned Local) const { return References.count(Local); }

private:
  struct Range {
    unsigned Begin, End;
    bool has(unsigned At) const { return Begin <= At && At < End; }
  };
  std::map<unsigned, const Tree *> Declared;
  std::set<unsigned> Changed, References;
  /// Where nodes are, in the order of the source.
  std::map<const Tree *, Range> Places;
  std::vector<Range> Loops;
  std::map<unsigned, std::vector<unsigned>> Changes;
  /// By a closure, which may run anywhere; or the order is not the source's.
  std::set<unsigned> ChangedAnywhere;
  bool Jumps = false;
  unsigned Next = 0;

  void read(const Tree &T, bool Reads, bool InClosure);
  bool isSame(const Tree &T, const Range &Made, const Range &Used) const;
};

/// Bytes by what they are multiplied with; the constant has no name.
using Sum = std::map<std::string, int64_t>;

/// The address that a pointer, or a number made of one, holds.
Sum addressIn(const Tree &Pointer, const Frame &F);
/// The address of what an expression names.
Sum addressOf(const Tree &Place, const Frame &F);
/// A count, Scale times.
Sum numberOf(const Tree &Count, const Frame &F, int64_t Scale);

/// An expression, with the author's variables and arguments in it.
std::string spelled(const Tree &T, const Frame &F);
/// The value that the compiler knows of an integer.
std::optional<int64_t> constantOf(const Tree &T, const Frame &F);
/// Without conversions, copies and temporaries that keep the value.
const Tree &withoutCasts(const Tree &T);

const clang::Expr *exprOf(const Tree &T);
/// The function that a call calls; null where it cannot be told.
const clang::FunctionDecl *calleeOf(const Tree &Call);
/// Arguments, without the callee.
std::vector<const Tree *> argumentsOf(const Tree &Call);

/// How many nodes do something beside their value.
unsigned effectsIn(const Tree &T);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ADDRESSES_H
