// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load region, which is taken apart: each half keeps some of the author's
// statements, of helpers too, see Matcher.h and, for the copies, CopyMatcher.cpp.
#include "Matcher.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// A place in registers in words that do not depend on the lambda: names of the
/// author's variables become their numbers. Empty if it is none.
std::string Matcher::registerText(const Tree &O) const {
  const Tree *Root = &O;
  while (Root->is("ImplicitCastExpr") || Root->is("ArraySubscriptExpr") ||
         Root->is("MemberExpr"))
    Root = &Root->kid(0);
  if (!Root->is("DeclRefExpr") || !Root->Local || Bound.authors(Root->Local))
    return {};
  std::string Text;
  auto write = [&](auto &Self, const Tree &T) -> void {
    if (T.is("ImplicitCastExpr"))
      return Self(Self, T.kid(0));
    unsigned Author = T.Local ? Bound.authors(T.Local) : 0;
    Text += T.Kind + ":" + T.Label + ":" +
            (Author ? "#" + std::to_string(Author) : T.Name) + "(";
    for (const std::unique_ptr<Tree> &Kid : T.Kids)
      Self(Self, *Kid);
    Text += ")";
  };
  write(write, O);
  return Text;
}

bool Matcher::matchSome(llvm::ArrayRef<const Tree *> As,
                        llvm::ArrayRef<const Tree *> Os, const Tree &In) {
  size_t J = 0;
  for (const Tree *S : As)
    if (J != Os.size() && attempt([&] { return match(*S, *Os[J]); }))
      ++J;
  if (J == Os.size())
    return true;
  if (!Difference.Where)
    fail(In, {msg::meaning_statement_added});
  return false;
}

std::optional<bool> Matcher::matchHalf(const Tree &A, const Tree &O) {
  if (auto Known = matchCopy(A, O))
    return *Known;
  if (A.is("CompoundStmt") && O.is("CompoundStmt")) {
    Trail.push_back(&A);
    return matchSome(flattened(A), flattened(O), A);
  }
  if (A.is("ForStmt") && O.is("ForStmt")) {
    if (attempt([&] { return matchNode(A, O) && matchKids(A, O); }))
      return true;
    return matchCounted(A, O);
  }
  if (!A.is("IfStmt") || !O.is("IfStmt"))
    return std::nullopt;
  const auto *If = cast<IfStmt>(A.Origin);
  size_t Then = If->hasInitStorage() + If->hasVarStorage() + 1;
  if (O.Kids.size() <= Then || O.Kids.size() > A.Kids.size())
    return differ(A, O);
  if (!matchNode(A, O))
    return false;
  for (size_t I = 0; I != Then; ++I)
    if (!match(A.kid(I), O.kid(I)))
      return false;
  // A branch with nothing to do in this half is empty or not there.
  bool Empty = O.kid(Then).is("CompoundStmt") && O.kid(Then).Kids.empty();
  if (!attempt([&] { return match(A.kid(Then), O.kid(Then)); }) && !Empty)
    return false;
  return O.Kids.size() == Then + 1 || match(A.kid(Then + 1), O.kid(Then + 1));
}

/// A copy loop that got a counter: the author's condition is asked in its body,
/// or nowhere where each part is there in any case.
bool Matcher::matchCounted(const Tree &A, const Tree &O) {
  const Tree &AInit = A.kid(0), &OInit = O.kid(0);
  if (!AInit.is("DeclStmt") || !OInit.is("DeclStmt") ||
      OInit.Kids.size() != AInit.Kids.size() + 1)
    return differ(A, O);
  Trail.push_back(&A);
  for (size_t I = 0; I != AInit.Kids.size(); ++I)
    if (!match(AInit.kid(I), OInit.kid(I)))
      return false;
  const Tree &Part = *OInit.Kids.back();
  const Tree &Cond = O.kid(2), &Inc = O.kid(3), &Body = O.kid(4);
  auto ofPart = [&](const Tree &T) {
    return T.is("BinaryOperator") && T.Label == "<" &&
           names(T.kid(0), Part.Local);
  };
  bool Counts = Part.Kids.size() == 1 && Part.kid(0).Label == "0" &&
                ofPart(Cond) && Inc.is("BinaryOperator") && Inc.Label == "," &&
                Inc.kid(1).is("UnaryOperator") && Inc.kid(1).Label == "++" &&
                names(Inc.kid(1).kid(0), Part.Local);
  if (!Counts)
    return fail(A, {msg::meaning_counted});
  if (!match(A.kid(3), Inc.kid(0)))
    return false;
  auto guarded = [&] {
    if (!Body.is("IfStmt") || Body.Kids.size() != 2)
      return false;
    const Tree &Asked = Body.kid(0);
    bool Or = Asked.is("BinaryOperator") && Asked.Label == "||" &&
              ofPart(Asked.kid(0));
    return match(A.kid(2), Or ? Asked.kid(1) : Asked) &&
           match(A.kid(4), Body.kid(1));
  };
  return attempt(guarded) || match(A.kid(4), Body);
}

