// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EndingBreaks.h. Where the break stands in front of all else, it is asked
// when the loop's condition is, right behind it. Numbers that are declared in
// front of it are, there, what they are made of.
#include "EndingBreaks.h"
#include "Code/ComputesOnly.h"
#include "Code/Jumps.h"
#include "Code/KnownFunctions.h"
#include "Code/ThreadDependence.h"
#include "LoweredBody.h"
#include "NegatedText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isEntered(const Stmt *S) {
  if (!S || isa<SwitchStmt>(S))
    return hasLabel(S);
  return isa<LabelStmt, SwitchCase>(S) ||
         llvm::any_of(S->children(),
                      [](const Stmt *Kid) { return isEntered(Kid); });
}

const IfStmt *plainIf(const Stmt *S) {
  const auto *I = dyn_cast_or_null<IfStmt>(S);
  if (!I || I->getElse() || I->getInit() || I->getConditionVariable() ||
      I->isConstexpr() || I->isConsteval() || I->getBeginLoc().isMacroID() ||
      I->getThen()->getBeginLoc().isMacroID() ||
      I->getThen()->getEndLoc().isMacroID())
    return nullptr;
  return I;
}

namespace {

const IfStmt *breakIf(const Stmt *S) {
  const IfStmt *I = plainIf(S);
  const Stmt *Then = I ? I->getThen() : nullptr;
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Then))
    Then = Block->size() == 1 ? Block->body_front() : nullptr;
  return isa_and_nonnull<BreakStmt>(Then) ? I : nullptr;
}

/// Where the break of a loop stands.
struct Ending {
  const CompoundStmt *Body = nullptr;
  const IfStmt *First = nullptr, *Last = nullptr;
  /// What is declared in front of First.
  llvm::SmallVector<const VarDecl *, 4> Declared;
};

/// Numbers and pointers, and arrays without values, made by nothing that is
/// noticed: they may be made where they were, or not at all. \returns whether S
/// declares nothing else.
bool declaresQuietly(const Stmt *S,
                     llvm::SmallVectorImpl<const VarDecl *> &Declared) {
  const auto *D = dyn_cast<DeclStmt>(S);
  if (!D || S->getBeginLoc().isMacroID())
    return false;
  for (const Decl *One : D->decls()) {
    const auto *V = dyn_cast<VarDecl>(One);
    const QualType T = V ? V->getType() : QualType();
    if (!V || !V->hasLocalStorage() || T->isDependentType() ||
        !T->getBaseElementTypeUnsafe()->isScalarType() ||
        T->getBaseElementTypeUnsafe()->isDependentType() ||
        T.isVolatileQualified() || V->hasAttrs() ||
        (V->hasInit() && (T->isArrayType() || !computesOnly(V->getInit()))))
      return false;
    Declared.push_back(V);
  }
  return true;
}

/// Does S ask for memory by its address? What it reads may change.
bool readsByAddress(const Stmt *S) {
  if (!S)
    return false;
  const auto *U = dyn_cast<UnaryOperator>(S);
  const auto *M = dyn_cast<MemberExpr>(S);
  return isa<ArraySubscriptExpr>(S) || (U && U->getOpcode() == UO_Deref) ||
         (M && M->isArrow()) || llvm::any_of(S->children(), readsByAddress);
}

/// The text of a condition with what is declared in front of it in its place.
class WithValues {
public:
  WithValues(llvm::ArrayRef<const VarDecl *> Declared, const SourceText &Source)
      : Declared(Declared), Source(Source) {}

  /// Edits of the text of E; nothing where a value cannot be named again.
  std::optional<std::vector<TextEdit>> in(const Expr *E, unsigned Depth = 0) {
    struct Names : ConstDynamicRecursiveASTVisitor {
      llvm::SmallVector<const DeclRefExpr *, 8> All;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        All.push_back(D);
        return true;
      }
    } Of;
    Of.TraverseStmt(E);
    std::vector<TextEdit> Edits;
    for (const DeclRefExpr *D : Of.All) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (!llvm::is_contained(Declared, V))
        continue;
      auto At = Source.offset(D->getLocation());
      auto Text = Depth < 4 ? valueOf(V, Depth) : std::nullopt;
      if (!At || !Text)
        return std::nullopt;
      Edits.push_back({*At, Source.tokenEnd(*At) - *At, *Text});
    }
    llvm::sort(Edits);
    return Edits;
  }

