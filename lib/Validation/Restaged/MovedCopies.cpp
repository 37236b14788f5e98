// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MovedCopies.h"
#include "Validation/Lowered/AsyncMeaning.h"
#include "Validation/Trees/JumpMeaning.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isCommitStatement(const Tree &S, const Frame &F) {
  const auto Async = asyncStatement(S, F);
  return Async && !Async->Effects &&
         llvm::all_of(Async->Events, [](const AsyncEvent &E) {
           return E.What == AsyncEvent::Commit && E.Object.empty();
         });
}

/// Calls of the author's functions that are an expression, `return …;`.
static unsigned pureCallsIn(const Tree &T) {
  unsigned Count = 0;
  eachNode(T, [&](const Tree &N) {
    const FunctionDecl *Callee = calleeOf(N), *Body = nullptr;
    if (!Callee || isa<CXXMethodDecl>(Callee) || !Callee->hasBody(Body))
      return;
    const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
    const auto *Return = Block && Block->size() == 1
                             ? dyn_cast<ReturnStmt>(Block->body_front())
                             : nullptr;
    if (!Return || !Return->getRetValue() || !effectsIn(N))
      return;
    auto Inside = treeOf(Body, Body->getASTContext());
    Count += effectsIn(*Inside->Kids.back()) == 0;
  });
  return Count;
}

void MovedCopies::learn(const Tree &S, const Frame &F, TurnText &To) {
  if (S.is("DeclStmt"))
    for (const auto &Kid : S.Kids)
      if (Kid->is("Var") && Kid->Kids.size() == 1 && Kid->Label.empty() &&
          F.isKept(Kid->Local))
        To.Made.try_emplace(Kid->Local, &Kid->kid(0));
}

bool MovedCopies::equal(const Tree &X, const Tree &Y) {
  const std::string Mine = Author.text(X), Others = Other.text(Y);
  if (Author.Bad)
    return fail(*Author.Bad);
  return (!Other.Bad && Mine == Others) || fail(X);
}

bool MovedCopies::declaration(const Tree &X, const Tree &Y) {
  if (X.Kids.size() != Y.Kids.size())
    return false;
  for (size_t I = 0; I != X.Kids.size(); ++I) {
    const Tree &V = X.kid(I), &W = Y.kid(I);
    if (!V.is("Var") || !W.is("Var") || V.Type != W.Type || V.Name != W.Name ||
        !V.Label.empty() || !W.Label.empty() ||
        V.Kids.size() != W.Kids.size() || V.Kids.size() > 1)
      return false;
    const auto *Of = dyn_cast_or_null<VarDecl>(V.Of);
    if (!Of || !Of->getType()->isScalarType() ||
        (!V.Kids.empty() && !equal(V.kid(0), W.kid(0))))
      return false;
    Numbers[W.Local] = V.Local;
  }
  learn(X, AuthorIn, Author);
  learn(Y, OtherIn, Other);
  return true;
}

/// `i += 256`, of a variable of their own.
bool MovedCopies::step(const Tree &X, const Tree &Y) {
  if (X.Kind != Y.Kind || X.Label != Y.Label || X.Type != Y.Type ||
      X.Kids.size() != Y.Kids.size() ||
      !(X.is("UnaryOperator") || X.is("CompoundAssignOperator")) ||
      !X.kid(0).is("DeclRefExpr") || !Y.kid(0).is("DeclRefExpr"))
    return false;
  auto Known = Numbers.find(Y.kid(0).Local);
  return Known != Numbers.end() && Known->second == X.kid(0).Local &&
         (X.Kids.size() == 1 || equal(X.kid(1), Y.kid(1)));
}

bool MovedCopies::statement(const Tree &X, const Tree &Y) {
  if (X.is("CompoundStmt") || Y.is("CompoundStmt"))
    return lists(statementsIn(X), statementsIn(Y));
  if (X.is("DeclStmt"))
    return (Y.is("DeclStmt") && declaration(X, Y)) || fail(X);
  if (X.is("ForStmt") && Y.is("ForStmt") && X.Kids.size() == 5 &&
      Y.Kids.size() == 5 && X.kid(1).is("-") && Y.kid(1).is("-"))
    return (X.kid(0).is("DeclStmt") && statement(X.kid(0), Y.kid(0)) &&
            equal(X.kid(2), Y.kid(2)) && step(X.kid(3), Y.kid(3)) &&
            statement(X.kid(4), Y.kid(4))) ||
           fail(X);
  if (X.is("IfStmt") && Y.is("IfStmt") && X.Kids.size() == Y.Kids.size() &&
      X.Label == Y.Label) {
    bool Same = equal(X.kid(0), Y.kid(0));
    for (size_t I = 1; Same && I != X.Kids.size(); ++I)
      Same = statement(X.kid(I), Y.kid(I));
    return Same || fail(X);
  }
  if (!exprOf(X) && !X.is("GCCAsmStmt"))
    return fail(X);
  for (const auto &Kid : X.Kids)
    if (effectsIn(*Kid) > pureCallsIn(*Kid))
      return fail(X);
  return equal(X, Y) || fail(X);
}

