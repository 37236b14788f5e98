// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that configure launches, see LaunchConfigs.h.
#include "LaunchConfigs.h"
#include "Code/KnownFunctions.h"
#include "Launches.h"
#include "Support/RawNames.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace kpipe {

bool isConfiguredLaunch(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  return F && F->getIdentifier() && isToolkits(F) && C->getNumArgs() >= 2 &&
         (F->getName() == "cudaLaunchKernelEx" ||
          F->getName() == "cudaLaunchKernelExC");
}

const DeclRefExpr *kernelNameIn(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    E = U->getSubExpr()->IgnoreParenCasts();
  return dyn_cast<DeclRefExpr>(E);
}

bool namesMostBytes(const Expr *Attribute) {
  const auto *D = dyn_cast<DeclRefExpr>(Attribute->IgnoreParenCasts());
  return D && D->getNameInfo().getAsString() ==
                  "cudaFuncAttributeMaxDynamicSharedMemorySize";
}

bool spellsOnly(const FunctionDecl *F, llvm::StringRef Name,
                const llvm::DenseSet<SourceLocation> &Known,
                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = F->getBeginLoc(), End = F->getEndLoc();
  if (!Begin.isFileID() || !End.isFileID())
    return false;
  const FileID File = SM.getFileID(Begin);
  bool Invalid = File != SM.getFileID(End);
  const llvm::StringRef Text = Invalid ? "" : SM.getBufferData(File, &Invalid);
  if (Invalid)
    return false;
  Lexer Tokens(SM.getLocForStartOfFile(File), Context.getLangOpts(),
               Text.begin(), Text.begin() + SM.getFileOffset(Begin),
               Text.end());
  Token T;
  while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof) &&
         !(End < T.getLocation()))
    if (T.is(tok::raw_identifier) && rawName(T, Context) == Name &&
        !Known.contains(T.getLocation()))
      return false;
  return true;
}

namespace {

/// The variable whose address an expression is.
const DeclRefExpr *addressed(const Expr *E) {
  const auto *U = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
  return U && U->getOpcode() == UO_AddrOf
             ? dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParens())
             : nullptr;
}

/// `v.part`, of a variable itself.
const DeclRefExpr *variableOf(const MemberExpr *M) {
  return M->isArrow() ? nullptr
                      : dyn_cast<DeclRefExpr>(M->getBase()->IgnoreParens());
}

/// All that a function does with such variables, and what it assigns.
class ConfigUses : public ConstDynamicRecursiveASTVisitor {
public:
  ConfigUses(const VarDecl *Of) : Of(Of) {}

  /// By the part's name: what it is assigned, and how often it is named.
  struct Part {
    const Expr *Value = nullptr;
    unsigned Assigned = 0, Named = 0;
  };
  llvm::StringMap<Part> Parts;
  llvm::SmallVector<const Decl *, 2> Launched;
  llvm::DenseSet<const Expr *> Names, Known;
  bool NamesCooperative = false;

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getDecl() == Of)
      Names.insert(D);
    NamesCooperative |=
        isa<EnumConstantDecl>(D->getDecl()) &&
        D->getNameInfo().getAsString() == "cudaLaunchAttributeCooperative";
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    if (const DeclRefExpr *D = variableOf(M); D && D->getDecl() == Of) {
      Known.insert(D);
      ++Parts[M->getMemberDecl()->getName()].Named;
    }
    return true;
  }
  /// What is a statement of its own gives its value to nobody.
  bool VisitCompoundStmt(const CompoundStmt *S) override {
    for (const Stmt *Kid : S->body())
      if (const auto *E = dyn_cast<Expr>(Kid))
        Statements.insert(E->IgnoreImplicit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    return B->getOpcode() != BO_Assign ||
           assigned(B, B->getLHS(), B->getRHS(), B->getOperatorLoc());
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *C) override {
    return C->getOperator() != OO_Equal || C->getNumArgs() != 2 ||
           assigned(C, C->getArg(0), C->getArg(1), C->getOperatorLoc());
  }
  bool VisitCallExpr(const CallExpr *C) override {
    if (!isConfiguredLaunch(C))
      return true;
    const DeclRefExpr *D = addressed(C->getArg(0));
    if (!D || D->getDecl() != Of)
      return true;
    Known.insert(D);
    const DeclRefExpr *Kernel = kernelNameIn(C->getArg(1));
    const auto *F =
        Kernel ? dyn_cast<FunctionDecl>(Kernel->getDecl()) : nullptr;
    Launched.push_back(F        ? writtenKernel(F)->getCanonicalDecl()
                       : Kernel ? Kernel->getDecl()->getCanonicalDecl()
                                : nullptr);
    return true;
  }

private:
  const VarDecl *Of;

  llvm::DenseSet<const Expr *> Statements;

  /// A macro may use what it is given once more.
  bool assigned(const Expr *Whole, const Expr *To, const Expr *Value,
                SourceLocation Operator) {
    const auto *M = dyn_cast<MemberExpr>(To->IgnoreParens());
    const DeclRefExpr *D = M ? variableOf(M) : nullptr;
    if (D && D->getDecl() == Of) {
      Part &P = Parts[M->getMemberDecl()->getName()];
      ++P.Assigned;
      if ((Statements.count(Whole) && !Operator.isMacroID()) ||
          ruleIsSwitchedOff("launches"))
        P.Value = Value;
    }
    return true;
  }
};

