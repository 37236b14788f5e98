// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Server.h. Messages are read and written by LLVM's transport.
#include "Server.h"
#include "Documents.h"
#include "Input.h"
#include "Words.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <map>
#include <unistd.h>

namespace kpipe {

namespace json = llvm::json;
namespace lsp = llvm::lsp;

namespace {

constexpr llvm::StringLiteral PipelineLoop = "kpipe.pipelineLoop";
constexpr llvm::StringLiteral ShowBudget = "kpipe.showBudget";

/// Parameters of which only some are read.
struct Raw {
  json::Value All = nullptr;
  const json::Object &object() const {
    static const json::Object None;
    return All.getAsObject() ? *All.getAsObject() : None;
  }
};
bool fromJSON(const json::Value &V, Raw &R, json::Path) {
  R.All = V;
  return true;
}

/// A document, and lines of it, or one place.
struct Asked {
  lsp::TextDocumentIdentifier Document;
  lsp::Range Range;
  /// The kinds of actions that are wanted; empty: all.
  std::vector<std::string> Only;
  /// Is that kind, or one that contains it, wanted?
  bool wants(llvm::StringRef Kind) const {
    return Only.empty() || llvm::any_of(Only, [&](llvm::StringRef Wanted) {
             return Wanted.empty() || Kind == Wanted ||
                    Kind.starts_with((Wanted + ".").str());
           });
  }
};
bool fromJSON(const json::Value &V, Asked &A, json::Path Path) {
  json::ObjectMapper Map(V, Path);
  if (!Map || !Map.map("textDocument", A.Document))
    return false;
  // Editors ask for kinds of actions on saving, and make whatever comes.
  if (const json::Object *Context = V.getAsObject()->getObject("context"))
    if (const json::Value *Only = Context->get("only"))
      if (!fromJSON(*Only, A.Only, Path.field("context").field("only")))
        return false;
  if (!V.getAsObject()->get("position"))
    return Map.map("range", A.Range);
  lsp::Position At;
  if (!Map.map("position", At))
    return false;
  A.Range = {At, At};
  return true;
}

/// What is no message has no id that could be answered.
void refuseMessage(llvm::raw_ostream &Out, lsp::ErrorCode Code,
                   llvm::StringRef Why) {
  std::string Text;
  llvm::raw_string_ostream(Text) << json::Value(json::Object{
      {"jsonrpc", "2.0"},
      {"id", nullptr},
      {"error", json::Object{{"code", int(Code)},
                             {"message", json::fixUTF8(Why)}}}});
  Out << "Content-Length: " << Text.size() << "\r\n\r\n" << Text;
  Out.flush();
}

class Server {
public:
  Server(const CommonRequest &Options, llvm::raw_ostream &Out)
      : Server(Options, Out,
               std::make_unique<QuietInput>(STDIN_FILENO,
                                            std::chrono::milliseconds(150),
                                            [this] { analyzeStale(); },
                                            [&Out](lsp::ErrorCode Code,
                                                   llvm::StringRef Why) {
                                              refuseMessage(Out, Code, Why);
                                            })) {
    Publish = Messages.outgoingNotification<json::Value>(
        "textDocument/publishDiagnostics");
    Show = Messages.outgoingNotification<json::Value>("window/showMessage");
    ApplyEdit = Messages.outgoingRequest<json::Value, Raw>(
        "workspace/applyEdit", [](json::Value, llvm::Expected<Raw> Answer) {
          llvm::consumeError(Answer.takeError());
        });
    Messages.method("initialize", this, &Server::initialize);
    Messages.method("shutdown", this, &Server::shutDown);
    Messages.method("textDocument/codeAction", this, &Server::actions);
    Messages.method("textDocument/hover", this, &Server::hover);
    Messages.method("workspace/executeCommand", this, &Server::execute);
    Messages.notification("initialized", this, &Server::ignore);
    Messages.notification("textDocument/didOpen", this, &Server::opened);
    Messages.notification("textDocument/didChange", this, &Server::changed);
    Messages.notification("textDocument/didSave", this, &Server::saved);
    Messages.notification("textDocument/didClose", this, &Server::closed);
  }

  int run() {
    // That the input ended is an error for the transport; some editors just
    // close it.
    llvm::consumeError(Transport.run(Messages));
    if (!Input.complaint().empty())
      return fail(optionError("standard input: " + Input.complaint()));
    return ShutDown ? 0 : 1;
  }

private:
  Server(const CommonRequest &Options, llvm::raw_ostream &Out,
         std::unique_ptr<QuietInput> Own)
      : Options(Options), Input(*Own), Transport(std::move(Own), Out),
        Messages(Transport) {}

  const CommonRequest &Options;
  QuietInput &Input;
  lsp::JSONTransport Transport;
  lsp::MessageHandler Messages;
  lsp::OutgoingNotification<json::Value> Publish, Show;
  lsp::OutgoingRequest<json::Value> ApplyEdit;
  std::map<std::string, Document> Open; ///< by URI
  bool ShutDown = false, VersionedEdits = false;
  int64_t Requests = 0;

  void ignore(const Raw &) {}

