// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every mention of a kernel's name, see LaunchValidator.h. A mention is fine if
// the statement around it asks for the bytes of all stages after the edits, or if
// the parse knows that something else of the same name is meant. All else may be
// a launch: in a macro's body or argument, by a pointer, in another pass.

#include "LaunchValidator.h"
#include "CallingKernels.h"
#include "Emission/DynamicShared.h"
#include "GivenBytes.h"
#include "HeldKernels.h"
#include "IndirectLaunches.h"
#include "NameMeanings.h"
#include "Support/RawNames.h"
#include "kpipe/NamedInstances.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

/// One mention in the text, and what the tokens around it tell.
struct Mention {
  unsigned At = 0, StatementEnd = 0;
  llvm::StringRef Macro; ///< in whose body it stands
  /// The statement launches something.
  bool Launches = false;
  bool Chevrons = false; ///< with `<<<`
  /// An argument of a call that only sets or asks something.
  bool OnlySets = false;
};

/// The mentions of a name in one file.
class Scan {
public:
  Scan(llvm::StringRef Name, FileID File, llvm::StringRef Text,
       const ASTContext &Context)
      : Name(Name), Context(Context) {
    const SourceManager &SM = Context.getSourceManager();
    Lexer Tokens(SM.getLocForStartOfFile(File), Context.getLangOpts(),
                 Text.begin(), Text.begin(), Text.end());
    Token T;
    while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof))
      token(T, SM.getFileOffset(T.getLocation()));
    statementEnds(Text.size());
  }

  std::vector<Mention> Found;
  /// Macros that are named anywhere but where they are defined.
  llvm::StringSet<> Used;

private:
  llvm::StringRef Name;
  const ASTContext &Context;
  // The statement.
  std::vector<Mention> Open;
  llvm::SmallVector<llvm::StringRef, 8> Calls; ///< of open parentheses
  bool Launches = false, Chevrons = false, InChevrons = false;
  llvm::StringRef Word; ///< the token before, if a name
  bool Member = false;  ///< behind `.` or `->`
  // The directive.
  enum class Line { Code, Hash, Define, Name, Parameters, Body, Other };
  Line In = Line::Code;
  llvm::StringRef Macro;
  bool Conditional = false, Zero = false;
  unsigned Depth = 0, ZeroDepth = 0; ///< of conditions; of the `#if 0`

  void statementEnds(unsigned At) {
    for (Mention &M : Open) {
      if (!M.StatementEnd)
        M.StatementEnd = At;
      M.Launches = Launches || Chevrons;
      M.Chevrons = Chevrons;
      Found.push_back(M);
    }
    Open.clear();
    Calls.clear();
    Launches = Chevrons = InChevrons = false;
    Word = {};
  }

  void token(const Token &T, unsigned At) {
    if (T.isAtStartOfLine() && (In != Line::Code || T.is(tok::hash))) {
      statementEnds(At);
      lineEnds();
      In = T.is(tok::hash) ? Line::Hash : Line::Code;
      Macro = {};
      if (In == Line::Hash)
        return;
    }
    if (In == Line::Code || In == Line::Body)
      return code(T, At);
    directive(T, At);
  }

  void lineEnds() {
    if (Conditional && Zero && !ZeroDepth)
      ZeroDepth = Depth;
    Conditional = Zero = false;
  }

  void directive(const Token &T, unsigned At) {
    const bool IsName = T.is(tok::raw_identifier);
    llvm::StringRef Text = IsName ? rawName(T, Context) : llvm::StringRef();
    switch (In) {
    case Line::Hash:
      In = Text == "define" ? Line::Define : Line::Other;
      Conditional = Text == "if";
      if (Text.starts_with("if"))
        ++Depth;
      // The other branch of `#if 0` is read.
      if (Depth == ZeroDepth && (Text.starts_with("el") || Text == "endif"))
        ZeroDepth = 0;
      if (Text == "endif" && Depth)
        --Depth;
      return;
    case Line::Define:
      Macro = Text;
      In = Line::Name;
      return;
    case Line::Name:
      In = T.is(tok::l_paren) && !T.hasLeadingSpace() ? Line::Parameters
                                                      : Line::Body;
      if (In == Line::Body)
        code(T, At);
      return;
    case Line::Parameters:
      // A parameter of the same name is no kernel, nor is what it stands for.
      In = Text == Name             ? Line::Other
           : T.is(tok::r_paren) ? Line::Body
                                : Line::Parameters;
      return;
    default:
      if (Conditional) {
        Zero = T.is(tok::numeric_constant) &&
               llvm::StringRef(T.getLiteralData(), T.getLength()) == "0";
        Conditional = Zero;
      }
      return;
    }
  }

  void code(const Token &T, unsigned At) {
    if (ZeroDepth)
      return;
    const bool Behind = Member;
    Member = T.isOneOf(tok::period, tok::arrow);
    // `k<<<dim3{1}, …>>>`: such braces are a part of the launch.
    InChevrons = T.is(tok::lesslessless) ||
                 (InChevrons && T.isNot(tok::greatergreatergreater));
    if (T.is(tok::semi) ||
        (!InChevrons && T.isOneOf(tok::l_brace, tok::r_brace)))
      return statementEnds(At);
    Chevrons |= T.is(tok::lesslessless);
    if (T.is(tok::l_paren))
      Calls.push_back(Word);
    else if (T.is(tok::r_paren) && !Calls.empty())
      Calls.pop_back();
    Word = {};
    if (T.isNot(tok::raw_identifier))
      return;
    Word = rawName(T, Context);
    if (Word != Macro)
      Used.insert(Word);
    Launches |= Word.starts_with("cudaLaunch") || Word.starts_with("cuLaunch");
    if (Word != Name || Behind)
      return;
    if (!Open.empty() && Open.back().StatementEnd == 0)
      Open.back().StatementEnd = At; // its edits end where the next one begins
    Mention M;
    M.At = At;
    M.Macro = Macro;
    M.OnlySets = llvm::any_of(Calls, [](llvm::StringRef Call) {
      return Call == "cudaFuncSetAttribute" || Call == "cudaFuncSetCacheConfig";
    });
    Open.push_back(M);
  }
};