/// An array of attributes: each is set by its parts, its kind to a constant by
/// name.
class AttributeUses : public ConstDynamicRecursiveASTVisitor {
public:
  AttributeUses(const VarDecl *Of) : Of(Of) {}

  llvm::DenseSet<const Expr *> Names, Known, Kinds, Constants;

  static const DeclRefExpr *variable(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      E = U->getSubExpr()->IgnoreParenCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      E = S->getBase()->IgnoreParenCasts();
    return dyn_cast<DeclRefExpr>(E);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (D->getDecl() == Of)
      Names.insert(D);
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    const DeclRefExpr *D = variable(M->getBase());
    if (D && D->getDecl() == Of) {
      Known.insert(D);
      if (M->getMemberDecl()->getName() == "id")
        Kinds.insert(M);
    }
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    const auto *D = dyn_cast<DeclRefExpr>(B->getRHS()->IgnoreParens());
    if (B->getOpcode() == BO_Assign && D && isa<EnumConstantDecl>(D->getDecl()))
      Constants.insert(B->getLHS()->IgnoreParens());
    return true;
  }

private:
  const VarDecl *Of;
};

llvm::DenseSet<SourceLocation>
placesOf(const VarDecl *V, const llvm::DenseSet<const Expr *> &Names,
         const ASTContext &Context) {
  llvm::DenseSet<SourceLocation> All{V->getLocation()};
  for (const Expr *E : Names)
    All.insert(Context.getSourceManager().getSpellingLoc(
        cast<DeclRefExpr>(E)->getLocation()));
  return All;
}

bool attributesAreKnown(const Expr *Given, const FunctionDecl *Host,
                        const ASTContext &Context) {
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr, IntegerLiteral>(
          Given->IgnoreParenCasts()))
    return true;
  const DeclRefExpr *D = AttributeUses::variable(Given);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->isLocalVarDecl() || V->isStaticLocal() ||
      V->getDeclContext() != Host || V->getType()->isPointerType() ||
      V->getType()->isReferenceType())
    return false;
  // What a list says of the kind is not looked at.
  if (const Expr *Init = V->getInit()) {
    const auto *List = dyn_cast<InitListExpr>(Init->IgnoreImplicit());
    if (!isa<CXXConstructExpr>(Init->IgnoreImplicit()) &&
        !(List && List->getSourceRange().isValid() &&
          llvm::all_of(List->inits(), [](const Expr *E) {
            return isa<ImplicitValueInitExpr>(E);
          })))
      return false;
  }
  AttributeUses Uses(V);
  Uses.TraverseStmt(Host->getBody());
  Uses.Known.insert(D);
  return Uses.Known.size() == Uses.Names.size() &&
         llvm::all_of(Uses.Kinds,
                      [&](const Expr *E) { return Uses.Constants.count(E); }) &&
         spellsOnly(Host, V->getName(), placesOf(V, Uses.Names, Context),
                    Context);
}

