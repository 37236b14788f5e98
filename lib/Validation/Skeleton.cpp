// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skeletons, see Skeleton.h. The order of the calls is the schedule's, which
// has a validator of its own.
#include "Skeleton.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <tuple>

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

const Stmt *plain(const Stmt *S) {
  for (;;) {
    if (const auto *P = dyn_cast_or_null<ParenExpr>(S))
      S = P->getSubExpr();
    else if (const auto *F = dyn_cast_or_null<FullExpr>(S))
      S = F->getSubExpr();
    else
      return S;
  }
}

bool isBinary(const Tree &T, llvm::StringRef Op) {
  return T.is("BinaryOperator") && T.Label == Op;
}

/// `k0 += BK`: the operator, without its `=`.
llvm::StringRef compound(const Tree &T) {
  return T.is("CompoundAssignOperator") ? llvm::StringRef(T.Label).drop_back()
                                        : llvm::StringRef();
}

const Tree &withoutCasts(const Tree &T) {
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
  return Origin ? findIn(Author, plain(Origin)) : nullptr;
}

unsigned SkeletonMatcher::headerNumber(const VarDecl *V) const {
  return M.Numbers.lookup(V->getCanonicalDecl());
}

/// `t + 1` for `++t`, `k0 + BK` for `k0 += BK`.
bool SkeletonMatcher::isNext(const Tree &O, unsigned Header) {
  const Tree &Next = withoutCasts(O);
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
      return withoutCasts(T).is("DeclRefExpr") && withoutCasts(T).Local == Mine;
    };
    if (Update->is("UnaryOperator"))
      Same = isBinary(Next, Update->Label.substr(0, 1)) &&
             ofVariable(Next.kid(0)) && withoutCasts(Next.kid(1)).Label == "1";
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