private:
  llvm::ArrayRef<const VarDecl *> Declared;
  const SourceText &Source;

  std::optional<std::string> valueOf(const VarDecl *V, unsigned Depth) {
    const Expr *Init = V->getInit();
    const Expr *E = Init ? Init->IgnoreImplicit() : nullptr;
    // A sum with a fraction may be rounded otherwise where it stands again.
    if (!E || V->getInitStyle() == VarDecl::ListInit || readsByAddress(Init) ||
        V->getType()->isFloatingType() ||
        !Source.context().hasSameUnqualifiedType(E->getType(), V->getType()))
      return std::nullopt;
    auto Place = Source.expression(E);
    auto Edits = Place ? in(E, Depth + 1) : std::nullopt;
    if (!Edits || Source.at(*Place).contains('\n') ||
        Source.at(*Place).contains("//"))
      return std::nullopt;
    return asOperand(Source.edited(*Place, *Edits), bindingOf(E),
                     Binding::Unary);
  }
};

const Expr *conditionOf(const Stmt *Loop) {
  if (const auto *F = dyn_cast<ForStmt>(Loop))
    return F->getCond();
  return cast<WhileStmt>(Loop)->getCond();
}

/// No condition, `true`, or a number that is not 0, as text.
bool isEndless(const Stmt *Loop) {
  const Expr *Cond = conditionOf(Loop);
  if (!Cond)
    return true;
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Cond))
    Cond = Cast->getSubExpr();
  if (const auto *B = dyn_cast<CXXBoolLiteralExpr>(Cond))
    return B->getValue();
  const auto *N = dyn_cast<IntegerLiteral>(Cond);
  return N && N->getValue() != 0;
}

bool namesOwnOf(const Expr *Cond, const Stmt *Body) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::SmallVector<const Decl *, 8> Named, Declared;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Named.push_back(D->getDecl());
      return true;
    }
    bool VisitNamedDecl(const NamedDecl *D) override {
      Declared.push_back(D);
      return true;
    }
  } In, Around;
  In.TraverseStmt(Cond);
  Around.TraverseStmt(Body);
  // Names of types and of functions' own declarations, too: any of that name.
  return llvm::any_of(Around.Declared, [&](const Decl *D) {
    return llvm::any_of(In.Named, [&](const Decl *N) {
      return cast<NamedDecl>(N)->getDeclName() ==
             cast<NamedDecl>(D)->getDeclName();
    });
  });
}

Ending endingOf(const Stmt *Loop, const FunctionDecl *In) {
  Ending E;
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *While = dyn_cast<WhileStmt>(Loop);
  if ((!For && !While) || Loop->getBeginLoc().isMacroID() ||
      (For && For->getConditionVariable()) ||
      (While && While->getConditionVariable()))
    return {};
  E.Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
  if (!E.Body || E.Body->size() < 2 || isEntered(E.Body))
    return {};
  auto JumpBut = [&](const Stmt *But) {
    return llvm::any_of(E.Body->body(), [&](const Stmt *S) {
      return S != But && findJumpIn(S);
    });
  };
  // A continue leads to the condition, whoever asks it.
  auto LeaveBut = [&](const Stmt *But) {
    return llvm::any_of(E.Body->body(), [&](const Stmt *S) {
      const Stmt *Jump = S == But ? nullptr : findJumpIn(S);
      return Jump && !isa<ContinueStmt>(Jump);
    });
  };
  const auto *Front = E.Body->body_begin();
  while (Front != E.Body->body_end() && declaresQuietly(*Front, E.Declared))
    ++Front;
  if (const IfStmt *I = Front != E.Body->body_end() ? breakIf(*Front) : nullptr;
      I && isScalarCondition(I->getCond()) && !LeaveBut(I)) {
    E.First = I;
    return E;
  }
  const auto *Back = E.Body->body_end() - 1;
  while (Back != E.Body->body_begin() && isBlockBarrierCall(*Back))
    --Back;
  const IfStmt *I = breakIf(*Back);
  if (I && Back + 1 != E.Body->body_end() &&
      ThreadDependence(In, nullptr).dependent(I->getCond()))
    return E;
  const bool Bare = For ? !For->getInit() && !For->getInc() : true;
  if (I && Bare && isEndless(Loop) && isScalarCondition(I->getCond()) &&
      !JumpBut(I) && !namesOwnOf(I->getCond(), E.Body))
    E.Last = I;
  return E;
}

