// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of the skeleton, each the author's for this tile or for one that
// comes, or a stage or slot, see Skeleton.h.
#include "Skeleton.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

const Tree *findIn(const Tree &In, const Stmt *Origin) {
  if (In.Origin == Origin)
    return &In;
  for (const std::unique_ptr<Tree> &Kid : In.Kids)
    if (const Tree *Found = findIn(*Kid, Origin))
      return Found;
  return nullptr;
}

/// `k0 += BK`: the operator, without its `=`.
llvm::StringRef compound(const Tree &T) {
  return T.is("CompoundAssignOperator") ? llvm::StringRef(T.Label).drop_back()
                                        : llvm::StringRef();
}

/// Of kpipe's text too, whose nodes have no origin.
const Tree &withoutCastNodes(const Tree &T) {
  const Tree *At = &T;
  while (At->is("ImplicitCastExpr") || At->is("CXXStaticCastExpr"))
    At = At->Kids[0].get();
  return *At;
}

/// The operands of `a && b && c`.
void chain(const Tree &T, llvm::StringRef Op,
           llvm::SmallVectorImpl<const Tree *> &Out) {
  if (!isBinary(T, Op))
    return Out.push_back(&T);
  chain(T.kid(0), Op, Out);
  chain(T.kid(1), Op, Out);
}

void commas(const Tree &T, llvm::SmallVectorImpl<const Tree *> &Out) {
  if (!isBinary(T, ","))
    return Out.push_back(&T);
  commas(T.kid(0), Out);
  commas(T.kid(1), Out);
}

} // namespace

const Tree *SkeletonMatcher::find(const Stmt *Origin) const {
  return Origin ? findIn(Author, originOf(Origin)) : nullptr;
}

unsigned SkeletonMatcher::headerNumber(const VarDecl *V) const {
  return M.Numbers.lookup(V->getCanonicalDecl());
}

/// `t + 1` for `++t`, `k0 + BK` for `k0 += BK`.
bool SkeletonMatcher::isNext(const Tree &O, unsigned Header) {
  const Tree &Next = withoutCastNodes(O);
  if (llvm::count_if(M.Loop->Tile.HeaderVars, [&](const HeaderVar &V) {
        return headerNumber(V.Var) == Header;
      }) != 1)
    return false; // one update is not all that happens to it
  for (const HeaderVar &V : M.Loop->Tile.HeaderVars) {
    const Tree *Update = find(V.Update);
    if (headerNumber(V.Var) != Header || !Update)
      continue;
    unsigned Mine = M.Bound.ours(Header);
    bool Loose = std::exchange(M.Loose, true);
    auto Replaced = std::exchange(M.Replaced, nullptr);
    bool Same = false;
    llvm::StringRef Op = compound(*Update);
    auto ofVariable = [&](const Tree &T) {
      return withoutCastNodes(T).is("DeclRefExpr") &&
             withoutCastNodes(T).Local == Mine;
    };
    if (Update->is("UnaryOperator"))
      Same = isBinary(Next, Update->Label.substr(0, 1)) &&
             ofVariable(Next.kid(0)) &&
             withoutCastNodes(Next.kid(1)).Label == "1";
    else if (!Op.empty())
      Same = isBinary(Next, Op) && ofVariable(Next.kid(0)) &&
             M.match(Update->kid(1), Next.kid(1));
    else if (isBinary(*Update, "="))
      Same = M.attempt([&] { return M.match(Update->kid(1), Next); }) ||
             M.match(Update->kid(1), O);
    M.Loose = Loose;
    M.Replaced = std::move(Replaced);
    return Same;
  }
  return false;
}

const Tree *SkeletonMatcher::stepInCondition() const {
  const Tree *Cond = find(M.Loop->Tile.Cond);
  for (const HeaderVar &V : M.Loop->Tile.HeaderVars)
    if (const Tree *Step = Cond ? findIn(*Cond, originOf(V.Update)) : nullptr)
      return Step;
  return nullptr;
}

/// In front of the condition the author's variable still has the value of the
/// tile before; kpipe's has stepped already. So `--n` asks for `n`, and `n--`
/// for `n + 1`; and for the tile that comes, for `n - 1` and `n`.
bool SkeletonMatcher::isAskedBy(const Tree &Step, const Tree &O, Values Which) {
  const unsigned Header = Step.kid(0).Local;
  const bool Post = llvm::StringRef(Step.Label).ends_with(" post");
  const Tree &Plain = withoutConversions(O);
  auto names = [&](const Tree &T) {
    unsigned Mine = M.Bound.ours(Header);
    return M.names(T, Mine);
  };
  if (!Post)
    return Which == Values::Next ? isNext(O, Header) : names(O);
  if (Which == Values::Next)
    return names(O);
  return isBinary(Plain, Step.Label[0] == '-' ? "+" : "-") &&
         Plain.Type == Step.Type && names(Plain.kid(0)) &&
         withoutConversions(Plain.kid(1)).Label == "1";
}

