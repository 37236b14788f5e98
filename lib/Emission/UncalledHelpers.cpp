// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See kpipe/UncalledHelpers.h. Names are looked for in the text, where code
// counts that the preprocessor leaves out and that of templates which nobody
// instantiates.
#include "kpipe/UncalledHelpers.h"
#include "HelperPlace.h"
#include "kpipe/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Can nobody but this unit call it?
bool isOfThisUnit(const FunctionDecl *W, const SourceManager &SM) {
  const bool InMain = SM.isInFileID(W->getLocation(), SM.getMainFileID()) &&
                      !isHeaderName(SM.getFilename(W->getLocation()));
  if (!InMain || isa<CXXMethodDecl>(W) || W->isExternC() ||
      W->getPreviousDecl() || W->getMostRecentDecl() != W ||
      W->hasAttr<UsedAttr>() || W->hasAttr<AsmLabelAttr>())
    return false;
  // What is linked with other device code may be declared there. What is inline
  // needs a definition in each unit.
  const bool DeviceOnly = W->hasAttr<CUDADeviceAttr>() &&
                          !W->hasAttr<CUDAHostAttr>() &&
                          !W->hasAttr<CUDAGlobalAttr>();
  return !W->isExternallyVisible() || W->isInlined() ||
         W->getDescribedFunctionTemplate() ||
         (DeviceOnly &&
          !W->getASTContext().getLangOpts().GPURelocatableDeviceCode);
}

/// Is a name written in a text, other than in comments?
bool mentions(llvm::StringRef Code, llvm::StringRef Name,
              const LangOptions &Language) {
  if (!Code.contains(Name))
    return false;
  const std::string Text = Code.str(); // the lexer wants a final null
  Lexer Lex(SourceLocation(), Language, Text.data(), Text.data(),
            Text.data() + Text.size());
  Token T;
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    const llvm::StringRef Spelled(Lex.getBufferLocation() - T.getLength(),
                                  T.getLength());
    // In a string, or what the lexer cannot tell, it is one of the words.
    if (T.is(tok::raw_identifier) ? Spelled == Name
                                  : wordsOf(Spelled).contains(Name))
      return true;
  }
  return false;
}

/// Can a `##` of a text that this parse does not read make a name of words that
/// stand there?
bool mayPaste(llvm::StringRef Code, llvm::StringRef Name,
              const LangOptions &Language) {
  if (!Code.contains("##"))
    return false;
  bool Front = false, Back = false;
  for (const auto &Word : identifiersOf(Code, Language)) {
    const llvm::StringRef W = Word.getKey();
    Front |= W.size() < Name.size() && Name.starts_with(W);
    Back |= W.size() < Name.size() && Name.ends_with(W);
  }
  return Front && (Back || llvm::isDigit(Name.back()));
}

/// Is it called by the text of a macro, whatever that looks like?
bool calledByMacro(const FunctionDecl *W) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const FunctionDecl *W;
    const SourceManager &SM;
    bool Found = false;
    Finder(const FunctionDecl *W)
        : W(W), SM(W->getASTContext().getSourceManager()) {}
    bool named(DeclarationName Name, SourceLocation At) {
      Found |= Name == W->getDeclName() && At.isMacroID() &&
               !SM.isMacroArgExpansion(At);
      return !Found;
    }
    bool VisitDeclRefExpr(const DeclRefExpr *E) override {
      return named(E->getDecl()->getDeclName(), E->getLocation());
    }
    bool VisitOverloadExpr(const OverloadExpr *E) override {
      return named(E->getName(), E->getNameLoc());
    }
  } F(W);
  F.TraverseDecl(W->getASTContext().getTranslationUnitDecl());
  return F.Found;
}

/// Is the name a word of another file of the user's?
bool namedInOtherFile(const FunctionDecl *W, const SourceManager &SM) {
  const LangOptions &Language = W->getASTContext().getLangOpts();
  // (What comes precompiled is the system's.)
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() ||
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    const FileID ID =
        SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    auto Text = SM.getBufferDataOrNone(ID);
    if (ID != SM.getMainFileID() && Text &&
        mentions(*Text, W->getName(), Language))
      return true;
  }
  return false;
}