struct ScannedFile {
  FileID Id;
  Scan Tokens;
  bool System;
};

/// The unit's files in which a launch may stand, and the macros that they name.
class ScannedUnit {
public:
  ScannedUnit(llvm::StringRef Kernel, const ASTContext &Context);

  std::vector<ScannedFile> Files;
  llvm::StringSet<> Used;
};

ScannedUnit::ScannedUnit(llvm::StringRef Kernel, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<const SrcMgr::SLocEntry *> Entries;
  for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
    Entries.push_back(&SM.getLocalSLocEntry(I));
    if (Entries.size() == 2) // the main file; headers that came precompiled
      for (unsigned J = SM.loaded_sloc_entry_size(); J-- != 0;)
        Entries.push_back(&SM.getLoadedSLocEntry(J));
  }
  for (const SrcMgr::SLocEntry *Entry : Entries) {
    const SrcMgr::SLocEntry &E = *Entry;
    if (!E.isFile() || !E.getFile().getContentCache().OrigEntry)
      continue;
    FileID Id = SM.getFileID(SourceLocation::getFromRawEncoding(E.getOffset()));
    // What kpipe itself brings along launches nothing.
    if (E.getFile().getName().starts_with("/__kpipe__/"))
      continue;
    bool Invalid = false;
    llvm::StringRef Text = SM.getBufferData(Id, &Invalid);
    // Headers that are none of the author's use names for much else.
    const bool System = SrcMgr::isSystem(E.getFile().getFileCharacteristic());
    if (Invalid ||
        (System && !(Text.contains(Kernel) &&
                     (Text.contains("<<<") || Text.contains("cudaLaunch")))))
      continue;
    Files.push_back({Id, Scan(Kernel, Id, Text, Context), System});
    for (const auto &Word : Files.back().Tokens.Used)
      Used.insert(Word.getKey());
  }
}

/// Do edits of a launch's text ask for all that is wanted?
bool asksForMore(unsigned Begin, unsigned End,
                 llvm::ArrayRef<std::string> Wanted,
                 llvm::ArrayRef<TextEdit> Edits) {
  return llvm::all_of(Wanted, [&](llvm::StringRef Text) {
    return llvm::any_of(Edits, [&](const TextEdit &E) {
      return E.Offset > Begin && E.Offset < End &&
             llvm::StringRef(E.Text).contains(Text);
    });
  });
}

bool isIn(SourceRange R, FileID File, const SourceManager &SM) {
  return SM.getFileID(SM.getFileLoc(R.getBegin())) == File;
}

/// Is the place in a declaration of the kernel's, or in the text by which
/// --instantiate makes an instance?
bool isDeclaration(SourceLocation At, const FunctionDecl *Kernel,
                   const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto within = [&](const Decl *D) {
    return SM.isPointWithin(At, SM.getExpansionLoc(D->getBeginLoc()),
                            SM.getExpansionLoc(D->getEndLoc()));
  };
  return llvm::any_of(Kernel->redecls(), within) ||
         llvm::any_of(Context.getTranslationUnitDecl()->noload_decls(),
                      [&](const Decl *D) {
                        const auto *V = dyn_cast<VarDecl>(D);
                        return V && makesInstance(V) && within(V);
                      });
}

/// What every launch has to say.
llvm::SmallVector<std::string, 2> wantedTexts(const PipelinePlan &Plan,
                                              bool Grows) {
  llvm::SmallVector<std::string, 2> Wanted;
  if (Grows || Plan.dynamic())
    Wanted.push_back(Grows
                         ? "kpipe::staged_bytes<" + stagesArgument(Plan) + ">("
                         : "kpipe::opt_in_shared(");
  if (Plan.Producer)
    Wanted.push_back(Plan.Producer->isGroup() ? "kpipe::with_producer<128>("
                                              : "kpipe::with_producer(");
  return Wanted;
}