/// The semicolons of a for loop's header, between its parentheses.
std::optional<std::pair<unsigned, unsigned>>
semicolonsOf(Range Header, const SourceText &Source) {
  const ASTContext &Context = Source.context();
  const llvm::StringRef All = Source.all();
  Lexer Lex(SourceLocation(), Context.getLangOpts(), All.begin(),
            All.begin() + Header.Begin, All.end());
  llvm::SmallVector<unsigned, 2> Found;
  unsigned Depth = 0;
  for (Token T; !Lex.LexFromRawLexer(T);) {
    const unsigned At = Lex.getBufferLocation() - All.begin() - T.getLength();
    if (At >= Header.End)
      break;
    if (T.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++Depth;
    else if (T.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
      --Depth;
    else if (T.is(tok::semi) && !Depth)
      Found.push_back(At);
  }
  if (Found.size() != 2)
    return std::nullopt;
  return std::pair(Found[0], Found[1]);
}

/// Both conditions, the loop's own first.
std::optional<std::string> joined(const Stmt *Loop, const NegatedText &Other,
                                  const SourceText &Source) {
  if (isEndless(Loop))
    return Other.Text;
  const Expr *Cond = conditionOf(Loop);
  auto Own = Source.expression(Cond);
  if (!Own || Source.at(*Own).contains('\n') || !isScalarCondition(Cond))
    return std::nullopt;
  return asOperand(Source.at(*Own).str(), bindingOf(Cond),
                   Binding::LogicalAnd) +
         " && " + asOperand(Other.Text, Other.Binds, Binding::LogicalAnd);
}

} // namespace

bool hasEndingBreak(const Stmt *Loop, const FunctionDecl *In) {
  const Ending E = endingOf(Loop, In);
  return E.First || E.Last;
}

std::optional<std::set<Edit>> breakAsCondition(const Stmt *Loop,
                                               const FunctionDecl *In,
                                               const SourceText &Source) {
  const Ending E = endingOf(Loop, In);
  const IfStmt *I = E.First ? E.First : E.Last;
  auto Values = I ? WithValues(E.First ? llvm::ArrayRef(E.Declared)
                                       : llvm::ArrayRef<const VarDecl *>(),
                               Source)
                        .in(I->getCond())
                  : std::nullopt;
  auto Negated = Values ? negated(I->getCond(), Source, *Values) : std::nullopt;
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *While = dyn_cast<WhileStmt>(Loop);
  auto Left = Negated ? Source.offset(For ? For->getLParenLoc()
                                          : While->getLParenLoc())
                      : std::nullopt,
       Right = Negated ? Source.offset(For ? For->getRParenLoc()
                                           : While->getRParenLoc())
                       : std::nullopt;
  if (!Left || !Right || *Right < *Left)
    return std::nullopt;
  std::set<Edit> Edits;
  const Range Gone = Source.statement(I);
  if (Source.at(Gone).contains('#'))
    return std::nullopt;
  if (E.Last) {
    auto Begin = Source.offset(For ? For->getForLoc() : While->getWhileLoc());
    auto End = Source.offset(E.Body->getRBracLoc());
    if (!Begin || !End)
      return std::nullopt;
    Edits.insert({*Begin, *Right + 1 - *Begin, "do"});
    Edits.insert({*End + 1, 0, " while (" + Negated->Text + ");"});
  } else {
    auto Text = joined(Loop, *Negated, Source);
    Range Header{*Left + 1, *Right};
    if (For) {
      auto Semicolons = semicolonsOf(Header, Source);
      if (!Semicolons)
        return std::nullopt;
      Header = {Semicolons->first + 1, Semicolons->second};
      if (Text)
        Text = " " + *Text;
    }
    if (!Text || Source.at(Header).contains('#'))
      return std::nullopt;
    Edits.insert({Header.Begin, Header.size(), *Text});
  }
  Edits.insert({Gone.Begin, Gone.size(), GoneMark.str()});
  return Edits;
}

} // namespace kpipe
