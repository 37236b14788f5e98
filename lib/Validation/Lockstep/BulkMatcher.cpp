// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of stages and what stands for the author's waits, see BulkMatcher.h.
#include "BulkMatcher.h"
#include "Code/InlineAssembly.h"
#include "Validation/Trees/CodeNodes.h"
#include "Validation/Trees/CudaDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool BulkMatcher::isBlockBarrier(const Tree &O) {
  return O.is("CallExpr") && O.Kids.size() == 1 &&
         llvm::StringRef(withoutConversions(O.kid(0)).Name)
             .starts_with("Function __syncthreads :");
}

std::optional<bool> BulkMatcher::matchInit(const Tree &A, const Tree &O) {
  const DeclaredLoop *Of = nullptr;
  for (const DeclaredLoop *L : M.Loops)
    if (L->Tile.Bulk && A.Origin)
      for (const BulkBarrier &B : L->Tile.Bulk->Barriers)
        if (originOf(B.Init) == A.Origin)
          Of = L;
  // Below the loop the statement itself stands.
  if (!Of || M.Standings[Of].Where != Standing::Before)
    return std::nullopt;
  auto Wrong = [&] { return M.fail(A, {msg::meaning_init}); };
  if (!O.is("ForStmt") || O.Kids.size() != 5 || !O.kid(0).is("DeclStmt") ||
      O.kid(0).Kids.size() != 1)
    return Wrong();
  const Tree &Stage = *O.kid(0).Kids[0];
  const Tree &Cond = withoutConversions(O.kid(2));
  if (!Stage.is("Var") || Stage.Kids.size() != 1 ||
      Stage.kid(0).Label != "0" || !isBinary(Cond, "<") ||
      !M.names(Cond.kid(0), Stage.Local) ||
      withoutConversions(Cond.kid(1)).Label != std::to_string(Of->Stages) ||
      !O.kid(3).is("UnaryOperator") || O.kid(3).Label != "++" ||
      !M.names(O.kid(3).kid(0), Stage.Local))
    return Wrong();
  Standing &At = M.Standings[Of];
  const Standing Outside = At;
  At.Where = Standing::Inside;
  At.Stage = Stage.Local;
  At.References.clear();
  const bool Same = M.match(A, O.kid(4));
  M.Standings[Of] = Outside;
  return Same;
}

/// `bar_stages[stage]`: \returns which variable that is; 0 for anything else.
unsigned BulkMatcher::barrierOfStage(const Tree &O) const {
  const Tree &Plain = withoutConversions(O);
  if (!Plain.is("ArraySubscriptExpr") ||
      !M.names(Plain.kid(1), M.Standings[M.Loop].Stage))
    return 0;
  const Tree &Array = withoutConversions(Plain.kid(0));
  if (!Array.is("DeclRefExpr") || !Array.Local)
    return 0;
  for (const BulkBarrier &B : M.Loop->Tile.Bulk->Barriers)
    if (Array.Local ==
        M.Bound.ours(M.Numbers.lookup(B.Var->getCanonicalDecl())))
      return Array.Local;
  return 0;
}

bool BulkMatcher::isWait(const Tree &O) {
  return callsRuntime(O, "wait_full");
}

bool BulkMatcher::waitForTile(llvm::ArrayRef<const Tree *> All, size_t &I) {
  const unsigned Parity = M.Standings[M.Loop].Parity;
  llvm::SmallVector<unsigned, 2> Waited;
  const size_t First = I;
  for (; I != All.size() && isWait(*All[I]); ++I) {
    const Tree &O = *All[I];
    const unsigned Barrier = O.Kids.size() == 3 ? barrierOfStage(O.kid(1)) : 0;
    if (!Barrier || llvm::is_contained(Waited, Barrier) || !Parity ||
        !M.names(O.kid(2), Parity))
      return M.fail(O, {msg::meaning_wait});
    Waited.push_back(Barrier);
  }
  --I;
  return Waited.size() == M.Loop->Tile.Bulk->Barriers.size() ||
         M.fail(*All[First], {msg::meaning_wait});
}

std::optional<bool> BulkMatcher::call(const Tree &O) {
  const TileLoop &Tile = M.Loop->Tile;
  if (callsRuntime(O, "fence_proxy_async"))
    return Tile.Bulk || Tile.Matrix;
  if (callsRuntime(O, "matrix_wait"))
    return Tile.Matrix && Tile.Matrix->staysInFlight();
  if (!Tile.Bulk)
    return std::nullopt;
  if (callsRuntime(O, "release_tile"))
    return true;
  size_t Only = 0;
  return isWait(O) ? std::optional(waitForTile(&O, Only)) : std::nullopt;
}

bool BulkMatcher::declareParity(const Tree &O) {
  M.Standings[M.Loop].Parity = O.Local;
  return O.Kids.size() == 1 && withoutConversions(O.kid(0)).Label == "0";
}

bool BulkMatcher::isFlip(const Tree &O, unsigned With) const {
  const Standing &At = M.Standings[M.Loop];
  if (!O.is("CompoundAssignOperator") || O.Label != "^=" ||
      !M.names(O.kid(0), At.Parity))
    return false;
  const Tree &Wraps = withoutConversions(O.kid(1));
  return isBinary(Wraps, "==") && M.names(Wraps.kid(0), At.Stage) &&
         withoutConversions(Wraps.kid(1)).Label == std::to_string(With);
}

namespace {

/// Reads a wait and what it calls once more, without the reader of recognition.
class WaitReader {
public:
  enum class Kind { Bulk, Matrix, Fence };
  explicit WaitReader(Kind Of) : Of(Of) {}
  unsigned Waits = 0;

