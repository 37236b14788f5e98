// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep itself, and the names that the mapping changes, see Matcher.h.
#include "Matcher.h"
#include "BulkMatcher.h"
#include "Code/KnownFunctions.h"
#include "ContentMoves.h"
#include "LoadMatcher.h"
#include "ProducerMatcher.h"
#include "StageMatcher.h"
#include "Validation/Trees/TypeNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static void flatten(const Tree &S, TreeList &Out) {
  if (S.is("NullStmt"))
    return;
  if (!S.is("DeclStmt")) {
    Out.push_back(&S);
    return;
  }
  for (const std::unique_ptr<Tree> &Kid : S.Kids)
    Out.push_back(Kid.get());
}

TreeList flattened(const Tree &Block) {
  TreeList Out;
  for (const std::unique_ptr<Tree> &Kid : Block.Kids)
    flatten(*Kid, Out);
  return Out;
}

bool isBinary(const Tree &T, llvm::StringRef Op) {
  return T.is("BinaryOperator") && T.Label == Op;
}

const Tree &withoutConversions(const Tree &T) {
  const Tree *At = &T;
  while (At->is("ImplicitCastExpr"))
    At = At->Kids[0].get();
  return *At;
}

bool callsRuntime(const Tree &T, llvm::StringRef Name) {
  if (!T.is("CallExpr") || T.Kids.empty())
    return false;
  const Tree &Callee = withoutConversions(T.kid(0));
  std::string Key = ("Function kpipe::" + Name).str();
  llvm::StringRef Named = Callee.Name;
  return Named.consume_front(Key) &&
         (Named.starts_with("<") || Named.starts_with(" "));
}

bool Matcher::fail(const Tree &A, Message Why) {
  if (!Difference.Where || Trail.size() >= Difference.Reached)
    Difference = {Trail.size(), &A, std::move(Why), Loop};
  return false;
}

bool Matcher::differ(const Tree &A, const Tree &O) {
  if (A.is("PredefinedExpr"))
    return fail(A, {msg::meaning_label, A.Label, O.Label});
  if (!A.Name.empty() && A.Name == O.Name)
    return fail(A, {msg::meaning_name, A.Name});
  if (!A.Label.empty() && A.Kind == O.Kind && A.Label != O.Label)
    return fail(A, {msg::meaning_label, A.Label, O.Label});
  if (A.Kind == O.Kind && A.Type != O.Type && !A.Type.empty())
    return fail(A, {msg::meaning_type, O.Type, A.Type});
  return fail(A, {msg::meaning_other});
}

bool Matcher::attempt(llvm::function_ref<bool()> Try) {
  OneToOne Names = Bound;
  size_t Length = Trail.size();
  std::optional<Account> Before;
  if (Counted)
    Before = *Counted;
  if (Try())
    return true;
  Bound = std::move(Names);
  Trail.resize(Length);
  if (Counted) {
    // Helpers' trees stay: nodes of them are named elsewhere.
    auto Helpers = std::move(Counted->Helpers);
    *Counted = std::move(*Before);
    Counted->Helpers = std::move(Helpers);
  }
  return false;
}

void Matcher::number(const Tree &A) {
  if (A.Of && A.Local)
    Numbers[A.Of] = A.Local;
  else if (A.Of)
    Keys[A.Of] = A.Name;
  for (const std::unique_ptr<Tree> &Kid : A.Kids)
    number(*Kid);
}

bool Matcher::matchFunction(const Tree &A, const Tree &O) {
  number(A);
  Function = &A;
  StageMatcher(*this).findPaddedTypes();
  return matchKids(A, O);
}

const DeclaredLoop *Matcher::loopOf(const Tree &A) const {
  for (const DeclaredLoop *L : Loops)
    if (A.Origin && L->Tile.Loop == A.Origin)
      return L;
  return nullptr;
}

const DeclaredLoop *Matcher::stagedBy(const Decl *D) const {
  for (const DeclaredLoop *L : Loops)
    for (const StagedBuffer &B : L->Tile.Buffers)
      if (D && (B.Var->getCanonicalDecl() == D ||
                llvm::any_of(B.Given, [&](const GivenArray &G) {
                  return G.Array->getCanonicalDecl() == D;
                })))
        return L;
  return nullptr;
}

bool Matcher::names(const Tree &O, unsigned Local) const {
  const Tree &Plain = withoutConversions(O);
  return Local && Plain.is("DeclRefExpr") && Plain.Local == Local;
}

std::string Matcher::typeText(QualType T) const {
  return typeName(T, policyOfNames(Context));
}

bool Matcher::sameType(const Tree &A, const Tree &O) const {
  // A comma's type is that of its last copy, which may have become a call.
  if (Loose || A.Type == O.Type ||
      (Half != LoadHalf::None && A.is("BinaryOperator") && A.Label == ","))
    return true;
  auto It = PaddedTypes.find(A.Type);
  return It != PaddedTypes.end() && It->second == O.Type;
}

bool Matcher::matchDecl(const Tree &A, const Tree &O) {
  if (!A.Local || !O.Local)
    return A.Local == O.Local && A.Name == O.Name;
  if (unsigned Known = Bound.ours(A.Local))
    return Known == O.Local;
  if (A.Name != O.Name || Bound.authors(O.Local) ||
      (A.Of && isa<VarDecl, BindingDecl>(A.Of)))
    return false;
  Bound.bind(A.Local, O.Local); // labels, types, members, functions
  return true;
}

