// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in the halves of a load: one side is a register, or both are
// addresses, see CopyMatcher.h.
#include "CopyMatcher.h"
#include "HeldValue.h"
#include "LoadMatcher.h"
#include "Validation/Trees/PlacesAligned.h"
#include "Validation/Trees/SideEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The sides of an assignment, an operator's call included.
bool isAssignment(const Tree &T) {
  return (T.is("BinaryOperator") && T.Label == "=") ||
         (T.is("CXXOperatorCallExpr") && T.Kids.size() == 3);
}
const Tree &left(const Tree &T) {
  return T.kid(T.is("BinaryOperator") ? 0 : 1);
}
const Tree &right(const Tree &T) {
  return T.kid(T.is("BinaryOperator") ? 1 : 2);
}

/// An assignment that puts the same bits there, whatever its operator is
/// called.
bool copiesBits(const Tree &T) {
  return T.is("BinaryOperator") || T.Label == BitCopy;
}

/// Below conversions and copies of the whole value.
const Tree &valueOf(const Tree &T) {
  const Tree *At = &T;
  while (At->is("ImplicitCastExpr") || At->is("MaterializeTemporaryExpr") ||
         (At->is("CXXConstructExpr") && At->Kids.size() == 1))
    At = At->Kids[0].get();
  return *At;
}

/// A type as a value has it.
llvm::StringRef valueType(llvm::StringRef Type) {
  Type.consume_back(" lvalue");
  for (bool More = true; More;) {
    More = false;
    for (llvm::StringRef Word : {"const ", "volatile ", "__restrict "})
      More |= Type.consume_front(Word);
    for (llvm::StringRef Word : {"const", "volatile"})
      if (Type.ends_with("*" + Word.str()))
        Type = Type.drop_back(Word.size());
  }
  return Type;
}

/// `p` of `p.x.y`.
const Tree &withoutMembers(const Tree &T) {
  const Tree *At = &T;
  while (At->is("MemberExpr") &&
         (At->Label == "." || At->kid(0).is("CXXThisExpr")))
    At = At->Kids[0].get();
  return *At;
}

const Tree *find(const Tree &In, const Stmt *Origin) {
  if (In.Origin == Origin)
    return &In;
  for (const std::unique_ptr<Tree> &Kid : In.Kids)
    if (const Tree *Found = find(*Kid, Origin))
      return Found;
  return nullptr;
}

bool sameText(const Tree &A, const Tree &B) {
  std::string X, Y;
  writeTree(A, X);
  writeTree(B, Y);
  return X == Y;
}

/// What of an address must not be computed where a guard fails: reads of
/// memory, divisions that may fault, and what has an effect.
const Tree *boundToGuard(const Tree &T, const ASTContext &Context) {
  bool Reads = T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
               !withoutMembers(T.kid(0)).is("DeclRefExpr") &&
               !withoutMembers(T.kid(0)).is("CXXThisExpr");
  bool Divides = !T.Label.empty() && T.Kids.size() == 2 &&
                 (T.Label[0] == '/' || T.Label[0] == '%');
  if (const auto *By =
          Divides ? dyn_cast_or_null<Expr>(T.kid(1).Origin) : nullptr) {
    std::optional<llvm::APSInt> Value = By->getIntegerConstantExpr(Context);
    Divides = !Value || *Value == 0;
  }
  if (Reads || Divides || (T.Origin && hasOwnEffect(T.Origin)))
    return &T;
  for (const std::unique_ptr<Tree> &Kid : T.Kids)
    if (const Tree *Found = boundToGuard(*Kid, Context))
      return Found;
  return nullptr;
}

} // namespace

/// A place in registers in words that do not depend on the lambda: names of the
/// author's variables become their numbers. Empty if it is none.
std::string CopyMatcher::registerText(const Tree &O) const {
  const Tree *Root = &O;
  while (Root->is("ImplicitCastExpr") || Root->is("ArraySubscriptExpr") ||
         Root->is("MemberExpr"))
    Root = &Root->kid(0);
  if (!Root->is("DeclRefExpr") || !Root->Local ||
      M.Bound.authors(Root->Local) ||
      (!M.Within && M.Counted->NoRegisters.contains(Root->Local)))
    return {};
  std::string Text;
  auto write = [&](auto &Self, const Tree &T) -> void {
    if (T.is("ImplicitCastExpr"))
      return Self(Self, T.kid(0));
    unsigned Author = T.Local ? M.Bound.authors(T.Local) : 0;
    Text += T.Kind + ":" + T.Label + ":" +
            (Author ? "#" + std::to_string(Author) : T.Name) + "(";
    for (const std::unique_ptr<Tree> &Kid : T.Kids)
      Self(Self, *Kid);
    Text += ")";
  };
  write(write, O);
  return Text;
}