  void initialize(const Raw &Params, lsp::Callback<json::Value> Reply) {
    const json::Object *At = &Params.object();
    for (llvm::StringRef Key : {"capabilities", "workspace", "workspaceEdit"})
      At = At ? At->getObject(Key) : nullptr;
    VersionedEdits = At && At->getBoolean("documentChanges").value_or(false);
    Reply(json::Object{
        {"capabilities",
         json::Object{
             {"textDocumentSync",
              json::Object{{"openClose", true}, {"change", 1}, {"save", true}}},
             {"hoverProvider", true},
             {"codeActionProvider",
              json::Object{{"codeActionKinds",
                            json::Array{"quickfix", "refactor.rewrite"}}}},
             {"executeCommandProvider",
              json::Object{
                  {"commands", json::Array{PipelineLoop, ShowBudget}}}}}},
        {"serverInfo",
         json::Object{{"name", "kpipe"}, {"version", KPIPE_VERSION}}}});
  }

  void shutDown(const Raw &, lsp::Callback<json::Value> Reply) {
    ShutDown = true;
    Reply(nullptr);
  }

  void opened(const lsp::DidOpenTextDocumentParams &Params) {
    Document &D = Open[Params.textDocument.uri.uri().str()];
    D.Uri = Params.textDocument.uri.uri().str();
    D.Path = Params.textDocument.uri.file().str();
    D.Text = Params.textDocument.text;
    D.Version = Params.textDocument.version;
    D.Stale = true;
  }

  void changed(const lsp::DidChangeTextDocumentParams &Params) {
    auto D = Open.find(Params.textDocument.uri.uri().str());
    if (D == Open.end())
      return;
    // Whole texts were asked for; of a part nobody knows what is around it.
    for (const lsp::TextDocumentContentChangeEvent &C : Params.contentChanges)
      if (!C.range)
        D->second.Text = C.text;
    D->second.Version = Params.textDocument.version;
    D->second.Stale = true;
  }

  /// Others may include what was saved.
  void saved(const Raw &) {
    for (auto &D : Open)
      D.second.Stale = true;
  }

  void closed(const lsp::DidCloseTextDocumentParams &Params) {
    std::string Uri = Params.textDocument.uri.uri().str();
    if (Open.erase(Uri))
      Publish(json::Object{{"uri", Uri}, {"diagnostics", json::Array{}}});
  }

  void analyzeStale() {
    for (auto &[_, D] : Open)
      if (D.Stale)
        analyzeNow(D);
  }

  void analyzeNow(Document &D) {
    D.Known = analyze(D, Options);
    D.Stale = false;
    const Lines In(D.Text);
    json::Array All;
    if (!D.Known.Error.empty())
      All.push_back(saidOfAll(D.Known.Error));
    for (const Diagnostic &Said : D.Known.Diagnostics)
      All.push_back(said(Said, D, In));
    Publish(json::Object{{"uri", D.Uri},
                         {"version", D.Version},
                         {"diagnostics", std::move(All)}});
  }

  /// An open document, with what is to be said of its text; null if it is not
  /// open.
  Document *known(const std::string &Uri) {
    auto D = Open.find(Uri);
    if (D == Open.end())
      return nullptr;
    if (D->second.Stale)
      analyzeNow(D->second);
    return &D->second;
  }

  void actions(const Asked &Params, lsp::Callback<json::Value> Reply) {
    const Document *D = known(Params.Document.uri.uri().str());
    if (!D)
      return Reply(json::Array{});
    unsigned First = Params.Range.start.line + 1;
    unsigned Last = Params.Range.end.line + 1;
    json::Array All;
    if (Params.wants("quickfix"))
      addFixes(*D, First, Last, All);
    const EditorLoop *Loop = loopAt(D->Known, First, Last);
    if (Loop && Loop->Pipelined && Params.wants("refactor.rewrite"))
      All.push_back(action("kpipe: pipeline this loop", "refactor.rewrite",
                           PipelineLoop, *D, *Loop));
    if (Loop && Params.wants(""))
      All.push_back(action("kpipe: show budget", "", ShowBudget, *D, *Loop));
    Reply(std::move(All));
  }

  static json::Object action(llvm::StringRef Title, llvm::StringRef Kind,
                             llvm::StringRef Command, const Document &D,
                             const EditorLoop &Loop) {
    json::Array Arguments{D.Uri, int64_t(Loop.Where.Line)};
    return json::Object{
        {"title", Title},
        {"kind", Kind},
        {"command", json::Object{{"title", Title},
                                 {"command", Command},
                                 {"arguments", std::move(Arguments)}}}};
  }

