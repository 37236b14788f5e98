// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks through tokens of the files, see Unread.h.

#include "UnreadText.h"
#include "FileTokens.h"
#include "Support/RawNames.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Said to be a system's only in its text.
bool isKpipes(llvm::StringRef File) {
  return File.starts_with("/__kpipe__/declarations/") ||
         File.starts_with("/__kpipe__/nvcc/");
}

} // namespace

UnreadText::UnreadText(const ASTContext &Context,
                       llvm::ArrayRef<SourceRange> Skipped)
    : Context(Context), SM(Context.getSourceManager()) {
  sortSkipped(Skipped);
  llvm::SmallVector<FileID, 8> Files;
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
    if (!E.isFile() || !E.getFile().getContentCache().OrigEntry ||
        SrcMgr::isSystem(E.getFile().getFileCharacteristic()) ||
        isKpipes(E.getFile().getName()))
      continue;
    Files.push_back(
        SM.getFileID(SourceLocation::getFromRawEncoding(E.getOffset())));
  }
  for (llvm::StringRef Name :
       {"__CUDA_ARCH__", "__CUDA_ARCH_LIST__", "__CUDA_ARCH_FEAT_SM90_ALL"})
    OfPass.insert(Name);
  // Clang reads this text, and nvcc compiles it.
  for (llvm::StringRef Name :
       {"__clang__", "__clang_major__", "__clang_minor__", "__clang_version__",
        "__llvm__", "__has_feature", "__has_extension", "__CUDA__", "__NVCC__",
        "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__", "__CUDACC_VER_BUILD__",
        "__EDG__"})
    OfPass.insert(Name);
  // Macros that are defined under such conditions vary as well.
  for (bool More = true; More;) {
    More = false;
    for (FileID File : Files)
      More |= findVarying(File);
  }
  for (FileID File : Files) {
    macros(File);
    arguments(File);
  }
  for (SourceRange R : Skipped)
    if (!SM.isInSystemHeader(R.getBegin()))
      skipped(R);
  findVaryingMacros();
}

/// Notes the stretches of a file under conditions that name a macro of OfPass,
/// and adds the macros that are defined there. True if there are new ones.
bool UnreadText::findVarying(FileID File) {
  bool Invalid = false;
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  auto &Found = Varying[File];
  Found.clear();
  // A name may go on in the next line.
  bool Names = !Invalid && (Text.contains("\\\n") || Text.contains("\\\r") ||
                            llvm::any_of(OfPass, [&](const auto &Entry) {
                              return Text.contains(Entry.getKey());
                            }));
  if (!Names)
    return false;
  llvm::SmallVector<std::pair<unsigned, bool>, 8> Open; // begin, varies
  unsigned Word = 0, Line = 0;
  llvm::StringRef Directive;
  bool Hash = false, More = false;
  eachToken(Context, File, 0, Text.size(), [&](const Token &T) {
    if (T.isAtStartOfLine()) {
      Hash = T.is(tok::hash);
      Word = 0;
      Line = SM.getFileOffset(T.getLocation());
    }
    if (!Hash || !T.is(tok::raw_identifier))
      return;
    llvm::StringRef Name = rawName(T, Context);
    if (++Word == 1) {
      Directive = Name;
      if (Name.starts_with("if"))
        Open.push_back({Line, false});
      else if (Name == "endif" && !Open.empty()) {
        if (Open.pop_back_val().second)
          Found.back().second = Line;
      }
      return;
    }
    bool Condition = Directive.starts_with("if") || Directive.starts_with("el");
    if (Condition && !Open.empty() && OfPass.contains(Name) &&
        llvm::none_of(Open, [](const auto &O) { return O.second; })) {
      Open.back().second = true;
      Found.push_back({Open.back().first, unsigned(Text.size())});
    }
    if ((Directive == "define" || Directive == "undef") && Word == 2 &&
        llvm::any_of(Open, [](const auto &O) { return O.second; }))
      More |= OfPass.insert(Name).second;
  });
  return More;
}

