// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens by their mentions, see BulkTokens.h. A phase that is named by the token
// of an arrival in it is the phase of that turn, whatever came before: so nothing
// has to be known of other loops that ran at the mbarrier.
#include "BulkTokens.h"
#include "Code/AstUtils.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

const Expr *plain(const Expr *E) {
  return E ? E->IgnoreImplicit()->IgnoreParenCasts() : nullptr;
}

const VarDecl *variable(const Expr *E) {
  const auto *D = dyn_cast_or_null<DeclRefExpr>(plain(E));
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

class Tokens {
public:
  explicit Tokens(const VarDecl *Token) : Token(Token) {}
  unsigned Mentions = 0;
  /// Operations whose value the token gets, where they stand.
  llvm::SmallVector<const Expr *, 2> Set;

  void read(const Stmt *S) {
    if (!S)
      return;
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      Mentions += D->getDecl() == Token;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (One == Token && Token->getInit())
          Set.push_back(plain(Token->getInit()));
    const auto *B = dyn_cast<BinaryOperator>(S);
    if (B && B->getOpcode() == BO_Assign && variable(B->getLHS()) == Token)
      Set.push_back(plain(B->getRHS()));
    // A token that is a class.
    const auto *O = dyn_cast<CXXOperatorCallExpr>(S);
    if (O && O->getOperator() == OO_Equal && variable(O->getArg(0)) == Token)
      Set.push_back(plain(O->getArg(1)));
    for (const Stmt *Kid : S->children())
      read(Kid);
  }

private:
  const VarDecl *Token;
};

} // namespace

void checkToken(LoopFacts &Facts, const BulkOp &Wait,
                const BulkOpsOfItems &Ops) {
  const ASTContext &Context = Facts.In->context();
  const TileLoop &Tile = Facts.Tile;
  const VarDecl *Token = variable(Wait.Token);
  auto No = [&] {
    Facts.Obstacles.push_back({RuleId::ForeignAsync,
                               startOf(Wait.At),
                               {msg::bulk_loop, Message(msg::bulk_token)},
                               {}});
  };
  if (!Token || !Token->hasLocalStorage() || isa<ParmVarDecl>(Token) ||
      Token->getType()->isReferenceType())
    return No();
  Tokens All(Token);
  All.read(Tile.Function->getBody());
  unsigned Arrivals = 0, Assigned = 0;
  for (unsigned I = 0; I != Ops.size(); ++I)
    for (const BulkOp &Op : Ops[I]) {
      const bool Arrives =
          Op.Kind == BulkKind::Arrive || Op.Kind == BulkKind::ArriveExpect;
      const bool Sets = llvm::is_contained(All.Set, Op.At);
      const bool Here = Arrives && variableAt(Op.Barrier, Context) ==
                                       variableAt(Wait.Barrier, Context);
      if (Here != Sets)
        return No();
      Arrivals += Here;
      Assigned += Here && !(Token->getInit() && plain(Token->getInit()) == Op.At);
    }
  // `token{}` where it is declared is no value that anybody waits for.
  unsigned Set = All.Set.size();
  if (Token->getInit() && !Facts.Body.Declared.count(Token))
    --Set;
  if (!Arrivals || Set != Arrivals || All.Mentions != Assigned + 1)
    return No();
}

} // namespace kpipe