std::optional<bool> CopyMatcher::matchCopy(const Tree &A, const Tree &O) {
  const TileLoop &T = M.Loop->Tile;
  if (!A.Origin)
    return std::nullopt;
  for (unsigned I = 0; I != T.Copies.size(); ++I) {
    const TileCopy &C = T.Copies[I];
    if (C.HelperCall != M.Within)
      continue;
    bool IsStore = A.Origin == originOf(C.Store);
    if (M.Loop->Async[I]) {
      if (IsStore)
        return M.Half == LoadHalf::Ahead ? matchAsync(I, A, O)
                                         : M.fail(A, {msg::meaning_copy_twice});
      continue;
    }
    if (!C.ValueIsLoaded) {
      if (!IsStore)
        continue;
      if (M.Half == LoadHalf::Ahead)
        return M.fail(A, {msg::meaning_copy_twice});
      if (!M.matchNode(A, O) || !M.matchKids(A, O))
        return false;
      ++M.Counted->Copied[I];
      return true;
    }
    bool IsFill = C.FillStore && A.Origin == originOf(C.FillStore);
    if (M.Half == LoadHalf::Ahead ? IsStore || IsFill
        : C.IfElse                ? A.Origin == C.IfElse
                                  : IsStore)
      return matchRegister(I, A, O);
  }
  for (const DeclaredLoop::Clone &C : M.Loop->Clones)
    if (!M.Within && A.Origin == C.Call)
      return LoadMatcher(M).matchHelper(C, A, O);
  return std::nullopt;
}

/// Has the array of registers an element for each of the copy's turns?
static bool hasRoom(const Tree &O, const TileCopy &C) {
  uint64_t Elements = 1, Turns = 1;
  for (const Tree *T = &O;; T = &T->kid(0)) {
    if (T->is("ArraySubscriptExpr")) {
      const Tree &Array = withoutConversions(T->kid(0));
      // `float[6]`, or `float[2][6]` of which this is the outer extent.
      llvm::StringRef Type = Array.Type;
      uint64_t Extent = 0;
      if (Type.consume_front(Type.take_until([](char C) { return C == '['; })) &&
          Type.consume_front("[") && !Type.consumeInteger(10, Extent))
        Elements *= Extent;
    } else if (!T->is("ImplicitCastExpr") && !T->is("MemberExpr")) {
      break;
    }
  }
  for (const CopyLoop &L : C.Loops)
    Turns *= std::max<uint64_t>(L.Trips, 1);
  return Elements >= Turns;
}

/// A and O assign by the same operator, or copy the bits both. What stands
/// between them may have converted: then O alone copies the bits.
bool CopyMatcher::assignAlike(const Tree &A, const Tree &O, bool Converted) {
  return (copiesBits(O) && (Converted || copiesBits(A))) ||
         (A.Kids.size() == O.Kids.size() &&
          M.attempt([&] { return M.match(A.kid(0), O.kid(0)); }));
}