/// What a variable is initialised with, part by part, if a list says so.
llvm::ArrayRef<const Expr *> initialParts(const VarDecl *V) {
  const Expr *Init = V->getInit();
  const auto *List =
      Init ? dyn_cast<InitListExpr>(Init->IgnoreImplicit()) : nullptr;
  if (!List || List->getLBraceLoc().isMacroID())
    return {};
  if (!List->isSemanticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  return {List->getInits(), List->getNumInits()};
}

/// The value that a list gives to a part, if it is written there.
const Expr *initialValue(const VarDecl *V, llvm::StringRef Part) {
  const auto *R = V->getType()->getAsCXXRecordDecl();
  const llvm::ArrayRef<const Expr *> Parts = initialParts(V);
  for (const FieldDecl *F : R->fields())
    if (F->getName() == Part && F->getFieldIndex() < Parts.size()) {
      const Expr *E = Parts[F->getFieldIndex()];
      const auto *Made = dyn_cast<CXXConstructExpr>(E->IgnoreImplicit());
      const bool Written = !isa<ImplicitValueInitExpr, CXXDefaultInitExpr>(E) &&
                           !(Made && Made->getNumArgs() != 0 &&
                             isa<CXXDefaultArgExpr>(Made->getArg(0)));
      return Written ? E : nullptr;
    }
  return nullptr;
}

/// The one value of a part, as its list or one assignment says it.
const Expr *onlyValue(const VarDecl *V, llvm::StringRef Part,
                      const ConfigUses &Uses) {
  const Expr *First = initialValue(V, Part);
  auto It = Uses.Parts.find(Part);
  if (It == Uses.Parts.end())
    return First;
  const ConfigUses::Part &P = It->second;
  const bool Once = !First && P.Assigned == 1 && P.Named == 1;
  return Once || ruleIsSwitchedOff("launches") ? P.Value : nullptr;
}

/// Names that are declared in the function around two places, in front of the
/// second one: in which of its blocks is not asked.
class DeclaredAround : public ConstDynamicRecursiveASTVisitor {
public:
  DeclaredAround(SourceRange Range, const Decl *Kernel, const SourceManager &SM)
      : Range(Range), Kernel(Kernel), SM(SM) {}

  llvm::StringSet<> Names;
  bool OpensNames = false; ///< by a directive

  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() && isBefore(F->getBeginLoc()) &&
        !isBefore(F->getEndLoc()))
      Range.setBegin(SM.getFileLoc(F->getBeginLoc()));
    return true;
  }
  bool VisitNamedDecl(const NamedDecl *D) override {
    const SourceLocation At = SM.getFileLoc(D->getLocation());
    if (D->getCanonicalDecl() == Kernel ||
        !SM.isBeforeInTranslationUnit(Range.getBegin(), At) ||
        !SM.isBeforeInTranslationUnit(At, Range.getEnd()))
      return true;
    OpensNames |= isa<UsingDirectiveDecl, UsingDecl, UsingPackDecl>(D);
    if (D->getIdentifier())
      Names.insert(D->getName());
    return true;
  }

private:
  SourceRange Range;
  const Decl *Kernel;
  const SourceManager &SM;

  bool isBefore(SourceLocation Place) const {
    return SM.isBeforeInTranslationUnit(SM.getFileLoc(Place), Range.getBegin());
  }
};

} // namespace

bool meansTheSameAbove(const DeclRefExpr *Kernel, const Expr *Bytes,
                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation From = SM.getFileLoc(Bytes->getBeginLoc()),
                       To = SM.getFileLoc(Kernel->getEndLoc());
  if (!SM.isBeforeInTranslationUnit(From, To))
    return false;
  DeclaredAround Found({From, To}, Kernel->getDecl()->getCanonicalDecl(), SM);
  Found.TraverseDecl(Context.getTranslationUnitDecl());
  if (Found.OpensNames)
    return false;
  const FileID File = SM.getFileID(To);
  const llvm::StringRef Text = SM.getBufferData(File);
  Lexer Tokens(
      SM.getLocForStartOfFile(File), Context.getLangOpts(), Text.begin(),
      Text.begin() + SM.getFileOffset(SM.getFileLoc(Kernel->getBeginLoc())),
      Text.end());
  Token T;
  while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof) &&
         !(To < T.getLocation()))
    if (T.is(tok::raw_identifier) && Found.Names.contains(rawName(T, Context)))
      return false;
  return true;
}

std::optional<LaunchConfig> launchConfig(const CallExpr *C,
                                         const ASTContext &Context) {
  const DeclRefExpr *D = addressed(C->getArg(0));
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const auto *Host = V ? dyn_cast<FunctionDecl>(V->getDeclContext()) : nullptr;
  const auto *R = V ? V->getType()->getAsCXXRecordDecl() : nullptr;
  if (!Host || !R || !V->isLocalVarDecl() || V->isStaticLocal() ||
      !Host->getBody() || !R->hasDefinition() || !isToolkits(R))
    return std::nullopt;
  // Copied from somewhere, or made by a function.
  if (const Expr *Init = V->getInit()) {
    const auto *Made = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
    if (!isa<InitListExpr>(Init->IgnoreImplicit()) &&
        !(Made && Made->getNumArgs() == 0))
      return std::nullopt;
  }
  ConfigUses Uses(V);
  Uses.TraverseStmt(Host->getBody());
  const bool Unruled = ruleIsSwitchedOff("launches");
  if (!Unruled &&
      (Uses.Known.size() != Uses.Names.size() || Uses.Launched.empty() ||
       !Uses.Launched.front() || !llvm::all_equal(Uses.Launched) ||
       !spellsOnly(Host, V->getName(), placesOf(V, Uses.Names, Context),
                   Context)))
    return std::nullopt;
  LaunchConfig Found;
  Found.Bytes = onlyValue(V, "dynamicSmemBytes", Uses);
  Found.Block = onlyValue(V, "blockDim", Uses);
  if (Uses.Parts.count("attrs") || initialValue(V, "attrs")) {
    const Expr *Given = onlyValue(V, "attrs", Uses);
    if (!Given || !attributesAreKnown(Given, Host, Context))
      return std::nullopt;
    Found.Cooperative = Uses.NamesCooperative;
  }
  return Found.Bytes ? std::optional(Found) : std::nullopt;
}

} // namespace kpipe
