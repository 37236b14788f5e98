// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load region, which is taken apart: each half keeps some of the author's
// statements, of helpers too, see LoadMatcher.h.
#include "LoadMatcher.h"
#include "CopyMatcher.h"
#include "CountedSpans.h"
#include "CutLoops.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool LoadMatcher::matchSome(llvm::ArrayRef<const Tree *> As,
                            llvm::ArrayRef<const Tree *> Os, const Tree &In) {
  size_t J = 0;
  for (const Tree *S : As)
    if (J != Os.size() && M.attempt([&] { return M.match(*S, *Os[J]); }))
      ++J;
  if (J == Os.size())
    return true;
  if (!M.Difference.Where)
    M.fail(In, {msg::meaning_statement_added});
  return false;
}

std::optional<bool> LoadMatcher::matchHalf(const Tree &A, const Tree &O) {
  // Braces around one statement change nothing where it declares nothing.
  if (!A.is("CompoundStmt") && O.is("CompoundStmt") && O.Kids.size() == 1 &&
      !O.kid(0).is("DeclStmt"))
    return M.match(A, O.kid(0));
  if (auto Known = CopyMatcher(M).matchCopy(A, O))
    return *Known;
  if (A.is("CompoundStmt") && O.is("CompoundStmt")) {
    M.Trail.push_back(&A);
    return matchSome(flattened(A), flattened(O), A);
  }
  // Of several variables those that this half does without have no name in it.
  if (A.is("DeclStmt") && O.is("DeclStmt") && !O.Kids.empty() &&
      O.Kids.size() < A.Kids.size()) {
    M.Trail.push_back(&A);
    llvm::SmallVector<const Tree *, 4> As, Os;
    for (const auto &Kid : A.Kids)
      As.push_back(Kid.get());
    for (const auto &Kid : O.Kids)
      Os.push_back(Kid.get());
    return matchSome(As, Os, A);
  }
  if (A.is("ForStmt") && O.is("ForStmt")) {
    if (!endsAsCounted(A))
      return M.fail(A, {msg::meaning_counted});
    if (M.attempt([&] { return M.matchNode(A, O) && M.matchKids(A, O); }))
      return true;
    return matchCounted(A, O);
  }
  if (!A.is("IfStmt") || !O.is("IfStmt"))
    return std::nullopt;
  const auto *If = cast<IfStmt>(A.Origin);
  size_t Then = If->hasInitStorage() + If->hasVarStorage() + 1;
  if (O.Kids.size() <= Then || O.Kids.size() > A.Kids.size())
    return M.differ(A, O);
  if (!M.matchNode(A, O))
    return false;
  for (size_t I = 0; I != Then; ++I)
    if (!M.match(A.kid(I), O.kid(I)))
      return false;
  // A branch with nothing to do in this half is empty or not there.
  bool Empty = O.kid(Then).is("CompoundStmt") && O.kid(Then).Kids.empty();
  if (!M.attempt([&] { return M.match(A.kid(Then), O.kid(Then)); }) && !Empty)
    return false;
  return O.Kids.size() == Then + 1 || M.match(A.kid(Then + 1), O.kid(Then + 1));
}

/// `0`, `0u` or `decltype(i){0}`.
static bool isZero(const Tree &T) {
  const Tree &Plain = withoutConversions(T);
  return Plain.is("IntegerLiteral")
             ? Plain.Label == "0"
             : (Plain.is("CXXFunctionalCastExpr") ||
                Plain.is("InitListExpr")) &&
                   Plain.Kids.size() == 1 && isZero(Plain.kid(0));
}

/// Where values wait in registers, does the loop make no more turns than were
/// counted by how far its end is from its beginning?
bool LoadMatcher::endsAsCounted(const Tree &For) {
  const TileLoop &Tile = M.Loop->Tile;
  for (size_t I = 0; I != Tile.Copies.size(); ++I)
    for (const CopyLoop &L : Tile.Copies[I].Loops)
      if (L.For == For.Origin && L.SharesStart &&
          Tile.Copies[I].HelperCall == M.Within &&
          !(I < M.Loop->Async.size() && M.Loop->Async[I]) &&
          !endsInTime(L, Tile, M.Context))
        return false;
  return true;
}

