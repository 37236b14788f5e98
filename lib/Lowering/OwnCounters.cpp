// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OwnCounters.h. No loop may have what another one left in the variable:
// all that name it begin by setting it.
#include "OwnCounters.h"
#include "BarrierLoops.h"
#include "EndingBreaks.h"
#include "LocalNames.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The variable that a for loop begins by setting, without asking for it.
static const VarDecl *counterSet(const Stmt *S) {
  const auto *F = dyn_cast<ForStmt>(S);
  const auto *Set =
      F ? dyn_cast_or_null<BinaryOperator>(F->getInit()) : nullptr;
  if (!Set || Set->getOpcode() != BO_Assign || F->getConditionVariable())
    return nullptr;
  const auto *Name = dyn_cast<DeclRefExpr>(Set->getLHS());
  const auto *V = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return V && !timesNamed(Set->getRHS(), V) ? V : nullptr;
}

/// Loops in S that set V.
static unsigned loopsOf(const Stmt *S, const VarDecl *V) {
  unsigned Times = S && counterSet(S) == V;
  if (S)
    for (const Stmt *Kid : S->children())
      Times += loopsOf(Kid, V);
  return Times;
}

/// How often V is named outside of loops that set it, or set in one of them
/// once more, which goes on with what it is left.
static unsigned timesNamedApart(const Stmt *S, const VarDecl *V) {
  if (!S || counterSet(S) == V)
    return S ? loopsOf(S, V) - 1 : 0;
  const auto *Name = dyn_cast<DeclRefExpr>(S);
  unsigned Times = Name && Name->getDecl() == V;
  for (const Stmt *Kid : S->children())
    Times += timesNamedApart(Kid, V);
  return Times;
}

/// Does anything come into a loop that sets V past its begin?
static bool isEnteredElsewhere(const Stmt *S, const VarDecl *V) {
  return S && ((counterSet(S) == V && isEntered(S)) ||
               llvm::any_of(S->children(), [&](const Stmt *Kid) {
                 return isEnteredElsewhere(Kid, V);
               }));
}

/// A number that the words of its type declare at any place.
static bool hasPlainType(const VarDecl *V) {
  const QualType T = V->getType();
  return T->isIntegerType() && !T.getCanonicalType().hasQualifiers() &&
         !isa<AutoType, DecltypeType, TypeOfType, TypeOfExprType>(
             T.getTypePtr());
}

/// The value that nobody asks for does nothing either.
static bool beginsQuietly(const VarDecl *V) {
  return !V->hasInit() || isa<IntegerLiteral>(V->getInit()->IgnoreImpCasts());
}

/// Has every loop that names V one of its own?
static bool isLeftOver(const Stmt *S, const VarDecl *V) {
  if (!S || counterSet(S) == V)
    return !S || fillsTile(S);
  return llvm::all_of(S->children(),
                      [&](const Stmt *Kid) { return isLeftOver(Kid, V); });
}

static const DeclStmt *declarationIn(const Stmt *S, const VarDecl *V) {
  const auto *D = dyn_cast_or_null<DeclStmt>(S);
  if (!S || D)
    return D && D->isSingleDecl() && D->getSingleDecl() == V ? D : nullptr;
  for (const Stmt *Kid : S->children())
    if (const DeclStmt *Found = declarationIn(Kid, V))
      return Found;
  return nullptr;
}

/// `unsigned`, as the author has it.
static std::string wordsOfType(const VarDecl *V, const SourceText &Source) {
  const ASTContext &Context = Source.context();
  const SourceRange Words =
      V->getTypeSourceInfo()->getTypeLoc().getSourceRange();
  if (Words.getBegin().isMacroID() || Words.getEnd().isMacroID())
    return V->getType().getAsString(Context.getPrintingPolicy());
  return Lexer::getSourceText(CharSourceRange::getTokenRange(Words),
                              Context.getSourceManager(), Context.getLangOpts())
      .str();
}

bool ownCounter(const ForStmt *F, const Stmt *Tile, StepEdits &To) {
  const VarDecl *V = counterSet(F);
  if (!V || !V->hasLocalStorage() || isa<ParmVarDecl>(V) || !beginsQuietly(V) ||
      V->hasAttrs() || !hasPlainType(V) || !hasOneName(V, To.Function) ||
      timesNamedApart(To.Function, V) || isEnteredElsewhere(To.Function, V) ||
      F->getBeginLoc().isMacroID() || F->getInit()->getBeginLoc().isMacroID() ||
      !fillsTile(F))
    return false;
  if (!To.Source)
    return true;
  auto Begin = To.Source->offset(F->getInit()->getBeginLoc());
  if (!Begin)
    return To.fail();
  To.replace({*Begin, *Begin}, wordsOfType(V, *To.Source) + " ");
  // Other loops over tiles are rewritten by themselves.
  const DeclStmt *Made = declarationIn(To.Function, V);
  if (Made && !Made->getBeginLoc().isMacroID() &&
      timesNamed(Tile, V) == timesNamed(To.Function, V) &&
      isLeftOver(To.Function, V))
    To.drop(To.Source->statement(Made));
  return true;
}

} // namespace kpipe
