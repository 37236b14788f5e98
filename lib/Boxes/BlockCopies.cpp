// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements by their kind; what is not understood is no box. See BlockCopies.h.
#include "BlockCopies.h"
#include "Code/Sugar.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Message BlockCopies::run(llvm::ArrayRef<const Stmt *> Items, unsigned Of) {
  Buffer = Of;
  const unsigned Threads = Block[0] * Block[1] * Block[2];
  for (unsigned T = 0; T != Threads && !Why; ++T) {
    Now.Thread = {T % Block[0], T / Block[0] % Block[1],
                  T / Block[0] / Block[1]};
    At.setThread(Now.Thread);
    for (const Stmt *S : Items)
      if (!statement(S))
        break;
  }
  At.setThread(std::nullopt);
  return Why;
}

bool BlockCopies::statement(const Stmt *S) {
  if (!S || isa<NullStmt>(S))
    return true;
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return statement(A->getSubStmt());
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    return llvm::all_of(C->body(),
                        [&](const Stmt *One) { return statement(One); });
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    // What it is initialised with is looked up where it is named.
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One);
          !V || !V->hasLocalStorage() ||
          (V->getInit() && V->getInit()->HasSideEffects(Facts.In->context())))
        return fail({msg::box_other_statement});
    return true;
  }
  if (const auto *F = dyn_cast<ForStmt>(S))
    return loop(F);
  if (const auto *I = dyn_cast<IfStmt>(S))
    return branch(I);
  if (const auto *E = dyn_cast<Expr>(S)) {
    for (unsigned I = 0; I != Facts.Tile.Copies.size(); ++I)
      if (withoutSugar(of(I).Store) == withoutSugar(E))
        return copy(I);
  }
  return fail({msg::box_other_statement});
}

const CopyLoop *BlockCopies::countedLoop(const ForStmt *F) const {
  for (const TileCopy &C : Facts.Tile.Copies)
    for (const CopyLoop &L : C.Loops)
      if (L.For == F)
        return &L;
  return nullptr;
}

bool BlockCopies::loop(const ForStmt *F) {
  const CopyLoop *L = countedLoop(F);
  if (!L || L->Limit || !L->Index)
    return fail({msg::box_copy_loop});
  std::optional<int64_t> I = At.number(L->Init),
                         Step = L->Step ? At.number(L->Step) : 1;
  if (!I || !Step || *Step <= 0)
    return fail({msg::box_copy_loop});
  bool Good = true;
  unsigned Turns = 0;
  for (; Good; *I += *Step) {
    std::optional<int64_t> Bound = At.number(L->Bound);
    // The counter has the bits of its type.
    if (!Bound || ++Turns > MostTurns || *I > INT32_MAX / 2 ||
        *I < INT32_MIN / 2)
      Good = fail({msg::box_copy_loop});
    if (!Good ||
        !(L->Compare == CopyLoop::Test::Less        ? *I < *Bound
          : L->Compare == CopyLoop::Test::LessEqual ? *I <= *Bound
                                                    : *I + *Step <= *Bound))
      break;
    At.setCounter(L->Index, *I);
    Now.Turns.push_back({L->Index, *I});
    Good = statement(F->getBody());
    Now.Turns.pop_back();
  }
  At.dropCounter(L->Index);
  return Good;
}

bool BlockCopies::branch(const IfStmt *I) {
  for (unsigned C = 0; C != Facts.Tile.Copies.size(); ++C)
    if (of(C).IfElse == I)
      return copy(C);
  if (I->getInit() || I->getConditionVariable())
    return fail({msg::box_other_statement});
  if (std::optional<int64_t> Holds = At.number(I->getCond()))
    return statement(*Holds ? I->getThen() : I->getElse());
  if (I->getElse())
    return fail({msg::box_other_statement});
  Conditions.push_back(I->getCond());
  const bool Good = statement(I->getThen());
  Conditions.pop_back();
  return Good;
}

bool BlockCopies::tests(const Expr *Condition, std::vector<GuardTest> &To) {
  const Expr *E = withoutSugar(Condition);
  if (std::optional<int64_t> Holds = At.number(E))
    return *Holds != 0;
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (B && B->getOpcode() == BO_LAnd)
    return tests(B->getLHS(), To) && tests(B->getRHS(), To);
  if (!B || !B->isRelationalOp())
    return false;
  auto L = At.value(B->getLHS()), R = At.value(B->getRHS());
  if (!L || !R)
    return false;
  BinaryOperatorKind Op = B->getOpcode();
  if (Op == BO_GT || Op == BO_GE) {
    std::swap(L, R);
    Op = Op == BO_GT ? BO_LT : BO_LE;
  }
  To.push_back(
      {Op, std::move(*L), std::move(*R),
       B->getLHS()->getType().getCanonicalType().getUnqualifiedType()});
  return true;
}

Message BlockCopies::describe(unsigned Copy,
                              llvm::ArrayRef<const Expr *> Conditions,
                              CopiedElement &Out) {
  const TileCopy &C = of(Copy);
  Out.Copy = Copy;
  At.Narrow.clear();
  std::optional<BlockAddress> To = At.place(C.Dst);
  std::optional<int64_t> Bytes = To ? To->Bytes.asNumber() : std::nullopt;
  Out.Array = To ? At.symbol(To->Base).Var : nullptr;
  if (!Bytes || !Out.Array)
    return {msg::box_shared_place};
  Out.To = *Bytes;
  std::optional<BlockAddress> From = At.place(C.Source);
  if (!From)
    return {msg::box_global_place};
  Out.From = std::move(*From);
  Out.Guards.clear();
  for (const Expr *Condition : Conditions)
    if (!tests(Condition, Out.Guards))
      return {msg::box_guard};
  if (C.Guard && !tests(C.Guard, Out.Guards))
    return {msg::box_guard};
  Out.Narrow = At.Narrow;
  return {};
}

bool BlockCopies::copy(unsigned Copy) {
  const TileCopy &C = of(Copy);
  if (C.Helper || C.Via.Var || !C.ValueIsLoaded || !C.Source || C.NeverRuns ||
      C.Through != Facts.Tile.Buffers[C.Buffer].Var || !C.Source->isGLValue())
    return fail({msg::box_no_pure_copy});
  if (C.Buffer != Buffer)
    return true; // another box's, or none
  if (Elements.size() == MostElements)
    return fail({msg::box_too_large});
  Around.try_emplace(Copy, Conditions);
  if (Message Not = describe(Copy, Conditions, Now))
    return fail(std::move(Not));
  if (Now.Array != Facts.Tile.Buffers[Buffer].Var)
    return fail({msg::box_shared_place});
  Elements.push_back(Now);
  return true;
}

} // namespace kpipe