/// A copy loop that got a counter: the author's condition is asked in its body,
/// or nowhere where each part is there in any case.
bool LoadMatcher::matchCounted(const Tree &A, const Tree &O) {
  const Tree &AInit = A.kid(0), &OInit = O.kid(0);
  if (!AInit.is("DeclStmt") || !OInit.is("DeclStmt") ||
      OInit.Kids.size() != AInit.Kids.size() + 1)
    return M.differ(A, O);
  M.Trail.push_back(&A);
  for (size_t I = 0; I != AInit.Kids.size(); ++I)
    if (!M.match(AInit.kid(I), OInit.kid(I)))
      return false;
  const Tree &Part = *OInit.Kids.back();
  const Tree &Cond = O.kid(2), &Inc = O.kid(3), &Body = O.kid(4);
  auto ofPart = [&](const Tree &T) {
    return T.is("BinaryOperator") && T.Label == "<" &&
           M.names(T.kid(0), Part.Local);
  };
  bool Counts = Part.Kids.size() == 1 && isZero(Part.kid(0)) && ofPart(Cond) &&
                Inc.is("BinaryOperator") && Inc.Label == "," &&
                Inc.kid(1).is("UnaryOperator") && Inc.kid(1).Label == "++" &&
                M.names(Inc.kid(1).kid(0), Part.Local);
  if (!Counts)
    return M.fail(A, {msg::meaning_counted});
  for (const TileCopy &C : M.Loop->Tile.Copies)
    for (const CopyLoop &L : C.Loops)
      if (L.For == A.Origin && L.Limit && C.HelperCall == M.Within &&
          !mayBeCut(L, A, M.Loop->Tile, M.Within, M.Context))
        return M.fail(A, {msg::meaning_counted});
  if (!M.match(A.kid(3), Inc.kid(0)))
    return false;
  auto guarded = [&] {
    if (!Body.is("IfStmt") || Body.Kids.size() != 2)
      return false;
    const Tree &Asked = Body.kid(0);
    bool Or = Asked.is("BinaryOperator") && Asked.Label == "||" &&
              ofPart(Asked.kid(0));
    return M.match(A.kid(2), Or ? Asked.kid(1) : Asked) &&
           M.match(A.kid(4), Body.kid(1));
  };
  return M.attempt(guarded) || M.match(A.kid(4), Body);
}

static size_t parametersWithoutDefault(const FunctionDecl *F) {
  const FunctionDecl *Definition = nullptr;
  F->hasBody(Definition);
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    Definition = Pattern;
  size_t Count = 0;
  for (const ParmVarDecl *P : (Definition ? Definition : F)->parameters()) {
    if (P->hasDefaultArg() && !P->hasInheritedDefaultArg())
      break;
    ++Count;
  }
  return Count;
}

/// What makes a copy of the tile, as of an argument by value, is no place.
bool LoadMatcher::noteTile(const DeclaredLoop::Clone &C, const Tree &O,
                           size_t At) {
  std::string Tile = At < O.Kids.size()
                         ? CopyMatcher(M).registerText(O.kid(At))
                         : std::string();
  if (Tile.empty())
    return false;
  Account::HelperTile &Known = M.Counted->Tiles[C.Call];
  Known.Where = &O.kid(At);
  (M.Half == LoadHalf::Ahead ? Known.Fetched : Known.Stored) = std::move(Tile);
  return true;
}

/// What tells a function from others, with another name in the place of its
/// own; empty where that is not there. Arguments of templates are left out.
static std::string withName(llvm::StringRef Key, llvm::StringRef Name,
                            llvm::StringRef Other) {
  size_t Found = llvm::StringRef::npos;
  unsigned Depth = 0;
  for (size_t I = 0; I < Key.size(); ++I) {
    if (!Depth && I && (Key[I - 1] == ' ' || Key[I - 1] == ':') &&
        Key.substr(I).starts_with(Name))
      I = (Found = I) + Name.size();
    if (I < Key.size())
      Depth += Key[I] == '<' ? 1 : Key[I] == '>' && Depth ? -1 : 0;
  }
  if (Found == llvm::StringRef::npos)
    return {};
  return (Key.take_front(Found) + Other + Key.substr(Found + Name.size()))
      .str();
}

/// What a call calls, on what, and where its arguments begin.
struct CalledTree {
  const Tree *Function = nullptr, *Object = nullptr;
  size_t First = 1;
  size_t arguments(const Tree &Call) const { return Call.Kids.size() - First; }
};
static CalledTree calledBy(const Tree &T) {
  CalledTree Of;
  if (T.is("CXXOperatorCallExpr") && T.Kids.size() > 1) {
    Of = {&withoutConversions(T.kid(0)), &T.kid(1), 2};
  } else if (T.is("CallExpr") || T.is("CXXMemberCallExpr")) {
    Of.Function = &withoutConversions(T.kid(0));
    if (Of.Function->is("MemberExpr"))
      Of.Object = &Of.Function->kid(0);
  }
  return Of;
}

/// The numbers of the author's arguments that a clone is given too.
template <typename Numbers>
static std::vector<size_t> keptArguments(size_t Arguments,
                                         const Numbers &Without) {
  std::vector<size_t> Kept;
  for (size_t I = 0; I != Arguments; ++I)
    if (!llvm::is_contained(Without, I))
      Kept.push_back(I);
  return Kept;
}