void UnreadText::sortSkipped(llvm::ArrayRef<SourceRange> Ranges) {
  for (SourceRange R : Ranges) {
    auto [File, From] = SM.getDecomposedLoc(R.getBegin());
    auto [Other, To] = SM.getDecomposedLoc(R.getEnd());
    if (File == Other)
      Skipped[File].push_back({From, To});
  }
  for (auto &[File, All] : Skipped) {
    llvm::sort(All);
    unsigned Last = 0;
    for (auto &[From, To] : All)
      To = Last = std::max(Last, To);
  }
}

/// (No file is included from what is left out.)
bool UnreadText::isSkipped(SourceLocation L) const {
  auto [File, At] = SM.getDecomposedLoc(L);
  auto Of = Skipped.find(File);
  if (Of == Skipped.end())
    return false;
  auto After = llvm::partition_point(
      Of->second, [At = At](const auto &R) { return R.first <= At; });
  return After != Of->second.begin() && At <= std::prev(After)->second;
}

void UnreadText::skipped(SourceRange Range) {
  auto [File, From] = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin()));
  auto [Other, To] = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getEnd()));
  if (File != Other)
    return;
  // `#if 0` is read by nobody. The range begins at the directive's `#`.
  llvm::StringRef Line =
      SM.getBufferData(File).substr(From).split('\n').first.ltrim("# \t");
  if (Line.consume_front("if") && Line.trim() == "0")
    return;
  // A launch of another configuration asks for dynamic shared memory as well.
  llvm::SmallVector<Token, 16> Statement;
  eachToken(Context, File, From, To, [&](const Token &T) {
    if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::hash))
      Statement.clear();
    else if (T.is(tok::raw_identifier))
      Statement.push_back(T);
    else if (T.is(tok::lesslessless))
      for (const Token &Name : Statement)
        HiddenLaunches.try_emplace(rawName(Name, Context), Name.getLocation());
  });
  const auto &Stretches = Varying[File];
  eachToken(Context, File, From, To, [&](const Token &T) {
    if (T.is(tok::raw_identifier))
      InSkipped.insert(rawName(T, Context));
    unsigned At = SM.getFileOffset(T.getLocation());
    if (T.is(tok::raw_identifier) &&
        llvm::any_of(Stretches, [&](const auto &S) {
          return S.first <= At && At < S.second;
        }))
      Words[rawName(T, Context)].push_back({T.getLocation(), false, ""});
  });
}

void UnreadText::macros(FileID File) {
  bool Invalid = false;
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid || !Text.contains("define"))
    return;
  bool Hash = false, Body = false;
  unsigned Words = 0;
  llvm::StringRef Name;
  eachToken(Context, File, 0, Text.size(), [&](const Token &T) {
    if (T.isAtStartOfLine()) {
      Hash = T.is(tok::hash);
      Body = false;
      Words = 0;
    }
    if (!T.is(tok::raw_identifier))
      return;
    if (Hash && ++Words == 1)
      Body = rawName(T, Context) == "define";
    else if (Body && Words == 2)
      Name = rawName(T, Context);
    else if (Body)
      this->Words[rawName(T, Context)].push_back({T.getLocation(), true, Name});
  });
}

llvm::SmallVector<SourceLocation, 2>
UnreadText::find(llvm::StringRef Name,
                 llvm::ArrayRef<SourceLocation> Read) const {
  llvm::SmallVector<SourceLocation, 2> Found;
  auto It = Words.find(Name);
  if (It == Words.end())
    return Found;
  for (const Word &W : It->second) {
    // A macro's body is read by who uses the macro: here, or where nobody
    // looks.
    bool Used = !W.InMacro ||
                (Words.count(W.Macro) &&
                 llvm::any_of(Words.find(W.Macro)->second,
                              [](const Word &Use) { return !Use.InMacro; }));
    if (Used && (!W.InMacro || llvm::none_of(Read, [&](SourceLocation L) {
          return SM.getSpellingLoc(L) == W.Where;
        })))
      Found.push_back(W.Where);
  }
  return Found;
}

