// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of clones, see HelperPlace.h. All loops of a file that call a helper
// find the same place, so that they share its clones.
#include "HelperPlace.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

using Namespaces = llvm::SmallVector<const NamespaceDecl *, 4>;

/// The namespaces around a declaration, outermost first; none if it is in a
/// class.
std::optional<Namespaces> namespacesOf(const Decl *D) {
  Namespaces All;
  for (const DeclContext *C = D->getDeclContext(); !C->isTranslationUnit();
       C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C))
      All.insert(All.begin(), N);
    else if (!isa<LinkageSpecDecl>(C))
      return std::nullopt;
  return All;
}

bool same(const NamespaceDecl *A, const NamespaceDecl *B) {
  return A->getCanonicalDecl() == B->getCanonicalDecl();
}

/// Does a declaration call the helper, or a template of its name?
bool calls(Decl *D, const FunctionDecl *Helper) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const FunctionDecl *Helper;
    bool Found = false;
    bool VisitDeclRefExpr(const DeclRefExpr *E) override {
      const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
      return !(Found |= F && written(F)->getCanonicalDecl() ==
                                 Helper->getCanonicalDecl());
    }
    bool VisitUnresolvedLookupExpr(const UnresolvedLookupExpr *E) override {
      return !(Found |= E->getName() == Helper->getDeclName());
    }
    bool VisitDependentScopeDeclRefExpr(
        const DependentScopeDeclRefExpr *E) override {
      return !(Found |= E->getDeclName() == Helper->getDeclName());
    }
  } F;
  F.Helper = Helper;
  F.TraverseDecl(D);
  return F.Found;
}

/// A declaration of the file that calls the helper, and the namespaces around.
struct Caller {
  const Decl *D;
  Namespaces In; ///< as they are opened around it
};

class CallerFinder {
public:
  CallerFinder(const FunctionDecl *Helper, const SourceText &Source)
      : Helper(Helper), Source(Source),
        SM(Source.context().getSourceManager()) {
    visit(Source.context().getTranslationUnitDecl());
  }
  llvm::SmallVector<Caller, 4> Found; ///< in the order of the text

private:
  const FunctionDecl *Helper;
  const SourceText &Source;
  const SourceManager &SM;
  Namespaces In;

  void visit(const DeclContext *Context) {
    for (Decl *D : Context->noload_decls()) {
      if (D->isImplicit() || D->getLocation().isInvalid() ||
          SM.getFileID(SM.getExpansionLoc(D->getBeginLoc())) != Source.file())
        continue;
      if (const auto *N = dyn_cast<NamespaceDecl>(D)) {
        In.push_back(N);
        visit(N);
        In.pop_back();
      } else if (const auto *L = dyn_cast<LinkageSpecDecl>(D)) {
        visit(L);
      } else if (calls(D, Helper)) {
        Found.push_back({D, In});
      }
    }
  }
};

/// What stands in front of a declaration, in one walk over the file's tokens.
class Above {
public:
  Above(unsigned Declaration, const SourceText &Source) : Source(Source) {
    const std::string Text = Source.all().str(); // the lexer wants a final null
    Lexer Lex(SourceLocation(), Source.context().getLangOpts(), Text.data(),
              Text.data(), Text.data() + Text.size());
    Lex.SetCommentRetentionState(true);
    Token T;
    bool Directive = false, Between = true; // two declarations
    unsigned Last = 0;                      // end of the token before
    do {
      Lex.LexFromRawLexer(T);
      unsigned End = Lex.getBufferLocation() - Text.data();
      unsigned At = End - T.getLength();
      if (At >= Declaration && !T.is(tok::comment))
        break;
      if (T.isAtStartOfLine())
        Directive = false;
      bool OwnLine = Source.lineStart(At) >= Last || Last == 0;
      // Blank lines end what belongs together.
      bool Apart = Source.at({Last, At}).count('\n') > 1;
      if (T.is(tok::hash) && T.isAtStartOfLine())
        Directive = directive(T, Lex, At, Apart);
      else if (T.is(tok::comment) && !Directive) {
        if (Between && OwnLine && (!First || Apart))
          First = Source.lineStart(At);
      } else if (!Directive) {
        if (Between && (!First || Apart))
          First = Source.lineStart(At);
        Between = T.isOneOf(tok::semi, tok::r_brace, tok::l_brace);
        if (Between)
          First.reset();
      }
      Last = Lex.getBufferLocation() - Text.data();
    } while (T.isNot(tok::eof));
    if (!First || (Between && Source.at({Last, Declaration}).count('\n') > 1))
      First = Source.lineStart(Declaration);
  }

  /// Where the declaration begins, with the comments and pragmas above it.
  unsigned begin() const { return *First; }
  /// The conditions that are open there: where each begins, with the comment
  /// above it, and which of its branches it is.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> Conditions;

private:
  const SourceText &Source;
  std::optional<unsigned> First;