/// The author's expression with the header's variables as they are, as they
/// will be for the next tile, or as they run ahead.
bool SkeletonMatcher::tryAs(const Tree &A, const Tree &O, Values Which) {
  const Tree *Cond = find(M.Loop->Tile.Cond);
  const Tree *Step =
      Cond && A.Origin && findIn(*Cond, A.Origin) ? stepInCondition() : nullptr;
  // The step itself, as a statement, is what it is.
  if (Step == &A && O.is("UnaryOperator"))
    Step = nullptr;
  auto asked = [&](const Tree &A, const Tree &O) -> std::optional<bool> {
    if (&A == Step)
      return isAskedBy(A, O, Which);
    return std::nullopt;
  };
  return M.attempt([&] {
    if (Which == Values::Ahead && Cursors.empty())
      return false;
    if (Which != Values::Next) {
      OneToOne Names = M.Bound;
      if (Which == Values::Ahead)
        for (auto [Header, Cursor] : Cursors)
          M.Bound.bind(Header, Cursor);
      if (Step)
        M.Replaced = asked;
      bool Same = M.match(A, O);
      M.Replaced = nullptr;
      if (Which == Values::Ahead)
        M.Bound = std::move(Names);
      return Same;
    }
    M.Loose = true;
    M.Replaced = [&](const Tree &A, const Tree &O) -> std::optional<bool> {
      if (auto Known = asked(A, O))
        return Known;
      const Tree &Name = withoutConversions(A);
      for (const HeaderVar &V : M.Loop->Tile.HeaderVars)
        if (Name.is("DeclRefExpr") && Name.Local &&
            Name.Local == headerNumber(V.Var))
          return isNext(O, Name.Local);
      return std::nullopt;
    };
    bool Same = M.match(A, O);
    M.Replaced = nullptr;
    M.Loose = false;
    return Same;
  });
}

bool SkeletonMatcher::isSlot(const Tree &O) const { return M.names(O, Slot); }

/// `stage`, `0`, `stage ^ 1`, `kpipe::next_stage<3>(stage)`.
bool SkeletonMatcher::isStage(const Tree &O) const {
  const Tree &T = withoutConversions(O);
  unsigned Stage = M.Standings[M.Loop].Stage;
  if (M.names(T, Stage) || isSlot(T))
    return true;
  unsigned Number = 0;
  if (T.is("IntegerLiteral"))
    return !llvm::StringRef(T.Label).getAsInteger(10, Number) &&
           Number < std::max(M.Loop->Stages, 1u);
  if (isBinary(T, "^"))
    return M.names(T.kid(0), Stage) &&
           withoutConversions(T.kid(1)).Label == "1" && M.Loop->Stages == 2;
  std::string Of = "<" + std::to_string(M.Loop->Stages) + "> ";
  if (!(callsRuntime(T, "next_stage") || callsRuntime(T, "previous_stage")) ||
      T.Kids.size() != 2 ||
      withoutConversions(T.kid(0)).Name.find(Of) == std::string::npos)
    return false;
  // Two stages back, where wgmma read the one before.
  return M.names(T.kid(1), Stage) ||
         (M.Loop->Tile.matrixInFlight(M.Loop->Stages) &&
          callsRuntime(T, "previous_stage") &&
          callsRuntime(withoutConversions(T.kid(1)), "previous_stage") &&
          isStage(T.kid(1)));
}

/// The stage variable goes on.
bool SkeletonMatcher::isTurn(const Tree &O) const {
  unsigned Stage = M.Standings[M.Loop].Stage;
  if (compound(O) == "^")
    return M.names(O.kid(0), Stage) &&
           withoutConversions(O.kid(1)).Label == "1" && M.Loop->Stages == 2;
  return isBinary(O, "=") && M.names(O.kid(0), Stage) && isStage(O.kid(1));
}

/// The value of a header variable for some tile.
bool SkeletonMatcher::isValue(const Tree &O, unsigned Header) {
  auto Cursor = Cursors.find(Header);
  return M.names(O, M.Bound.ours(Header)) ||
         (Cursor != Cursors.end() && M.names(O, Cursor->second)) ||
         M.attempt([&] { return isNext(O, Header); });
}