/// Does the loop ask for a multiple of what launches give?
bool grows(const TileLoop &Loop, const PipelinePlan &Plan) {
  return Plan.Buffers > 1 &&
         llvm::any_of(Loop.Buffers, [](const StagedBuffer &B) {
           return B.Var->hasExternalStorage();
         });
}

/// \param Kernel as written.
/// \param Instance that runs the loop; null if any of Kernel's may.
std::optional<SourceLocation>
unchangedLaunchOf(const FunctionDecl *Kernel, const FunctionDecl *Instance,
                  const PipelinePlan &Plan, bool Grows, FileID File,
                  llvm::ArrayRef<TextEdit> Edits, ASTContext &Context,
                  llvm::ArrayRef<SourceRange> Skipped, bool Elsewhere) {
  const SourceManager &SM = Context.getSourceManager();
  const auto Wanted = wantedTexts(Plan, Grows);

  std::optional<Meanings> Read[2]; // asked only where tokens do not tell
  // Stages that are parts of what launches give need as much of each launch.
  std::map<SourceLocation, uint64_t> Launched;
  if (Plan.BytesInBlock)
    Launched = bytesGiven(Kernel, Instance, Context);
  auto Grown = [&](SourceRange R) {
    const unsigned Begin = SM.getFileOffset(SM.getFileLoc(R.getBegin())),
                   End = SM.getFileOffset(SM.getFileLoc(R.getEnd()));
    return isIn(R, File, SM) && Begin &&
           asksForMore(Begin - 1, End + 1, Wanted, Edits);
  };
  const ScannedUnit Unit(Kernel->getName(), Context);
  for (const ScannedFile &F : Unit.Files)
    for (const Mention &M : F.Tokens.Found) {
      SourceLocation At =
          SM.getLocForStartOfFile(F.Id).getLocWithOffset(int(M.At));
      auto Given = Launched.find(At);
      const bool Suffices =
          Given != Launched.end() &&
          Given->second / (128 * Plan.Buffers) * 128 >= Plan.BytesInBlock;
      const bool InStatement =
          F.Id == File && asksForMore(M.At, M.StatementEnd, Wanted, Edits);
      const bool Changed =
          !Plan.BytesInBlock && F.Id == File &&
          (M.Chevrons ? InStatement
                      : isLaunchedIndirectly(At, InStatement, Context, Grown));
      if (Changed || Suffices || M.OnlySets ||
          (!M.Macro.empty() && !Unit.Used.count(M.Macro)))
        continue;
      // Left out text is known to be a launch only if it looks like one.
      // (Locations of one file follow each other.)
      const bool LeftOut = llvm::any_of(Skipped, [&](SourceRange R) {
        return !(At < R.getBegin()) && !(R.getEnd() < At);
      });
      if (LeftOut && !M.Launches)
        continue;
      // A header of others comes before the kernel, which only a macro of it
      // can name: what it calls cudaLaunchKernel with are its own parameters.
      if (F.System && !M.Chevrons && M.Macro.empty())
        continue;
      if (isDeclaration(At, Kernel, Context))
        continue;
      if (F.Id == File && isHeldForLaunches(At, Context, [&](SourceRange R) {
            return isIn(R, File, SM) && !Plan.BytesInBlock &&
                   asksForMore(SM.getFileOffset(SM.getFileLoc(R.getBegin())),
                               SM.getFileOffset(SM.getFileLoc(R.getEnd())),
                               Wanted, Edits);
          }))
        continue;
      std::optional<Meanings> &Known = Read[F.System];
      if (!Known)
        Known.emplace(Kernel, Context, F.System);
      // Promised: what is no launch that is seen in the kernel's own file.
      if (Known->isOther(At) ||
          (Elsewhere && Grows && (F.Id != File || !Known->isKernel(At))))
        continue;
      return At;
    }
  return std::nullopt;
}

} // namespace

std::optional<SourceLocation>
findUnchangedLaunch(const TileLoop &Loop, const PipelinePlan &Plan, FileID File,
                    llvm::ArrayRef<TextEdit> Edits, ASTContext &Context,
                    llvm::ArrayRef<SourceRange> Skipped, bool Elsewhere) {
  const bool Grows = grows(Loop, Plan);
  if (!Grows && !Plan.dynamic() && !Plan.Producer)
    return std::nullopt;
  const FunctionDecl *Written = writtenFunction(Loop.Function);
  const bool IsKernel = Written->hasAttr<CUDAGlobalAttr>();
  // What else changes with a launch is a kernel's own.
  const auto Kernels = kernelsByText(Written, Context);
  if (!Kernels || (!IsKernel && (Plan.dynamic() || Plan.Producer)))
    return Written->getLocation();
  for (const FunctionDecl *K : *Kernels) {
    if (!K->getIdentifier())
      return K->getLocation();
    if (std::optional<SourceLocation> Unchanged =
            unchangedLaunchOf(K, IsKernel ? Loop.Function : nullptr, Plan,
                              Grows, File, Edits, Context, Skipped, Elsewhere))
      return Unchanged;
  }
  return std::nullopt;
}

} // namespace kpipe
