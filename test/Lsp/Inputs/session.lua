-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- What a person does in Neovim with its own client for language servers; prints
-- what they see. vim.ui.select is the menu that code actions are chosen from.
local function say(text) io.stdout:write(text .. '\n') end

local budget
vim.lsp.handlers['window/showMessage'] = function(_, result)
  budget = result.message
end

local client = vim.lsp.start_client({
  name = 'kpipe',
  cmd = { vim.env.KPIPE, 'lsp', '--arch=sm_86' },
})
vim.lsp.buf_attach_client(0, client)

-- Waits until what the editor shows is about the text as it is.
local shown = 0
vim.lsp.handlers['textDocument/publishDiagnostics'] = (function(before)
  return function(err, result, ...)
    before(err, result, ...)
    shown = result.version or shown
  end
end)(vim.lsp.handlers['textDocument/publishDiagnostics'])

local function see()
  vim.wait(1000, function() return shown ~= 0 end)
  vim.wait(200) -- changes are sent after a moment
  local done = vim.wait(60000, function()
    return shown ~= 0 and shown >= vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]
  end)
  if not done then say('nothing is shown') end
  for _, d in ipairs(vim.diagnostic.get(0)) do
    say((d.lnum + 1) .. ': ' .. d.message)
  end
end

local function take(wanted)
  local chosen
  vim.ui.select = function(items, opts, choose)
    for _, item in ipairs(items) do
      local title = opts.format_item(item)
      if not wanted then say('offered: ' .. title) end
      if wanted and title:find(wanted, 1, true) then
        chosen = title
        choose(item)
      end
    end
    chosen = chosen or 'nothing'
  end
  vim.lsp.buf.code_action()
  vim.wait(60000, function() return chosen end)
  if wanted then say('took: ' .. tostring(chosen)) end
end

see()
vim.fn.cursor(16, 5)
take()
take('assume(no-alias)')
see()
vim.fn.cursor(12, 3)
take()
take('show budget')
vim.wait(60000, function() return budget end)
say(budget or 'no budget')
local before = vim.api.nvim_buf_get_changedtick(0)
take('pipeline this loop')
vim.wait(60000, function()
  return vim.api.nvim_buf_get_changedtick(0) ~= before
end)
see()
vim.cmd('write')
say('saved')
vim.lsp.stop_client(client)
vim.cmd('qall!')
