// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small JSON file for each text, see Cache.h. Files are complete or not
// there: several runs may share the folder.
#include "Cache.h"
#include "support/FileWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace json = llvm::json;
namespace path = llvm::sys::path;

RegisterCache::RegisterCache() {
  llvm::SmallString<256> Found;
  if (auto Own = llvm::sys::Process::GetEnv("KPIPE_CACHE_DIR")) {
    Found = *Own;
  } else if ((llvm::sys::Process::GetEnv("XDG_CACHE_HOME") ||
              // Else the password file is asked, which a static program must not.
              llvm::sys::Process::GetEnv("HOME")) &&
             path::cache_directory(Found) && // $XDG_CACHE_HOME or ~/.cache
             path::is_absolute(Found)) {
    path::append(Found, "kpipe");
  } else {
    Found.clear(); // an empty $HOME is not the working directory
  }
  if (!Found.empty())
    llvm::sys::fs::make_absolute(Found);
  Folder = Found.str().str();
}

std::string RegisterCache::keyOf(llvm::ArrayRef<std::string> Parts) {
  llvm::SHA256 Hash;
  auto Add = [&](llvm::StringRef Text) {
    // With its length, so that no two lists run together.
    Hash.update(llvm::utostr(Text.size()) + ":");
    Hash.update(Text);
  };
  Add("registers 4 " KPIPE_VERSION);
  for (const std::string &Part : Parts)
    Add(Part);
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

std::string RegisterCache::fileOf(llvm::StringRef Key) const {
  llvm::SmallString<256> File(Folder);
  path::append(File, "registers", Key.take_front(2), Key + ".json");
  return File.str().str();
}

static std::string hashOf(llvm::StringRef Text) {
  llvm::SHA256 Hash;
  Hash.update(Text);
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

/// What is in a file; empty if it cannot be read.
static std::string hashOfFile(llvm::StringRef Path) {
  // A pipe would have nothing to say.
  if (!llvm::sys::fs::is_regular_file(Path))
    return "";
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? hashOf((*Buffer)->getBuffer()) : "";
}

static std::optional<llvm::SmallVector<uint64_t, 5>>
readNumbers(const json::Value &Value) {
  const json::Array *Read = Value.getAsArray();
  if (!Read)
    return std::nullopt;
  llvm::SmallVector<uint64_t, 5> Numbers;
  for (const json::Value &Each : *Read) {
    auto Number = Each.getAsUINT64();
    if (!Number)
      return std::nullopt;
    Numbers.push_back(*Number);
  }
  return Numbers;
}

std::optional<RegisterCache::Numbers>
RegisterCache::find(llvm::StringRef Key) const {
  if (Folder.empty() || !llvm::sys::fs::is_regular_file(fileOf(Key)))
    return std::nullopt;
  auto Buffer = llvm::MemoryBuffer::getFile(fileOf(Key));
  if (!Buffer)
    return std::nullopt;
  // Only what is whole, and of this key, is read at all.
  auto [Hash, Text] = (*Buffer)->getBuffer().split('\n');
  if (Hash != hashOf((Key + "\n" + Text).str()))
    return std::nullopt;
  llvm::Expected<json::Value> Read = json::parse(Text);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return std::nullopt;
  }
  const json::Object *All = Read->getAsObject();
  const json::Object *Files = All ? All->getObject("files") : nullptr;
  const json::Object *Kernels = All ? All->getObject("kernels") : nullptr;
  if (!Files || !Kernels)
    return std::nullopt;
  for (const auto &[Name, Was] : *Files)
    if (Was.getAsString() != hashOfFile(Name.str()))
      return std::nullopt;
  Numbers Known;
  for (const auto &[Name, Value] : *Kernels) {
    auto Own = readNumbers(Value);
    if (!Own)
      return std::nullopt;
    Known[Name.str()] = std::move(*Own);
  }
  return Known;
}

void RegisterCache::put(llvm::StringRef Key, const Numbers &Known,
                        llvm::ArrayRef<std::string> Files) const {
  if (Folder.empty())
    return;
  json::Object Kernels, Hashes;
  for (const auto &Entry : Known)
    Kernels[Entry.first()] = json::Array(Entry.second);
  for (const std::string &Name : Files)
    Hashes[Name] = hashOfFile(Name);
  json::Object All{{"files", std::move(Hashes)},
                   {"kernels", std::move(Kernels)}};
  std::string File = fileOf(Key), Text;
  llvm::raw_string_ostream(Text) << json::Value(std::move(All)) << "\n";
  if (llvm::sys::fs::exists(File) && !llvm::sys::fs::is_regular_file(File))
    return; // writing to a pipe would wait for a reader
  // A folder that cannot be written is no cache, and nothing worse.
  if (!llvm::sys::fs::create_directories(path::parent_path(File)))
    llvm::consumeError(
        writeFile(File, hashOf((Key + "\n" + Text).str()) + "\n" + Text));
}

} // namespace kpipe