/// In the half that runs ahead the value goes to a register, in the other one
/// from there to the author's place.
bool CopyMatcher::matchRegister(unsigned I, const Tree &A, const Tree &O) {
  const TileCopy &C = M.Loop->Tile.Copies[I];
  const Tree *Store = find(A, originOf(C.Store));
  const Tree &Here = Store ? *Store : A;
  if (!isAssignment(Here) || !isAssignment(O))
    return M.differ(A, O);
  if (M.Half == LoadHalf::Store) {
    std::string Register = registerText(valueOf(right(O)));
    if (Register.empty())
      return M.fail(A, {msg::meaning_not_from_register});
    if (!M.match(left(Here), left(O)))
      return false;
    const bool Whole =
        valueType(valueOf(right(O)).Type) == valueType(left(O).Type);
    if (!assignAlike(Here, O, Whole))
      return M.differ(A, O);
    M.Trail.push_back(&A);
    if (C.IfElse) {
      const Tree *Fill = find(A, originOf(C.FillStore));
      if (!Fill || !isAssignment(*Fill) || !sameText(left(*Fill), left(Here)))
        return M.fail(A, {msg::meaning_branch_places});
    }
    M.Counted->Stored[I] = std::move(Register);
    ++M.Counted->Copied[I];
    return true;
  }
  std::string Register = registerText(left(O));
  if (Register.empty())
    return M.fail(A, {msg::meaning_not_to_register});
  if (!hasRoom(left(O), C))
    return M.fail(A, {msg::meaning_registers_too_few});
  std::string &Known = M.Counted->Fetched[I];
  if (!Known.empty() && Known != Register)
    return M.fail(A, {msg::meaning_branch_registers});
  Known = Register;
  M.Counted->Registers[I] = &left(O);
  auto fetches = [&](const Tree &Value) {
    llvm::StringRef Held = valueType(left(O).Type);
    if (Held != valueType(left(Here).Type) &&
        Held != valueType(valueOf(Value).Type))
      return M.fail(A, {msg::meaning_register_type, Held.str()});
    // What converts is called for the element, here or from the register.
    if (!assignAlike(Here, O, Held != valueType(left(Here).Type)))
      return M.differ(A, O);
    if (M.attempt([&] { return M.match(Value, right(O)); }))
      return true;
    return M.match(valueOf(Value), valueOf(right(O)));
  };
  // What is filled in is written there.
  return Store ? withValue(C, Here, fetches) : fetches(right(Here));
}

bool CopyMatcher::withValue(const TileCopy &C, const Tree &A,
                            llvm::function_ref<bool(const Tree &)> Then) {
  const Tree &Written = right(A);
  if (!C.Via.Var)
    return Then(Written);
  auto Held = M.Function ? heldBy(Written, A, *M.Function, M.Loop->Tile, M.Context)
                         : std::nullopt;
  if (!Held || valueType(valueOf(Held->Value ? *Held->Value : A).Type) !=
                   valueType(valueOf(Written).Type))
    return M.fail(A, {msg::meaning_temporary, C.Via.Var->getNameAsString()});
  OneToOne Names = M.Bound;
  for (auto &[Mine, Other] : Held->Counters)
    M.Bound.bind(Mine, M.Bound.ours(Other));
  bool Same = Then(*Held->Value);
  M.Bound = std::move(Names);
  return Same;
}

/// O is a pointer to the lvalue, or to where the value, of A comes from.
bool CopyMatcher::matchAddress(const Tree &A, const Tree &O) {
  const Tree *Object = &valueOf(A), *Pointer = &withoutConversions(O);
  auto below = [&](const Tree &X) {
    return M.match(withoutConversions(X), *Pointer);
  };
  if (Pointer->is("UnaryOperator") && Pointer->Label == "&" &&
      M.attempt([&] { return M.match(*Object, valueOf(Pointer->kid(0))); }))
    return true;
  // Pointers to const are converted without a word: below conversions.
  if (Object->is("UnaryOperator") && Object->Label == "*") {
    M.Trail.push_back(Object);
    return M.attempt([&] {
      return M.match(Object->kid(0), O);
    }) || M.attempt([&] {
      return O.is("ImplicitCastExpr") && M.match(Object->kid(0), O.kid(0));
    }) || below(Object->kid(0));
  }
  if (Object->is("ArraySubscriptExpr") &&
      withoutConversions(Object->kid(1)).Label == "0") {
    M.Trail.push_back(Object);
    return M.attempt([&] {
      return M.match(Object->kid(0), O);
    }) || M.attempt([&] {
      return O.is("ImplicitCastExpr") && M.match(Object->kid(0), O.kid(0));
    }) || below(Object->kid(0));
  }
  if (Object->is("CallExpr") && Object->Kids.size() == 2) {
    M.Trail.push_back(Object); // __ldg(&x)
    return below(Object->kid(1));
  }
  // `(float)x` of a float: a cast of a value to its own type.
  if (isa_and_nonnull<ExplicitCastExpr>(Object->Origin) &&
      Object->Label == "NoOp" && cast<Expr>(Object->Origin)->isPRValue() &&
      valueType(Object->Type) == valueType(valueOf(Object->kid(0)).Type)) {
    M.Trail.push_back(Object);
    return matchAddress(Object->kid(0), O);
  }
  return M.differ(A, O);
}