/// A call of `has_tile` or `next_tile` with all variables of the header.
bool SkeletonMatcher::functionOfHeader(const Tree &O, const std::string &Name) {
  const Tree &Call = withoutConversions(O);
  if (Name.empty() || !Call.is("CXXOperatorCallExpr") ||
      Call.Kids.size() != 2 + M.Loop->Tile.HeaderVars.size() ||
      withoutConversions(Call.kid(1)).Name != Name)
    return false;
  size_t I = 2;
  for (const HeaderVar &V : M.Loop->Tile.HeaderVars)
    if (!isValue(Call.kid(I++), headerNumber(V.Var)))
      return false;
  return true;
}

bool SkeletonMatcher::condition(const Tree &O) {
  const Tree *Cond = find(M.Loop->Tile.Cond);
  if (!Cond)
    return M.fail(Author, {msg::meaning_condition_missing});
  const Tree &T = withoutConversions(O);
  if (M.names(T, More)) {
    Asked = AskedByMore;
    return true;
  }
  if (functionOfHeader(O, M.Loop->HasTile)) {
    Asked = Values::This;
    size_t I = 2;
    for (const HeaderVar &V : M.Loop->Tile.HeaderVars) {
      const Tree &Given = T.kid(I++);
      auto Cursor = Cursors.find(headerNumber(V.Var));
      if (!M.names(Given, M.Bound.ours(headerNumber(V.Var))))
        Asked = Cursor != Cursors.end() && M.names(Given, Cursor->second)
                    ? Values::Ahead
                    : Values::Next;
    }
    return true;
  }
  // What no variable of the header is in holds for any tile.
  for (Values Which : {Values::Next, Values::Ahead, Values::This})
    if (tryAs(*Cond, O, Which) ||
        tryAs(withoutConversions(*Cond), withoutConversions(O), Which)) {
      Asked = Which;
      return true;
    }
  if (T.is("UnaryOperator") && T.Label == "!")
    return condition(T.kid(0));
  // `slot < 3 && …` and `slot == 0 || …`, which join the author's own chain.
  for (llvm::StringRef Op : {"&&", "||"}) {
    llvm::SmallVector<const Tree *, 4> Ours, Theirs;
    chain(T, Op, Ours);
    const Tree &First = withoutConversions(*Ours.front());
    if (Ours.size() < 2 || !isBinary(First, Op == "&&" ? "<" : "==") ||
        !isSlot(First.kid(0)))
      continue;
    if (Ours.size() == 2)
      return condition(*Ours.back());
    chain(withoutConversions(*Cond), Op, Theirs);
    for (Values Which : {Values::Next, Values::Ahead, Values::This}) {
      bool Same = Theirs.size() + 1 == Ours.size();
      for (size_t I = 0; Same && I != Theirs.size(); ++I)
        Same = tryAs(*Theirs[I], *Ours[I + 1], Which);
      if (Same) {
        Asked = Which;
        return true;
      }
    }
  }
  if (isBinary(T, "<") && isSlot(T.kid(0)))
    return true;
  return M.fail(*Cond, {msg::meaning_condition});
}

/// Is what is asked for the next tile the same for this one?
bool SkeletonMatcher::asksForThis(const Tree &O) {
  const Tree *Cond = find(M.Loop->Tile.Cond);
  return Cond && (tryAs(*Cond, O, Values::This) ||
                  tryAs(withoutConversions(*Cond), withoutConversions(O),
                        Values::This));
}

bool SkeletonMatcher::step(const Tree &O) {
  llvm::ArrayRef<HeaderVar> Vars = M.Loop->Tile.HeaderVars;
  if (O.is("-"))
    return Vars.empty() || M.fail(Author, {msg::meaning_step_missing});
  llvm::SmallVector<const Tree *, 4> Parts;
  commas(O, Parts);
  size_t Stepped = 0;
  for (const Tree *Part : Parts) {
    if (isTurn(*Part) || functionOfHeader(*Part, M.Loop->NextTile))
      continue;
    if (Part->is("UnaryOperator") && Part->Label == "++" &&
        isSlot(Part->kid(0)))
      continue;
    const Tree *Update =
        Stepped < Vars.size() ? find(Vars[Stepped].Update) : nullptr;
    if (Update && tryAs(*Update, *Part, Values::This)) {
      ++Stepped;
      continue;
    }
    if (llvm::none_of(Vars, [&](const HeaderVar &V) {
          const Tree *Update = find(V.Update);
          return Update && tryAs(*Update, *Part, Values::Ahead);
        }))
      return M.fail(Author, {msg::meaning_step});
  }
  return Stepped == 0 || Stepped == Vars.size() ||
         M.fail(Author, {msg::meaning_step_missing});
}

} // namespace kpipe