bool Matcher::matchBlock(const Tree &A, const Tree &O) {
  TreeList As = flattened(A), Os = flattened(O);
  size_t J = 0;
  auto more = [&] { return J != Os.size(); };
  for (const Tree *S : As) {
    while (more() && (StageMatcher(*this).bindFirstStage(*Os[J]) ||
                      (Os[J]->is("StaticAssert") && !S->is("StaticAssert"))))
      ++J;
    const DeclaredLoop *L = S->is("Var") ? stagedBy(S->Of) : nullptr;
    if (L) {
      // The dynamic shared memory that the array became a part of.
      while (more() && Os[J]->is("Var") && Os[J]->Name != S->Name &&
             llvm::StringRef(Os[J]->Label).contains("extern"))
        ++J;
      if (Standings[L].Where == Standing::Inside)
        continue; // it moved out of the loop
      if (!more() || !StageMatcher(*this).bindStaged(*S, *Os[J++], *L))
        return fail(*S, {msg::meaning_declaration});
      continue;
    }
    if ((L = loopOf(*S))) {
      Standing &At = Standings[L];
      for (; more() && Os[J]->is("Var") && Os[J]->Local; ++J)
        if (Os[J]->Name == L->StageBytes && !L->StageBytes.empty())
          At.Bytes = Os[J]->Local;
        else if (Os[J]->Name == L->Stage)
          At.Stage = Os[J]->Local;
        else
          break;
      auto Spread = ContentMoves(*this, *L).before(
          *S, llvm::ArrayRef(Os).drop_front(J));
      if (!Spread)
        return fail(*S, {msg::meaning_stage,
                         L->Tile.Buffers.front().Var->getNameAsString()});
      J += *Spread;
    }
    if (!more())
      return fail(*S, {msg::meaning_statement_missing});
    if (!match(*S, *Os[J++]))
      return false;
    if (L) // `auto &xs = xs_stages[stage];` for what stands behind it
      while (more() && Os[J]->is("Var") &&
             StageMatcher(*this).bindReference(*L, *Os[J]))
        ++J;
    if (L) {
      auto Moves = ContentMoves(*this, *L).after(
          *S, llvm::ArrayRef(Os).drop_front(J));
      if (!Moves)
        return fail(*S, {msg::meaning_stage,
                         L->Tile.Buffers.front().Var->getNameAsString()});
      J += *Moves;
    }
  }
  return !more() || fail(A, {msg::meaning_statement_added});
}

bool Matcher::matchNode(const Tree &A, const Tree &O) {
  bool Same = A.Kind == O.Kind && A.Label == O.Label && sameType(A, O);
  if (Same && (A.is("Var") || A.is("ParmVar") || A.is("Binding") ||
               A.is("Decomposition"))) {
    Same = !A.Local == !O.Local && A.Name == O.Name;
    if (Same && A.Local)
      Bound.bind(A.Local, O.Local);
  } else if (Same) {
    Same = matchDecl(A, O);
  }
  if (!Same)
    return differ(A, O);
  Trail.push_back(&A);
  return true;
}

static bool saysFunction(const Tree &T) {
  const Tree &Plain = withoutConversions(T);
  return Plain.is("PredefinedExpr") ||
         (Plain.is("UnaryOperator") && Plain.Label == "__extension__" &&
          saysFunction(Plain.kid(0)));
}

bool Matcher::matchKids(const Tree &A, const Tree &O, size_t From) {
  if (A.Kids.size() != O.Kids.size())
    return differ(A, O);
  // What an assertion that fails says of its function may be a lambda's name.
  const auto *Call = dyn_cast_or_null<CallExpr>(A.Origin);
  bool Ends = Call && Call->getDirectCallee() &&
              (Call->getDirectCallee()->isNoReturn() ||
               classifyCall(Call->getDirectCallee()) == CallKind::Assertion);
  for (size_t I = From; I != A.Kids.size(); ++I)
    if (Ends && saysFunction(A.kid(I)) && saysFunction(O.kid(I)))
      Trail.push_back(A.Kids[I].get());
    else if (!match(A.kid(I), O.kid(I)))
      return false;
  return true;
}

bool Matcher::match(const Tree &A, const Tree &O) {
  if (Loose && (A.is("ImplicitCastExpr") || O.is("ImplicitCastExpr")))
    return match(withoutConversions(A), withoutConversions(O));
  if (Replaced)
    if (auto Known = Replaced(A, O))
      return *Known;
  if (loopOf(A))
    return matchLoop(A, O);
  if (auto Known = BulkMatcher(*this).matchInit(A, O))
    return *Known;
  if (auto Known = ProducerMatcher(*this).match(A, O))
    return *Known;
  if (Half != LoadHalf::None)
    if (auto Known = LoadMatcher(*this).matchHalf(A, O))
      return *Known;
  StageMatcher Stages(*this);
  for (auto Way : {&StageMatcher::matchStaged, &StageMatcher::matchView,
                   &StageMatcher::matchStride})
    if (auto Known = (Stages.*Way)(A, O))
      return *Known;
  if (!matchNode(A, O))
    return false;
  return A.is("CompoundStmt") ? matchBlock(A, O) : matchKids(A, O);
}

} // namespace kpipe
