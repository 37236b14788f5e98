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
  } else if (path::cache_directory(Found)) { // $XDG_CACHE_HOME or ~/.cache
    path::append(Found, "kpipe");
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
  Add("registers 1 " KPIPE_VERSION);
  for (const std::string &Part : Parts)
    Add(Part);
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

std::string RegisterCache::fileOf(llvm::StringRef Key) const {
  llvm::SmallString<256> File(Folder);
  path::append(File, "registers", Key.take_front(2), Key + ".json");
  return File.str().str();
}

std::optional<RegisterCache::Uses>
RegisterCache::find(llvm::StringRef Key) const {
  if (Folder.empty())
    return std::nullopt;
  auto Buffer = llvm::MemoryBuffer::getFile(fileOf(Key));
  if (!Buffer)
    return std::nullopt;
  llvm::Expected<json::Value> Read = json::parse((*Buffer)->getBuffer());
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return std::nullopt;
  }
  const json::Object *All = Read->getAsObject();
  Uses Known;
  for (const auto &[Name, Value] : All ? *All : json::Object()) {
    const json::Array *Numbers = Value.getAsArray();
    if (!Numbers || Numbers->size() != 5)
      return std::nullopt;
    uint64_t N[5];
    for (size_t I = 0; I != 5; ++I) {
      auto Number = (*Numbers)[I].getAsUINT64();
      if (!Number)
        return std::nullopt;
      N[I] = *Number;
    }
    ResourceUse &Use = Known[Name.str()];
    Use.Registers = N[0];
    Use.SpillStores = N[1];
    Use.SpillLoads = N[2];
    Use.Stack = N[3];
    Use.StaticShared = N[4];
  }
  if (!All)
    return std::nullopt;
  return Known;
}

void RegisterCache::put(llvm::StringRef Key, const Uses &Known) const {
  if (Folder.empty())
    return;
  json::Object All;
  for (const auto &Entry : Known) {
    const ResourceUse &Use = Entry.second;
    All[Entry.first()] =
        json::Array{Use.Registers, Use.SpillStores, Use.SpillLoads, Use.Stack,
                    Use.StaticShared};
  }
  std::string File = fileOf(Key), Text;
  llvm::raw_string_ostream(Text) << json::Value(std::move(All)) << "\n";
  // A folder that cannot be written is no cache, and nothing worse.
  if (!llvm::sys::fs::create_directories(path::parent_path(File)))
    llvm::consumeError(writeFile(File, Text));
}

} // namespace kpipe