  bool read(const Stmt *S, unsigned Depth = 0) {
    if (!S)
      return true;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return assembly(A->getAsmString());
    if (isa<MSAsmStmt, LambdaExpr, CXXNewExpr, CXXDeleteExpr, AtomicExpr,
            ReturnStmt, GotoStmt>(S) &&
        !(isa<ReturnStmt>(S) && Depth))
      return false;
    const auto *Made = dyn_cast<CXXConstructExpr>(S);
    if (Made && !Made->getConstructor()->isTrivial())
      return false;
    if (const auto *C = dyn_cast<CallExpr>(S); C && !call(C, Depth))
      return false;
    return !changesOthers(S) && llvm::all_of(S->children(), [&](auto *Kid) {
      return read(Kid, Depth);
    });
  }

private:
  const Kind Of;
  llvm::SmallPtrSet<const Decl *, 4> Own; ///< declared on the way

  bool call(const CallExpr *C, unsigned Depth) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || Depth == 8)
      return false;
    if (isCudas(F)) {
      if (Of == Kind::Bulk && isLibrarysWait(F))
        return ++Waits;
      if (F->getIdentifier() && (F->getName() == "barrier_native_handle" ||
                                 F->getName() == "__cvta_generic_to_shared"))
        return true;
    }
    if (F->getBuiltinID() == Builtin::BImove) // its body is the compiler's
      return true;
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (M && (M->isVirtual() || isCudas(F)))
      return false;
    return F->hasBody(Body) && read(Body->getBody(), Depth + 1);
  }

  /// libcu++'s functions that wait at an mbarrier and return, or say whether
  /// there is anything left to wait for.
  static bool isLibrarysWait(const FunctionDecl *F) {
    if (!F->getIdentifier())
      return false;
    llvm::StringRef Name = F->getName();
    if (const auto *M = dyn_cast<CXXMethodDecl>(F))
      return (Name == "wait" || Name == "wait_parity") &&
             M->getParent()->getIdentifier() &&
             M->getParent()->getName() == "barrier";
    return (Name.consume_front("mbarrier_") ||
            Name.consume_front("__mbarrier_")) &&
           (Name.starts_with("try_wait") || Name.starts_with("test_wait"));
  }

  bool changesOthers(const Stmt *S) {
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        Own.insert(One);
    const Expr *Target = nullptr;
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
      Target = B->getLHS();
    if (const auto *U = dyn_cast<UnaryOperator>(S);
        U && U->isIncrementDecrementOp())
      Target = U->getSubExpr();
    if (!Target)
      return false;
    const auto *D = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
    return !D || !Own.contains(D->getDecl()) ||
           D->getType()->isReferenceType();
  }

  bool isWait(llvm::StringRef Opcode) const {
    switch (Of) {
    case Kind::Bulk:
      return Opcode.starts_with("mbarrier.try_wait.parity.") ||
             Opcode.starts_with("mbarrier.test_wait.parity.");
    case Kind::Matrix:
      return Opcode == "wgmma.wait_group.sync.aligned";
    case Kind::Fence:
      return Opcode == "fence.proxy.async" ||
             Opcode.starts_with("fence.proxy.async.shared::");
    }
    llvm_unreachable("a wait of no kind");
  }

  bool assembly(llvm::StringRef Text) {
    const std::string Clean = withoutComments(Text);
    llvm::SmallVector<llvm::StringRef, 8> Parts;
    llvm::StringRef(Clean).split(Parts, ';');
    for (llvm::StringRef Part : Parts) {
      Part = Part.trim(" \t\r\n{}");
      // A label stands in front of what it names.
      if (auto [Label, Rest] = Part.split(':');
          !Rest.starts_with(":") && Rest.data() && !Label.contains(' ') &&
          Part.contains(':'))
        Part = Rest.trim(" \t\r\n{}");
      if (Part.consume_front("@"))
        Part = Part.drop_until([](char C) { return C == ' '; }).trim();
      llvm::StringRef Opcode =
          Part.take_until([](char C) { return C == ' ' || C == '\t'; });
      if (Part.empty() || Opcode.starts_with(".reg"))
        continue;
      const bool Wait = isWait(Opcode);
      Waits += Wait;
      if (!Wait && (Of != Kind::Bulk || !(Opcode.starts_with("selp.") ||
                                          Opcode.starts_with("bra") ||
                                          Opcode.starts_with("nanosleep."))))
        return false;
    }
    return true;
  }
};

} // namespace

bool BulkMatcher::onlyWaits(const BodyItem &Item) const {
  const TileLoop &Tile = M.Loop->Tile;
  const bool Matrix = Tile.Matrix && Item.S == Tile.Matrix->Wait;
  const bool Bulk = Tile.Bulk && Tile.Bulk->waits(Item.S);
  if (Item.InLoad || Item.InCompute ||
      !(Matrix || Bulk || Tile.crossesProxies()))
    return false;
  WaitReader Reader(Matrix ? WaitReader::Kind::Matrix
                    : Bulk ? WaitReader::Kind::Bulk
                           : WaitReader::Kind::Fence);
  if (!Reader.read(Item.S) || Reader.Waits != 1)
    return false;
  if (!Bulk)
    return true;
  // At one barrier of the tile, its own.
  const CodeNodes Nodes = nodesOf(Item.S);
  unsigned Named = 0;
  for (const BulkBarrier &B : Tile.Bulk->Barriers)
    if (Nodes.Mentioned.contains(B.Var)) {
      ++Named;
      if (B.Wait != Item.S)
        return false;
    }
  return Named == 1;
}

} // namespace kpipe
