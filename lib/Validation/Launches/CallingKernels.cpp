// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every mention of a function's name, see CallingKernels.h. A mention is a call
// by the function in whose body it stands, whatever it does there.
#include "CallingKernels.h"
#include "NameMeanings.h"
#include "Support/RawNames.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace kpipe {

namespace {

/// Definitions of the author's that run on the device, as written.
struct DeviceCode : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const FunctionDecl *, 16> Found;
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() &&
        (F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>()))
      Found.push_back(F);
    return true;
  }
};

class Callers {
public:
  explicit Callers(ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {
    for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      if (!SM.isInSystemHeader(D->getLocation()))
        Code.TraverseDecl(D);
  }

  /// Adds what runs F to Kernels. \returns whether that is known.
  bool run(const FunctionDecl *F) {
    if (!Seen.insert(F).second)
      return true;
    if (F->hasAttr<CUDAGlobalAttr>())
      return Kernels.insert(F);
    if (!F->getIdentifier() || isa<CXXMethodDecl>(F))
      return false;
    const Meanings Read(F, Context, /*System=*/false);
    for (SourceLocation At : mentions(F->getName())) {
      if (Read.isOther(At) || isDeclared(F, At))
        continue;
      const FunctionDecl *Caller = around(At);
      if (!Caller || !run(Caller))
        return false;
    }
    return true;
  }

  llvm::SmallSetVector<const FunctionDecl *, 2> Kernels;

private:
  ASTContext &Context;
  const SourceManager &SM;
  DeviceCode Code;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  bool within(const Decl *D, SourceLocation At) const {
    return SM.isPointWithin(At, SM.getExpansionLoc(D->getBeginLoc()),
                            SM.getExpansionLoc(D->getEndLoc()));
  }
  bool isDeclared(const FunctionDecl *F, SourceLocation At) const {
    return llvm::any_of(F->redecls(),
                        [&](const Decl *D) { return within(D, At); });
  }
  /// The innermost: a member of a local class stands behind its function.
  const FunctionDecl *around(SourceLocation At) const {
    for (const FunctionDecl *F : llvm::reverse(Code.Found))
      if (within(F, At))
        return writtenFunction(F);
    return nullptr;
  }
  std::vector<SourceLocation> mentions(llvm::StringRef Name) const {
    std::vector<SourceLocation> Found;
    for (unsigned I = 0; I != SM.local_sloc_entry_size(); ++I) {
      const SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
      if (!E.isFile() || !E.getFile().getContentCache().OrigEntry ||
          SrcMgr::isSystem(E.getFile().getFileCharacteristic()))
        continue;
      const SourceLocation Start =
          SourceLocation::getFromRawEncoding(E.getOffset());
      const llvm::StringRef Text = SM.getBufferData(SM.getFileID(Start));
      Lexer Tokens(Start, Context.getLangOpts(), Text.begin(), Text.begin(),
                   Text.end());
      Token T;
      while (!Tokens.LexFromRawLexer(T) && T.isNot(tok::eof))
        if (T.is(tok::raw_identifier) && rawName(T, Context) == Name)
          Found.push_back(T.getLocation());
    }
    return Found;
  }
};

} // namespace

std::optional<llvm::SmallSetVector<const FunctionDecl *, 2>>
kernelsByText(const FunctionDecl *F, ASTContext &Context) {
  Callers Of(Context);
  if (!Of.run(F))
    return std::nullopt;
  return std::move(Of.Kernels);
}

} // namespace kpipe