/// The author's expression with the header's variables as they are, as they
/// will be for the next tile, or as they run ahead.
bool SkeletonMatcher::tryAs(const Tree &A, const Tree &O, Values Which) {
  return M.attempt([&] {
    if (Which == Values::This)
      return M.match(A, O);
    if (Which == Values::Ahead) {
      if (Cursors.empty())
        return false;
      OneToOne Names = M.Bound;
      for (auto [Header, Cursor] : Cursors)
        M.Bound.bind(Header, Cursor);
      bool Same = M.match(A, O);
      M.Bound = std::move(Names);
      return Same;
    }
    M.Loose = true;
    M.Replaced = [this](const Tree &A,
                        const Tree &O) -> std::optional<bool> {
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

bool SkeletonMatcher::isSlot(const Tree &O) const {
  return M.names(O, Slot);
}

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
  return (callsRuntime(T, "next_stage") || callsRuntime(T, "previous_stage")) &&
         T.Kids.size() == 2 && M.names(T.kid(1), Stage) &&
         withoutConversions(T.kid(0)).Name.find(Of) != std::string::npos;
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
    for (const HeaderVar &V : M.Loop->Tile.HeaderVars)
      if (!M.names(T.kid(I++), M.Bound.ours(headerNumber(V.Var))))
        Asked = Values::Next;
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

bool SkeletonMatcher::step(const Tree &O) {
  if (O.is("-"))
    return true;
  llvm::SmallVector<const Tree *, 4> Parts;
  commas(O, Parts);
  llvm::ArrayRef<HeaderVar> Vars = M.Loop->Tile.HeaderVars;
  size_t Stepped = 0;
  for (const Tree *Part : Parts) {
    if (isTurn(*Part) || functionOfHeader(*Part, M.Loop->NextTile))
      continue;
    if (Part->is("UnaryOperator") && Part->Label == "++" && isSlot(Part->kid(0)))
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

/// The author's barrier; or the one that it comes to, where it is given what
/// is known in the body alone or differs from tile to tile.
bool SkeletonMatcher::isBarrier(const Tree &O) {
  const Tree *Barrier = find(M.Loop->Tile.LoadBarrier);
  if (!Barrier)
    return false;
  if (M.attempt([&] { return M.match(*Barrier, O); }))
    return true;
  if (!O.is("CallExpr") || O.Kids.size() != 1 ||
      !llvm::StringRef(withoutConversions(O.kid(0)).Name)
           .starts_with("Function __syncthreads :"))
    return false;
  auto ofBody = [&](auto &Self, const Tree &T) -> bool {
    const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
    if (T.is("DeclRefExpr") && V && T.Local &&
        (!M.Bound.ours(T.Local) ||
         llvm::any_of(M.Loop->Tile.HeaderVars,
                      [&](const HeaderVar &H) { return H.Var == V; })))
      return true;
    return llvm::any_of(T.Kids, [&](const std::unique_ptr<Tree> &Kid) {
      return Self(Self, *Kid);
    });
  };
  return ofBody(ofBody, *Barrier);
}

bool SkeletonMatcher::call(const Tree &O) {
  if (callsRuntime(O, "commit") || callsRuntime(O, "wait_prior"))
    return true;
  if (isBarrier(O))
    return true;
  if (O.is("GCCAsmStmt") && llvm::StringRef(O.Label).starts_with(" volatile"))
    return true; // asks the compiler to keep the copies, for measurements
  if (!O.is("CXXOperatorCallExpr") || O.Kids.size() < 2)
    return step(O);
  auto Found = Lambdas.find(withoutConversions(O.kid(1)).Local);
  if (Found == Lambdas.end())
    return step(O);
  if (Found->second == LoadLambda && InTiles && Around == Values::This)
    return M.fail(Author, {msg::meaning_tile_unknown});
  size_t At = 2;
  for (const std::unique_ptr<Tree> &P : Found->second->Kids) {
    if (!P->is("ParmVar"))
      continue;
    if (At == O.Kids.size())
      return M.fail(Author, {msg::meaning_argument_missing});
    const Tree &Value = O.kid(At++);
    bool Same = P->Name == M.Loop->Stage  ? isStage(Value)
                : P->Name == M.Loop->Slot ? isSlot(Value)
                                          : false;
    for (const HeaderVar &V : M.Loop->Tile.HeaderVars)
      if (P->Name == V.Var->getName())
        Same = isValue(Value, headerNumber(V.Var));
    if (!Same)
      return M.fail(Author, {msg::meaning_argument, P->Name});
  }
  return At == O.Kids.size();
}

bool SkeletonMatcher::declaration(const Tree &O) {
  if (!O.is("Var") || !O.Local)
    return M.fail(Author, {msg::meaning_declaration_added});
  if (O.Name == M.Loop->Stage) {
    M.Standings[M.Loop].Stage = O.Local;
    return true;
  }
  if (O.Name == M.Loop->More) {
    More = O.Local;
    bool Same = condition(O.kid(0));
    AskedByMore = Asked;
    return Same;
  }
  if (O.Name == M.Loop->Slot) {
    Slot = O.Local;
    return O.Kids.size() == 1 && O.kid(0).Label == "0";
  }
  for (const HeaderVar &V : M.Loop->Tile.HeaderVars) {
    unsigned Header = headerNumber(V.Var);
    if (O.Kids.size() == 1 && M.names(O.kid(0), M.Bound.ours(Header))) {
      Cursors[Header] = O.Local;
      return true;
    }
  }
  return M.fail(Author, {msg::meaning_declaration_added});
}

bool SkeletonMatcher::statement(const Tree &O) {
  if (O.is("CompoundStmt")) {
    for (const Tree *S : flattened(O))
      if (!statement(*S))
        return false;
    return true;
  }
  if (O.is("Var"))
    return declaration(O);
  if (O.is("BreakStmt") || O.is("NullStmt"))
    return true;
  auto Leave = llvm::make_scope_exit(
      [this, Outer = std::pair(Around, InTiles)] {
        std::tie(Around, InTiles) = Outer;
      });
  if (O.is("IfStmt") || O.is("WhileStmt")) {
    if (O.Kids.size() != 2 || !condition(O.kid(0)))
      return false;
    Around = Asked;
    InTiles |= O.is("WhileStmt");
    return statement(O.kid(1));
  }
  if (O.is("DoStmt")) {
    InTiles = true;
    Around = Values::This;
    return statement(O.kid(0)) && condition(O.kid(1));
  }
  if (O.is("ForStmt")) {
    if (O.kid(0).is("DeclStmt"))
      for (const std::unique_ptr<Tree> &D : O.kid(0).Kids)
        if (!declaration(*D))
          return false;
    const Tree &Cond = withoutConversions(O.kid(2));
    bool Counts = isBinary(Cond, "<") && isSlot(Cond.kid(0));
    if (!condition(O.kid(2)) || !step(O.kid(3)))
      return false;
    if (!Counts) {
      Around = Asked;
      InTiles = true;
    }
    return statement(O.kid(4));
  }
  return call(O);
}

size_t SkeletonMatcher::begin(llvm::ArrayRef<const Tree *> Statements) {
  const Tree *Wanted = M.Loop->Tile.Init ? find(M.Loop->Tile.Init) : nullptr;
  if (!Wanted || Wanted->is("NullStmt"))
    return 0;
  TreeList Parts;
  if (Wanted->is("DeclStmt"))
    for (const std::unique_ptr<Tree> &D : Wanted->Kids)
      Parts.push_back(D.get());
  else
    Parts.push_back(Wanted);
  if (Parts.size() > Statements.size() ||
      Parts.front()->Kind != Statements.front()->Kind ||
      Parts.front()->Name != Statements.front()->Name)
    return 0;
  Begun = M.attempt([&] {
    for (size_t I = 0; I != Parts.size(); ++I)
      if (!M.match(*Parts[I], *Statements[I]))
        return M.fail(*Parts[I], {msg::meaning_start});
    return true;
  });
  return Begun ? Parts.size() : 0;
}

bool SkeletonMatcher::run(llvm::ArrayRef<const Tree *> Statements) {
  const Tree *Wanted = M.Loop->Tile.Init ? find(M.Loop->Tile.Init) : nullptr;
  if (!Begun && Wanted && !Wanted->is("NullStmt")) {
    size_t Length = Statements.empty() ? 0 : begin(Statements);
    if (!Length)
      return M.fail(*Wanted, {msg::meaning_start});
    Statements = Statements.drop_front(Length);
  }
  for (const Tree *S : Statements)
    if (!statement(*S))
      return M.Difference.Where
                 ? false
                 : M.fail(Author, {msg::meaning_skeleton});
  return true;
}

} // namespace kpipe