/// Arguments of macros, which an expansion may drop in this configuration.
void UnreadText::arguments(FileID File) {
  bool Directive = false, Macro = false;
  unsigned Depth = 0; // of parentheses, from a macro's on
  eachToken(
      Context, File, 0, SM.getBufferData(File).size(), [&](const Token &T) {
        if (T.isAtStartOfLine())
          Directive = T.is(tok::hash);
        if (Directive)
          return;
        if (T.is(tok::l_paren) && (Macro || Depth))
          ++Depth;
        else if (T.is(tok::r_paren) && Depth)
          --Depth;
        Macro = false;
        if (!T.is(tok::raw_identifier))
          return;
        if (Depth)
          Arguments[rawName(T, Context)].push_back(T.getLocation());
        Macro = Context.Idents.get(rawName(T, Context)).hadMacroDefinition();
      });
}

void UnreadText::addTo(LaunchIndex &Launches, const CallIndex &Calls) const {
  for (const auto &[F, All] : Calls.Calls) {
    const FunctionDecl *Written = writtenKernel(F)->getCanonicalDecl();
    if (!F->getIdentifier() || F->hasAttr<CUDAGlobalAttr>())
      continue;
    llvm::SmallVector<SourceLocation, 4> Read;
    for (const CallExpr *C : All)
      Read.push_back(C->getCallee()->getExprLoc());
    if (const auto Found = find(F->getName(), Read); !Found.empty())
      Launches.Unread[Written] = Found.front();
    if (InSkipped.contains(F->getName()))
      Launches.NamedInSkipped.insert(Written);
  }
  for (const auto &[Kernel, Mentions] : Launches.Mentions) {
    const FunctionDecl *Definition = nullptr;
    SourceRange Own = Kernel->hasBody(Definition) ? Definition->getSourceRange()
                                                  : Kernel->getSourceRange();
    if (!Kernel->getIdentifier())
      continue;
    llvm::SmallVector<SourceLocation, 4> Unread =
        find(Kernel->getName(), Mentions);
    if (auto It = HiddenLaunches.find(Kernel->getName());
        It != HiddenLaunches.end())
      Unread.push_back(It->second);
    if (auto It = Arguments.find(Kernel->getName()); It != Arguments.end())
      for (SourceLocation L : It->second)
        if (!isSkipped(L) && !Launches.OtherArguments.contains(L) &&
            llvm::none_of(Mentions, [&](SourceLocation M) {
              return SM.getSpellingLoc(M) == L;
            }))
          Unread.push_back(L);
    for (SourceLocation L : Unread)
      if (!(SM.isBeforeInTranslationUnit(Own.getBegin(), L) &&
            SM.isBeforeInTranslationUnit(L, Own.getEnd()))) {
        Launches.Unread[Kernel] = L;
        break;
      }
    if (InSkipped.contains(Kernel->getName()))
      Launches.NamedInSkipped.insert(Kernel);
  }
  markUncertainSizes(Launches);
}