  /// True if the rest of the line is the directive's.
  bool directive(Token T, Lexer &Lex, unsigned At, bool Apart) {
    Lex.LexFromRawLexer(T);
    llvm::StringRef Name =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : llvm::StringRef();
    if (Name.starts_with("if"))
      Conditions.push_back(
          {First && !Apart ? *First : Source.lineStart(At), 0});
    else if (Name.starts_with("el") && !Conditions.empty())
      ++Conditions.back().second;
    else if (Name == "endif" && !Conditions.empty())
      Conditions.pop_back();
    if (Name != "pragma")
      First.reset();
    else if (!First || Apart)
      First = Source.lineStart(At);
    return true;
  }
};

/// A word of the helper that is a macro there and none, or maybe another one,
/// where its clone goes.
std::string macroThatEnded(llvm::StringRef Text, const ASTContext &Context) {
  for (const auto &Word : wordsOf(Text))
    if (const IdentifierInfo &Known = Context.Idents.get(Word.first());
        Known.hadMacroDefinition() && !Known.hasMacroDefinition())
      return Word.first().str();
  return {};
}

/// Opens the namespaces from the one numbered From on.
void open(const Namespaces &All, size_t From, ClonePlace &Place) {
  for (const NamespaceDecl *N : llvm::drop_begin(All, From)) {
    Place.Open += N->isInline() ? "inline namespace " : "namespace ";
    if (!N->isAnonymousNamespace())
      Place.Open += N->getNameAsString() + " ";
    Place.Open += "{\n";
    const Message End =
        N->isAnonymousNamespace()
            ? Message(msg::comment_end_of_unnamed)
            : Message(msg::comment_end_of_namespace, N->getNameAsString());
    Place.Close = "} // " + End.str() + "\n" + Place.Close;
  }
}

} // namespace

unsigned beginWithComments(unsigned Declaration, const SourceText &Source) {
  return Above(Declaration, Source).begin();
}

Range wholeText(const FunctionDecl *Helper, const SourceText &Its) {
  const FunctionDecl *W = written(Helper);
  SourceLocation Begin = W->getBeginLoc();
  if (const FunctionTemplateDecl *T = W->getDescribedFunctionTemplate())
    Begin = T->getBeginLoc();
  return {Its.expansionOffset(Begin),
          Its.tokenEnd(Its.expansionOffset(W->getEndLoc()))};
}

llvm::Expected<ClonePlace> clonePlace(const FunctionDecl *Helper,
                                      SourceTexts &Texts) {
  const FunctionDecl *W = written(Helper);
  const SourceText &Its = Texts.of(W), &Own = Texts.own();
  ClonePlace Place;
  if (!Texts.isElsewhere(W)) {
    Place.Offset = wholeText(W, Own).End;
    Place.Behind = true;
    return Place;
  }
  const std::string Name = W->getNameAsString();
  std::optional<Namespaces> Wanted = namespacesOf(W);
  CallerFinder Callers(W, Own);
  if (!Wanted || Callers.Found.empty())
    return cannotMove(msg::helper_in_other_file, Name);
  if (std::string Ended =
          macroThatEnded(Its.at(wholeText(W, Its)), Own.context());
      !Ended.empty())
    return cannotMove(msg::helper_macro_ended, Name, Ended);

  // In the namespaces that both share, in front of what leads to the caller.
  const Caller &First = Callers.Found.front();
  size_t Shared = 0;
  while (Shared != Wanted->size() && Shared != First.In.size() &&
         same((*Wanted)[Shared], First.In[Shared]))
    ++Shared;
  const Decl *Next = Shared == First.In.size() ? First.D : First.In[Shared];
  open(*Wanted, Shared, Place);
  Above At(Own.expansionOffset(Next->getBeginLoc()), Own);
  Place.Offset = At.begin();
  // What is compiled for one caller is compiled for all of them.
  size_t Common = At.Conditions.size();
  for (const Caller &C : llvm::drop_begin(Callers.Found)) {
    Above Other(Own.expansionOffset(C.D->getBeginLoc()), Own);
    size_t Equal = 0;
    while (Equal != Common && Equal != Other.Conditions.size() &&
           At.Conditions[Equal] == Other.Conditions[Equal])
      ++Equal;
    Common = Equal;
  }
  if (Common != At.Conditions.size())
    Place.Offset = At.Conditions[Common].first;
  Place.Indent =
      Own.indentation(Own.expansionOffset(Next->getBeginLoc())).str();
  Place.AfterBlank =
      Own.all().take_front(Place.Offset).rtrim(" \t\r").ends_with("\n\n");
  const SourceManager &SM = Own.context().getSourceManager();
  if (!SM.isBeforeInTranslationUnit(
          SM.getExpansionLoc(W->getEndLoc()),
          SM.getComposedLoc(Own.file(), Place.Offset)))
    return cannotMove(msg::helper_after_kernel, Name);
  return Place;
}

} // namespace kpipe