/// The text with its edits.
std::string edited(llvm::StringRef Text, const std::set<TextEdit> &Edits) {
  std::string New;
  size_t At = 0;
  for (const TextEdit &E : Edits) {
    if (E.Offset < At)
      continue;
    New += Text.slice(At, E.Offset);
    New += E.Text;
    At = E.Offset + E.Length;
  }
  return New + Text.substr(At).str();
}

/// A helper's text with what is above it and belongs to it, and its clones.
class Removal {
public:
  Removal(const FunctionDecl *W, const SourceText &Source)
      : W(W), Source(Source), Whole(wholeText(W, Source)),
        Begin(beginWithComments(Whole.Begin, Source)) {}

  /// Replaces the helper by its clones, if nobody calls it then.
  void run(llvm::ArrayRef<EmittedClone> Clones,
           std::set<TextEdit> &Edits) const {
    std::set<TextEdit> Others;
    std::vector<const EmittedClone *> Mine;
    for (const TextEdit &E : Edits) {
      const auto Clone = llvm::find_if(Clones, [&](const EmittedClone &C) {
        return C.Behind == W && C.Text == E.Text;
      });
      if (E.Offset == Whole.End && E.Length == 0 && Clone != Clones.end())
        Mine.push_back(&*Clone);
      else if (E.Offset <= Whole.End && E.Offset + E.Length > Begin)
        return;
      else
        Others.insert(E);
    }
    if (Mine.empty() || !standsAlone())
      return;
    replaceBy(Mine, Others);
    const std::string New = edited(Source.all(), Others);
    const LangOptions &Language = Source.context().getLangOpts();
    if (!mentions(New, W->getName(), Language) &&
        !mayPaste(New, W->getName(), Language))
      Edits = std::move(Others);
  }

private:
  const FunctionDecl *W;
  const SourceText &Source;
  const Range Whole;
  const unsigned Begin;

  /// Nothing else is on its lines, and no condition begins or ends in it.
  bool standsAlone() const {
    auto Blank = [&](unsigned From, unsigned To) {
      return Source.at({From, To}).trim().empty();
    };
    if (!Blank(Source.lineStart(Whole.Begin), Whole.Begin) ||
        !Blank(Whole.End, Source.lineEnd(Whole.End)))
      return false;
    for (llvm::StringRef Line : llvm::split(Source.at(Whole), '\n'))
      if (Line.ltrim().consume_front("#") &&
          !Line.ltrim().drop_front().ltrim().starts_with("pragma"))
        return false;
    return true;
  }

  /// What is said of the helper is said of the first clone that is a function.
  void replaceBy(llvm::ArrayRef<const EmittedClone *> Clones,
                 std::set<TextEdit> &Edits) const {
    const std::string Indent = Source.indentation(Whole.Begin).str();
    const size_t Apart = 2 + Indent.size(); // "\n\n" in front of each part
    std::string Text;
    for (const EmittedClone *C : Clones)
      Text += C->Text;
    Text.erase(0, Apart);
    const std::string &Struct = Clones.front()->Struct;
    // The file's first comment is the file's: the runtime is included below it.
    const bool Commented = Begin != 0 && Begin != Source.lineStart(Whole.Begin);
    if (Commented && !Struct.empty()) {
      Edits.insert({Begin, 0, Indent + Struct + "\n\n"});
      Text.erase(0, Struct.size() + Apart);
    }
    Edits.insert({Whole.Begin, Whole.size(), std::move(Text)});
  }
};

} // namespace

void removeUncalled(llvm::ArrayRef<EmittedClone> Clones,
                    std::set<TextEdit> &Edits) {
  llvm::SetVector<const FunctionDecl *> Helpers;
  for (const EmittedClone &C : Clones)
    if (C.Behind)
      Helpers.insert(C.Behind);
  for (const FunctionDecl *W : Helpers) {
    const ASTContext &Context = W->getASTContext();
    const SourceManager &SM = Context.getSourceManager();
    if (!W->getIdentifier() || W->getLocation().isMacroID() ||
        !isOfThisUnit(W, SM) || calledByMacro(W) || namedInOtherFile(W, SM))
      continue;
    const SourceText Source(Context, SM.getMainFileID());
    Removal(W, Source).run(Clones, Edits);
  }
}

} // namespace kpipe