/// A call of a helper is one of its clone: the same arguments, and a tile to
/// keep registers in; and its body is a half of the helper's.
bool Matcher::matchHelper(const DeclaredLoop::Clone &C, const Tree &A,
                          const Tree &O) {
  const std::string &Name = Half == LoadHalf::Ahead ? C.Ahead : C.Store;
  const FunctionDecl *F = C.Call->getDirectCallee();
  if (!O.is("CallExpr") || !A.is("CallExpr") || !F ||
      O.Kids.size() < A.Kids.size() || O.Kids.size() > A.Kids.size() + 1)
    return differ(A, O);
  // The same function and template arguments but for the name.
  llvm::StringRef Key = withoutConversions(A.kid(0)).Name;
  llvm::StringRef OurKey = withoutConversions(O.kid(0)).Name;
  std::string Wanted = Key.split(" : ").first.str(), Old = F->getNameAsString();
  size_t Angle = Wanted.find('<');
  size_t At = Wanted.rfind(Old, Angle);
  if (At == std::string::npos)
    return differ(A, O);
  Wanted.replace(At, Old.size(), Name);
  const Tree *Clone = Result.lookup(OurKey);
  if (OurKey.split(" : ").first != Wanted || !Clone)
    return fail(A, {msg::meaning_function, Old});
  Trail.push_back(&A);
  std::vector<std::pair<size_t, size_t>> Parts;
  for (size_t I = 1; I != A.Kids.size(); ++I) {
    size_t From = Trail.size();
    if (!match(A.kid(I), O.kid(I)))
      return false;
    Parts.push_back({From, Trail.size()});
  }
  if (O.Kids.size() != A.Kids.size() && registerText(O.Kids.back() ? *O.Kids.back() : O).empty())
    return fail(A, {msg::meaning_not_to_register});

  std::shared_ptr<Tree> Helper = Counted->Helpers[C.Call];
  if (!Helper)
    Counted->Helpers[C.Call] = Helper = treeOf(F, Context);
  Matcher Sub(Context, Result, {});
  Sub.Loop = Loop;
  Sub.Half = Half;
  Sub.Within = C.Call;
  Sub.Counted = Counted;
  size_t Parameters = Helper->Kids.size() - 1;
  if (Clone->Kids.size() - 1 < Parameters)
    return differ(A, *Clone);
  for (size_t I = 0; I != Parameters; ++I) {
    const Tree &Mine = Helper->kid(I), &Other = Clone->kid(I);
    if (Mine.Type != Other.Type || Mine.Name != Other.Name)
      return fail(A, {msg::meaning_helper_parameter, Old});
    Sub.Bound.bind(Mine.Local, Other.Local);
  }
  bool Same = Sub.matchSome(flattened(*Helper->Kids.back()),
                            flattened(*Clone->Kids.back()), *Helper);
  if (!Same) {
    if (!Difference.Where || Trail.size() >= Difference.Reached) {
      auto Reached = Trail.size();
      Difference.Reached = Reached;
      Difference.Where = Sub.Difference.Where ? Sub.Difference.Where : &A;
      Difference.Why = Sub.Difference.Why;
      Difference.In = Loop;
    }
    return false;
  }
  for (size_t I = 0; I != Parts.size() && I != Parameters; ++I)
    if (llvm::none_of(Sub.Trail, [&](const Tree *T) {
          return T->is("DeclRefExpr") && T->Local == Helper->kid(I).Local;
        }))
      for (size_t J = Parts[I].first; J != Parts[I].second; ++J)
        Counted->Idle[int(Half)].insert(Trail[J]);
  llvm::append_range(Trail, Sub.Trail);
  return true;
}

} // namespace kpipe