bool MovedCopies::lists(const TreeList &X, const TreeList &Y) {
  auto Skips = [](const Tree &S, const Frame &F) {
    return S.is("NullStmt") || isCommitStatement(S, F);
  };
  size_t J = 0;
  for (const Tree *S : X) {
    if (Skips(*S, AuthorIn))
      continue;
    while (J != Y.size() && Skips(*Y[J], OtherIn))
      ++J;
    if (S->is("DeclStmt")) {
      if (J != Y.size() && Y[J]->is("DeclStmt") &&
          Y[J]->kid(0).Name == S->kid(0).Name) {
        if (!statement(*S, *Y[J++]))
          return false;
      } else {
        learn(*S, AuthorIn, Author);
      }
      continue;
    }
    for (; J != Y.size() && (Skips(*Y[J], OtherIn) || Y[J]->is("DeclStmt"));
         ++J)
      learn(*Y[J], OtherIn, Other);
    if (J == Y.size() || !statement(*S, *Y[J++]))
      return fail(*S);
  }
  while (J != Y.size() && (Skips(*Y[J], OtherIn) || Y[J]->is("DeclStmt")))
    ++J;
  // What is copied in the other text only.
  return J == Y.size() || (!X.empty() && fail(*X.back()));
}

namespace {

/// Does what a function copies to, and whether it does, hang on the turn?
class SteadyCopies {
public:
  SteadyCopies(const Frame &F, std::set<unsigned> Turning, unsigned Depth)
      : F(F), Turning(std::move(Turning)), Depth(Depth) {}

  bool list(const TreeList &All) {
    return llvm::all_of(All, [&](const Tree *S) { return statement(*S); });
  }
  const Tree *Other = nullptr;

private:
  const Frame &F;
  std::set<unsigned> Turning;
  const unsigned Depth;

  bool fail(const Tree &At) {
    if (!Other)
      Other = &At;
    return false;
  }

  bool turns(const Tree &T) const {
    bool Found = false;
    eachNode(T, [&](const Tree &N) {
      Found |= N.is("DeclRefExpr") && Turning.count(N.Local);
    });
    return Found;
  }

  /// In the spelling of a sum: `v12` is variable 12.
  bool turns(llvm::StringRef Spelled) const {
    return llvm::any_of(Turning, [&](unsigned Local) {
      const std::string Name = " v" + std::to_string(Local);
      for (size_t At = Spelled.find(Name); At != llvm::StringRef::npos;
           At = Spelled.find(Name, At + 1))
        if (At + Name.size() == Spelled.size() ||
            !llvm::isDigit(Spelled[At + Name.size()]))
          return true;
      return false;
    });
  }
  bool turns(const Sum &S) const {
    return llvm::any_of(S, [&](const auto &Term) { return turns(Term.first); });
  }

  bool header(const Tree &T) {
    if (T.is("-"))
      return true;
    if (!T.is("DeclStmt"))
      return !turns(T) || fail(T);
    return llvm::all_of(T.Kids,
                        [&](const auto &V) {
                          return V->is("Var") && !turns(*V) && !effectsIn(*V);
                        }) ||
           fail(T);
  }

  bool statement(const Tree &S) {
    if (S.is("NullStmt"))
      return true;
    if (S.is("CompoundStmt"))
      return list(statementsIn(S));
    if (S.is("DeclStmt")) {
      for (const auto &V : S.Kids) {
        if (!V->is("Var") || effectsIn(*V) || !V->Label.empty() ||
            !F.isKept(V->Local))
          return fail(S);
        if (turns(*V))
          Turning.insert(V->Local);
      }
      return true;
    }
    if (S.is("ForStmt") && S.Kids.size() == 5)
      return header(S.kid(0)) && header(S.kid(1)) && header(S.kid(2)) &&
             header(S.kid(3)) && statement(S.kid(4));
    if (S.is("IfStmt")) {
      bool Good = header(S.kid(0));
      for (size_t I = 1; Good && I != S.Kids.size(); ++I)
        Good = S.kid(I).is("-") || statement(S.kid(I));
      return Good;
    }
    return copy(S) || call(S) || fail(S);
  }

  bool copy(const Tree &S) {
    Frame Here = F;
    Here.Here = F.Caller ? nullptr : &S;
    const auto Async = asyncStatement(S, Here);
    if (!Async || Async->Effects > pureCallsIn(S))
      return false;
    for (const AsyncEvent &E : Async->Events) {
      if (E.What == AsyncEvent::Commit)
        continue;
      if (E.What != AsyncEvent::Copy || turns(E.To) || turns(E.Bytes) ||
          (E.Only && turns(E.Only->Text)))
        return false;
    }
    return true;
  }

  /// A function of the author's, by its body.
  bool call(const Tree &S) {
    const Tree &Call = withoutCasts(S);
    const FunctionDecl *Callee = calleeOf(Call), *Body = nullptr;
    if (Depth == 4 || !Callee || isa<CXXMethodDecl>(Callee) ||
        !Callee->hasBody(Body) || !Body->getReturnType()->isVoidType())
      return false;
    const std::vector<const Tree *> Given = argumentsOf(Call);
    if (Given.size() != Body->getNumParams())
      return false;
    auto Inside = treeOf(Body, const_cast<ASTContext &>(F.Context));
    std::set<unsigned> Turns;
    for (size_t I = 0; I != Given.size(); ++I) {
      if (effectsIn(*Given[I]))
        return false;
      if (turns(*Given[I]))
        Turns.insert(Inside->kid(I).Local);
    }
    Frame In(*Inside, F.Context);
    for (size_t I = 0; I != Given.size(); ++I)
      if (!In.isKept(Inside->kid(I).Local))
        return false;
    return SteadyCopies(In, std::move(Turns), Depth + 1)
        .list(statementsIn(*Inside->Kids.back()));
  }
};

} // namespace

const Tree *notSteadyCopies(const TreeList &S, const Frame &F,
                            std::set<unsigned> Turning) {
  SteadyCopies All(F, std::move(Turning), 0);
  return All.list(S) ? nullptr : All.Other;
}

} // namespace kpipe