/// What the bodies of a helper and its clone differ in, as the call's own.
bool LoadMatcher::differsInside(const Tree &Call, const Matcher &Sub) {
  if (!M.Difference.Where || M.Trail.size() >= M.Difference.Reached) {
    M.Difference.Reached = M.Trail.size();
    M.Difference.Where = Sub.Difference.Where ? Sub.Difference.Where : &Call;
    M.Difference.Why = Sub.Difference.Why;
    M.Difference.In = M.Loop;
  }
  return false;
}

/// A call of a helper is one of its clone: the same arguments, but for those
/// that it is said to do without, and a tile to keep registers in; and its body
/// is a half of the helper's, in which the parameters that are gone have no
/// name. What an argument that is gone did besides is missed in the account.
bool LoadMatcher::matchHelper(const DeclaredLoop::Clone &C, const Tree &A,
                              const Tree &O) {
  const std::string &Name = M.Half == LoadHalf::Ahead ? C.Ahead : C.Store;
  const FunctionDecl *F = C.Call->getDirectCallee();
  const CalledTree Mine = calledBy(A), Ours = calledBy(O);
  if (!F || !Mine.Function || !Ours.Function || O.is("CXXOperatorCallExpr") ||
      !Mine.Object != !Ours.Object)
    return M.differ(A, O);
  const std::vector<size_t> Kept = keptArguments(
      Mine.arguments(A),
      M.Half == LoadHalf::Ahead ? C.AheadWithout : C.StoreWithout);
  if (Ours.arguments(O) < Kept.size() || Ours.arguments(O) > Kept.size() + 1)
    return M.differ(A, O);
  // The same function and template arguments but for the name.
  llvm::StringRef Key = Mine.Function->Name, OurKey = Ours.Function->Name;
  const std::string Old = F->getNameAsString();
  const std::string Wanted = withName(Key.split(" : ").first, Old, Name);
  const Tree *Clone = M.Result.lookup(OurKey);
  if (OurKey.split(" : ").first != Wanted || !Clone)
    return M.fail(A, {msg::meaning_function, Old});
  M.Trail.push_back(&A);
  // Of an object by its place, or of what a pointer points to.
  if (Mine.Object &&
      ((A.is("CXXOperatorCallExpr") ? "." : Mine.Function->Label) !=
           Ours.Function->Label ||
       !M.match(*Mine.Object, *Ours.Object)))
    return M.fail(A, {msg::meaning_function, Old});
  // The tile stands in front of what has a default.
  const bool HasTile = Ours.arguments(O) != Kept.size();
  const size_t TileAt =
      llvm::lower_bound(Kept, parametersWithoutDefault(F)) - Kept.begin();
  auto ours = [&](size_t I) { return I + (HasTile && I >= TileAt); };
  std::vector<std::pair<size_t, size_t>> Parts;
  for (size_t I = 0; I != Kept.size(); ++I) {
    size_t From = M.Trail.size();
    if (!M.match(A.kid(Kept[I] + Mine.First), O.kid(ours(I) + Ours.First)))
      return false;
    Parts.push_back({From, M.Trail.size()});
  }
  if (HasTile && !noteTile(C, O, TileAt + Ours.First))
    return M.fail(A, {msg::meaning_not_to_register});

  std::shared_ptr<Tree> Helper = M.Counted->Helpers[C.Call];
  if (!Helper)
    M.Counted->Helpers[C.Call] = Helper = treeOf(F, M.Context);
  Matcher Sub(M.Context, M.Result, {});
  Sub.Loop = M.Loop;
  Sub.Function = Helper.get();
  Sub.Half = M.Half;
  Sub.Within = C.Call;
  Sub.Counted = M.Counted;
  // A function that takes more than it names gives the rest to nobody.
  const size_t Parameters =
      llvm::lower_bound(Kept, Helper->Kids.size() - 1) - Kept.begin();
  if (Clone->Kids.size() - 1 < Parameters + HasTile)
    return M.differ(A, *Clone);
  for (size_t I = 0; I != Parameters; ++I) {
    const Tree &Its = Helper->kid(Kept[I]), &Other = Clone->kid(ours(I));
    if (Its.Type != Other.Type || Its.Name != Other.Name)
      return M.fail(A, {msg::meaning_helper_parameter, Old});
    Sub.Bound.bind(Its.Local, Other.Local);
  }
  bool Same = LoadMatcher(Sub).matchSome(
      flattened(*Helper->Kids.back()), flattened(*Clone->Kids.back()), *Helper);
  if (!Same)
    return differsInside(A, Sub);
  for (size_t I = 0; I != Parts.size() && I != Parameters; ++I)
    if (llvm::none_of(Sub.Trail, [&](const Tree *T) {
          return T->is("DeclRefExpr") && T->Local == Helper->kid(Kept[I]).Local;
        }))
      for (size_t J = Parts[I].first; J != Parts[I].second; ++J)
        M.Counted->Idle[int(M.Half)].insert(M.Trail[J]);
  llvm::append_range(M.Trail, Sub.Trail);
  return true;
}

} // namespace kpipe