/// Directives in the text of a statement that is moved or copied. Those of a
/// condition may stay where the whole statement goes as it is.
std::optional<Obstacle>
UnreadText::directives(const LoopFacts &Loop, const Stmt *S, bool Whole) const {
  auto [File, From] = SM.getDecomposedLoc(SM.getExpansionLoc(S->getBeginLoc()));
  auto [Other, To] =
      SM.getDecomposedLoc(SM.getExpansionRange(S->getEndLoc()).getEnd());
  auto Refuse = [&](SourceLocation Where, const Message &What) {
    return Obstacle{RuleId::Preprocessor, Where, What, {}};
  };
  if (File != Other)
    return Refuse(S->getBeginLoc(), msg::loop_in_two_files);
  std::optional<Obstacle> Found;
  bool Hash = false;
  int Open = 0;
  SourceLocation At;
  eachToken(Context, File, From, To, [&](const Token &T) {
    if (!Hash || !T.is(tok::raw_identifier)) {
      Hash = T.is(tok::hash) && T.isAtStartOfLine();
      return;
    }
    Hash = false;
    At = T.getLocation();
    llvm::StringRef Name = rawName(T, Context);
    if (Found || Name == "pragma")
      return;
    bool Condition =
        Name.starts_with("if") || Name.starts_with("el") || Name == "endif";
    if (!Condition)
      Found = Refuse(At, {msg::directive_in_body, Name});
    else if (!Whole)
      Found = Refuse(At, msg::conditional_in_load);
    Open += Name.starts_with("if") ? 1 : Name == "endif" ? -1 : 0;
    if (!Found && Open < 0)
      Found = Refuse(At, msg::conditional_splits_statement);
  });
  if (!Found && Open != 0)
    Found = Refuse(At, msg::conditional_splits_statement);
  return Found;
}

llvm::StringRef UnreadText::textOf(const FunctionDecl *F) const {
  return Lexer::getSourceText(SM.getExpansionRange(F->getSourceRange()), SM,
                              Context.getLangOpts());
}

std::optional<Obstacle> UnreadText::obstacle(const LoopFacts &Facts) const {
  const TileLoop &Tile = Facts.Tile;
  for (const BodyItem &I : Tile.Body)
    if (auto Found = directives(Facts, I.S, I.InCompute && !I.InLoad))
      return Found;
  if (const auto *F = dyn_cast<ForStmt>(Tile.Loop))
    for (const Stmt *Part :
         {F->getInit(), static_cast<const Stmt *>(F->getCond()),
          static_cast<const Stmt *>(F->getInc())})
      if (Part)
        if (auto Found = directives(Facts, Part, false))
          return Found;
  llvm::SmallVector<const FunctionDecl *, 2> Functions{Tile.Function};
  for (const TileCopy &C : Tile.Copies)
    if (C.Helper && !llvm::is_contained(Functions, C.Helper)) {
      Functions.push_back(C.Helper);
      if (auto Found = directives(Facts, C.Helper->getBody(), false))
        return Found;
    }

  // What the rewrite gives another meaning, or another place.
  llvm::SmallVector<const VarDecl *, 8> Changed;
  for (const StagedBuffer &B : Tile.Buffers) {
    Changed.push_back(B.Var);
    Changed.append(B.Views.begin(), B.Views.end());
  }
  for (const HeaderVar &H : Tile.HeaderVars)
    Changed.push_back(H.Var);
  Changed.append(Tile.PrivateToLoad.begin(), Tile.PrivateToLoad.end());
  // What the body itself declares may be declared in another place, or twice;
  // what stands deeper goes with its statement.
  for (const BodyItem &I : Tile.Body)
    if (const auto *D = dyn_cast<DeclStmt>(I.S))
      for (const Decl *X : D->decls())
        Changed.push_back(dyn_cast<VarDecl>(X));
  for (const VarDecl *V : Changed) {
    if (!V || !V->getIdentifier())
      continue;
    auto It = Words.find(V->getName());
    if (It == Words.end())
      continue;
    for (const Word &W : It->second)
      for (const FunctionDecl *F : Functions) {
        // A macro's other definition is read where the function uses the macro.
        bool Read =
            W.InMacro
                ? isSkipped(W.Where) && textOf(F).contains(W.Macro)
                : SM.isBeforeInTranslationUnit(F->getBeginLoc(), W.Where) &&
                      SM.isBeforeInTranslationUnit(W.Where, F->getEndLoc());
        if (!Read)
          continue;
        return Obstacle{RuleId::Preprocessor,
                        W.Where,
                        {msg::named_in_skipped_text, quoted(V)},
                        {}};
      }
  }
  return std::nullopt;
}

} // namespace kpipe