bool CopyMatcher::matchAsync(unsigned I, const Tree &A, const Tree &O) {
  if (!isAssignment(A))
    return M.differ(A, O);
  ++M.Counted->Copied[I];
  M.Trail.push_back(&A);
  return withValue(M.Loop->Tile.Copies[I], A, [&](const Tree &From) {
    return matchAsync(A, From, O);
  });
}

bool CopyMatcher::matchAsync(const Tree &A, const Tree &From, const Tree &O) {
  // The author's own access would do with less.
  for (const Tree *Place : {&left(A), &From})
    if (const auto *E = dyn_cast_or_null<Expr>(Place->Origin))
      if (!isWellAligned(*E, M.Context))
        return M.fail(*Place, msg::meaning_unaligned);
  // The author's value comes before its place; arguments come in any order.
  if (left(A).Origin && From.Origin &&
      hangOnTheirOrder(left(A).Origin, From.Origin))
    return M.differ(A, O);
  auto copied = [&](const Tree &Src, const Tree &Object) {
    return valueType(valueOf(Src).Type) == valueType(left(A).Type) ||
           M.fail(Object, {msg::meaning_copy_converts});
  };
  const Tree &Value = valueOf(From);
  if (callsRuntime(O, "copy_async") && O.Kids.size() == 3)
    return copied(From, A) && matchAddress(left(A), O.kid(1)) &&
           matchAddress(From, O.kid(2));
  if (!Value.is("ConditionalOperator"))
    return M.differ(A, O);
  M.Trail.push_back(&Value);
  if (!copied(Value.kid(1), A))
    return false;
  // `if (guard) copy_async(…); else dst = 0;`, `?:` where it is no statement.
  if (O.is("IfStmt") || O.is("ConditionalOperator")) {
    if (O.Kids.size() != 3)
      return M.differ(A, O);
    const Tree &Then = O.kid(1);
    const Tree *Else = &O.kid(2);
    if (Else->is("CXXFunctionalCastExpr") && Else->Label == "ToVoid")
      Else = &Else->kid(0);
    return M.match(Value.kid(0), O.kid(0)) &&
           callsRuntime(Then, "copy_async") && Then.Kids.size() == 3 &&
           matchAddress(left(A), Then.kid(1)) &&
           matchAddress(Value.kid(1), Then.kid(2)) && isAssignment(*Else) &&
           M.attempt([&] {
             return M.match(left(A), left(*Else)) &&
                    M.match(valueOf(Value.kid(2)), valueOf(right(*Else)));
           });
  }
  if (!callsRuntime(O, "copy_async_zfill") || O.Kids.size() != 4)
    return M.differ(A, O);
  const auto *Fill = dyn_cast_or_null<Expr>(Value.kid(2).Origin);
  if (!Fill || !isAllZeroBits(Fill, M.Context))
    return M.fail(Value.kid(2), {msg::meaning_fill_not_zero});
  const Tree *Source = &valueOf(Value.kid(1));
  if (Source->is("CallExpr") && Source->Kids.size() == 2)
    Source = &Source->kid(1); // __ldg(&x)
  if (const Tree *Unguarded = boundToGuard(*Source, M.Context))
    return M.fail(*Unguarded, {msg::meaning_unguarded});
  return matchAddress(left(A), O.kid(1)) &&
         matchGuard(Value.kid(0), O.kid(3)) &&
         matchAddress(Value.kid(1), O.kid(2));
}

/// As an argument, what is no number stands before `? true : false`.
bool CopyMatcher::matchGuard(const Tree &A, const Tree &O) {
  if (O.is("ConditionalOperator") && O.kid(1).Label == "true" &&
      O.kid(2).Label == "false" &&
      M.attempt([&] { return M.match(A, O.kid(0)); }))
    return true;
  return M.match(A, O);
}

} // namespace kpipe