  /// The fixes of diagnostics that those lines touch, or whose loop they do.
  void addFixes(const Document &D, unsigned First, unsigned Last,
                json::Array &All) {
    const Lines In(D.Text);
    const EditorLoop *Loop = loopAt(D.Known, First, Last);
    std::vector<json::Value> Made;
    for (const Diagnostic &Said : D.Known.Diagnostics) {
      bool Here = Said.Where.Line >= First && Said.Where.Line <= Last;
      bool Inside = Loop && Said.Where.Line >= Loop->Where.Line &&
                    Said.Where.Line <= Loop->LastLine;
      if (Said.Where.File != D.Known.MainFile || !(Here || Inside))
        continue;
      for (const Note &N : Said.Notes)
        for (const Fix &F : N.Fixes) {
          json::Array Edits = insertions(F, D, In);
          json::Value Same = json::Array(Edits);
          if (Edits.empty() || llvm::is_contained(Made, Same))
            continue;
          Made.push_back(std::move(Same));
          All.push_back(json::Object{
              {"title", "kpipe: " + F.What.str()},
              {"kind", "quickfix"},
              {"diagnostics", json::Array{said(Said, D, In)}},
              {"edit", workspaceEdit({D.Uri, D.Version, std::move(Edits)},
                                     VersionedEdits)}});
        }
    }
  }

  void hover(const Asked &Params, lsp::Callback<json::Value> Reply) {
    const Document *D = known(Params.Document.uri.uri().str());
    unsigned Line = Params.Range.start.line + 1;
    const EditorLoop *Loop = D ? loopAt(D->Known, Line, Line) : nullptr;
    if (!Loop || Loop->Where.Line != Line)
      return Reply(nullptr);
    Reply(json::Object{
        {"contents",
         json::Object{
             {"kind", "markdown"},
             {"value",
              "```\n" + json::fixUTF8(budgetOf(D->Known, *Loop)) + "```"}}}});
  }

  void execute(const Raw &Params, lsp::Callback<json::Value> Reply) {
    auto refuse = [&](const std::string &Why) {
      Reply(
          llvm::make_error<lsp::LSPError>(Why, lsp::ErrorCode::InvalidParams));
    };
    llvm::StringRef Command = Params.object().getString("command").value_or("");
    const json::Array *Arguments = Params.object().getArray("arguments");
    if ((Command != PipelineLoop && Command != ShowBudget) || !Arguments ||
        Arguments->size() < 2 || !(*Arguments)[0].getAsString() ||
        !(*Arguments)[1].getAsInteger())
      return refuse("want " + PipelineLoop.str() + " or " + ShowBudget.str() +
                    " with a URI and a line that counts from 1");
    int64_t Line = *(*Arguments)[1].getAsInteger();
    Document *D = known((*Arguments)[0].getAsString()->str());
    const EditorLoop *Loop =
        D && Line > 0 ? loopAt(D->Known, Line, Line) : nullptr;
    if (!Loop)
      return refuse("there is no loop with a barrier in that line");
    if (Command == PipelineLoop)
      return pipeline(*D, *Loop, std::move(Reply));
    std::string Table = json::fixUTF8(budgetOf(D->Known, *Loop));
    Show(json::Object{{"type", 3}, {"message", Table}});
    Reply(Table);
  }

  void pipeline(const Document &D, const EditorLoop &Loop,
                lsp::Callback<json::Value> Reply) {
    llvm::Expected<std::vector<FileEdits>> Edits = pipelineEdits(D, Loop);
    if (!Edits) {
      std::string Why = llvm::toString(Edits.takeError());
      Show(json::Object{{"type", 2}, {"message", json::fixUTF8(Why)}});
      return Reply(nullptr);
    }
    ApplyEdit(json::Object{{"label", "kpipe: pipeline this loop"},
                           {"edit",
                            workspaceEdit(std::move(*Edits), VersionedEdits)}},
              ++Requests);
    Reply(nullptr);
  }

  llvm::Expected<std::vector<FileEdits>> pipelineEdits(const Document &D,
                                                       const EditorLoop &Loop) {
    llvm::Expected<std::vector<RewrittenFile>> Files =
        pipelineLoop(D, Loop, Options);
    if (!Files)
      return Files.takeError();
    std::vector<FileEdits> All;
    for (const RewrittenFile &File : *Files) {
      if (File.Old == File.New)
        continue;
      FileEdits Of{D.Uri, D.Version, changes(File.Old, File.New)};
      if (File.IsHeader) {
        // A header is read from the disk.
        const Document *Header = openAt(File.Path);
        if (Header && Header->Text != File.Old)
          return optionError("'" + File.Path +
                             "' would change as well; save it first");
        auto Uri = lsp::URIForFile::fromFile(File.Path);
        if (!Uri)
          return Uri.takeError();
        Of.Uri = Header ? Header->Uri : Uri->uri().str();
        Of.Version = Header ? std::optional(Header->Version) : std::nullopt;
      }
      All.push_back(std::move(Of));
    }
    return std::move(All);
  }

  /// The open document that is this file; null if none is.
  const Document *openAt(llvm::StringRef Path) const {
    for (const auto &[_, D] : Open)
      if (llvm::sys::fs::equivalent(D.Path, Path))
        return &D;
    return nullptr;
  }
};

} // namespace

int serveEditor(const CommonRequest &Options) {
  // What goes wrong is answered; an editor shows its server's other words as
  // errors.
  lsp::Logger::setLogLevel(lsp::Logger::Level::Error);
  llvm::raw_fd_ostream Out(STDOUT_FILENO, /*shouldClose=*/false);
  return Server(Options, Out).run();
}

} // namespace kpipe
