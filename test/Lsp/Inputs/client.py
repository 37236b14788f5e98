#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# client.py KPIPE FOLDER: an editor that says what others do not; see
# protocol.test.
import json
import subprocess
import sys
from pathlib import Path

KPIPE, FOLDER = sys.argv[1], Path(sys.argv[2])


class Editor:
    def __init__(self, *options, versions=False):
        self.server = subprocess.Popen([KPIPE, 'lsp', *options], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.last, self.heard = 0, []
        edits = {'workspaceEdit': {'documentChanges': versions}}
        self.can = self.ask('initialize', {'capabilities': {'workspace': edits}})['capabilities']
        self.tell('initialized', {})

    def send(self, message):
        self.send_bytes(json.dumps({'jsonrpc': '2.0', **message}).encode())

    def send_bytes(self, body):
        self.server.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.server.stdin.flush()

    def tell(self, method, params):
        self.send({'method': method, 'params': params})

    def hear(self):
        head = b''
        while not head.endswith(b'\r\n\r\n'):
            byte = self.server.stdout.read(1)
            if not byte:
                sys.exit('the server is gone: ' + self.server.stderr.read().decode())
            head += byte
        return json.loads(self.server.stdout.read(int(head.split()[1])))

    def ask(self, method, params):
        """The result, or the error; what else is heard on the way is kept."""
        self.last += 1
        self.send({'id': self.last, 'method': method, 'params': params})
        while True:
            message = self.hear()
            if message.get('id') == self.last and 'method' not in message:
                return message.get('result', message.get('error'))
            self.heard.append(message)

    def wait(self, method):
        for message in self.heard:
            if message.get('method') == method:
                self.heard.remove(message)
                return message['params']
        while True:
            message = self.hear()
            if message.get('method') == method:
                return message['params']
            self.heard.append(message)

    def open(self, name, text=None):
        self.uri = (FOLDER / name).as_uri()
        self.text = text if text is not None else (FOLDER / name).read_text()
        self.tell('textDocument/didOpen', {'textDocument': {
            'uri': self.uri, 'languageId': 'cuda', 'version': 1, 'text': self.text}})
        return self.wait('textDocument/publishDiagnostics')['diagnostics']

    def change(self, text, version):
        self.text = text
        self.tell('textDocument/didChange', {
            'textDocument': {'uri': self.uri, 'version': version},
            'contentChanges': [{'text': text}]})

    def actions(self, line, *only):
        place = {'line': line, 'character': 0}
        return self.ask('textDocument/codeAction', {
            'textDocument': {'uri': self.uri}, 'range': {'start': place, 'end': place},
            'context': {'diagnostics': [], **({'only': only} if only else {})}})

    def fails(self, data):
        """What the server says of an input that it cannot read; it ends."""
        _, said = self.server.communicate(data, timeout=30)
        same('exit', self.server.returncode, 1)
        return said.decode()

    def end(self):
        self.ask('shutdown', None)
        self.tell('exit', None)
        return self.server.wait(timeout=30)


def same(what, got, wanted):
    if got != wanted:
        sys.exit(f'{what}: {got!r}, not {wanted!r}')


def applied(text, edits):
    """A text with edits of whole lines."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda e: -e['range']['start']['line']):
        start, end = edit['range']['start'], edit['range']['end']
        same('character', (start['character'], end['character']), (0, 0))
        lines[start['line']:end['line']] = [edit['newText']]
    return ''.join(lines)


def inserted(text, edits):
    """A text with insertions behind ASCII."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda e: -e['range']['start']['character']):
        place = edit['range']['start']
        same('insertion', edit['range']['end'], place)
        line, at = lines[place['line']], place['character']
        lines[place['line']] = line[:at] + edit['newText'] + line[at:]
    return ''.join(lines)


def loops():
    """One loop of two is pipelined; its place is behind a letter of two units."""
    editor = Editor('--arch=sm_86', versions=True)
    said = editor.open('two.cu')
    same('codes', [d['code'] for d in said], ['kpipe-pipelined'] * 2)
    same('place', said[0]['range'], {'start': {'line': 7, 'character': 11},
                                     'end': {'line': 7, 'character': 14}})
    same('titles', [a['title'] for a in editor.actions(11)],
         ['kpipe: pipeline this loop', 'kpipe: show budget'])
    same('elsewhere', editor.actions(3), [])
    command = editor.actions(17)[0]['command']
    # Editors ask for kinds of actions when a text is saved, and make what comes.
    same('imports', editor.actions(11, 'source.organizeImports', 'source.fixAll'), [])
    same('rewrites', [a['title'] for a in editor.actions(11, 'quickfix', 'refactor')],
         ['kpipe: pipeline this loop'])
    editor.ask('workspace/executeCommand', command)
    change = editor.wait('workspace/applyEdit')['edit']['documentChanges'][0]
    same('version', change['textDocument'], {'uri': editor.uri, 'version': 1})
    text = applied(editor.text, change['edits'])
    same('loops', text.count('// kpipe: pipelined'), 1)
    same('first loop', text.split('𝄞')[1][:130], editor.text.split('𝄞')[1][:130])
    hover = editor.ask('textDocument/hover', {
        'textDocument': {'uri': editor.uri}, 'position': {'line': 7, 'character': 12}})
    same('hover', '256 ->' in hover['contents']['value'], True)
    # The editor's text counts, not the file's.
    editor.change(editor.text.replace('sum += xs[j]', 'sum += xs[j'), 2)
    same('broken', ['kpipe-invalid-code' in d.get('code', '') for d in
                    editor.wait('textDocument/publishDiagnostics')['diagnostics']][:1], [True])
    # What it includes is read from the disk when something is saved.
    editor.change((FOLDER / 'two.cu').read_text(), 3)
    same('mended', len(editor.wait('textDocument/publishDiagnostics')['diagnostics']), 2)
    (FOLDER / 'width.h').write_text('constexpr int U = 64;\n')
    editor.tell('textDocument/didSave', {'textDocument': {'uri': editor.uri}})
    said = editor.wait('textDocument/publishDiagnostics')['diagnostics']
    same('without T', any('T' in d['message'] for d in said if d['severity'] != 3), True)
    same('no loop', editor.ask('workspace/executeCommand', {
        'command': 'kpipe.showBudget', 'arguments': [editor.uri, 2]})['code'], -32602)
    same('no command', editor.ask('workspace/executeCommand', {'command': 'rm'})['code'], -32602)
    same('no method', editor.ask('textDocument/definition', {})['code'], -32601)
    editor.tell('textDocument/didOpen', {'textDocument': 3})
    editor.tell('$/cancelRequest', {'id': 1})
    editor.tell('kpipe/unknown', {})
    # A part was not asked for; nothing is known of the text around it.
    place = {'line': 0, 'character': 0}
    editor.tell('textDocument/didChange', {
        'textDocument': {'uri': editor.uri, 'version': 4},
        'contentChanges': [{'range': {'start': place, 'end': place}, 'text': 'x'}]})
    same('a part', any('T' in d['message'] for d in
                       editor.wait('textDocument/publishDiagnostics')['diagnostics']), True)
    editor.tell('textDocument/didClose', {'textDocument': {'uri': editor.uri}})
    same('closed', editor.wait('textDocument/publishDiagnostics')['diagnostics'], [])
    same('end', editor.end(), 0)


def unversioned():
    """An editor that knows no versions gets the rewrite of a file by changes."""
    editor = Editor('--arch=sm_86')
    editor.open('gemm.cu')
    line = next(i for i, l in enumerate(editor.text.splitlines()) if 'k0 += BK' in l)
    editor.ask('workspace/executeCommand', editor.actions(line)[0]['command'])
    changes = editor.wait('workspace/applyEdit')['edit']['changes'][editor.uri]
    rewritten = subprocess.run([KPIPE, 'rewrite', 'gemm.cu', '--arch=sm_86'], cwd=FOLDER,
                               capture_output=True, text=True).stdout
    same('rewrite', applied(editor.text, changes), rewritten)
    editor.server.stdin.close()
    same('no goodbye', editor.server.wait(timeout=30), 1)


def unready():
    """What cannot be analysed is said at the top of the text."""
    editor = Editor('--arch=sm_86')
    said = editor.open('empty.cu', '')
    same('empty', [d['severity'] for d in said if d['severity'] == 1], [])
    said = editor.open('no.cu', 'this is no program\n')
    same('no program', (said[0]['severity'], said[0]['range']['start']['line']), (1, 0))
    editor.ask('shutdown', None)
    editor.server.stdin.close()
    same('no exit', editor.server.wait(timeout=30), 0)
    said = Editor().open('gemm.cu')
    same('no architecture', '--arch' in said[0]['message'], True)


def no_messages():
    """What is no message is refused, and the next one is answered."""
    editor = Editor('--arch=sm_86')
    for body, code in ((b'[]', -32600), (b'[{"jsonrpc": "2.0", "method": "exit"}]', -32600),
                       (b'{}', -32600), (b'{"id": 1, "method": "shutdown"}', -32600),
                       (b'{"jsonrpc": 2, "method": "exit"}', -32600), (b'{"jsonrpc": "2.0"}', -32600),
                       (b'3', -32600), (b'null', -32600), (b'{"jsonrpc": "2.0", "meth', -32700),
                       (b'', -32700), (b'\xff\xfe', -32700)):
        editor.send_bytes(body)
        answer = editor.hear()
        same(body, (answer['id'], answer['error']['code']), (None, code))
    # An answer that nobody waits for.
    editor.send({'id': 77, 'result': None})
    same('goes on', editor.ask('textDocument/definition', {})['code'], -32601)
    same('end', editor.end(), 0)


def unreadable():
    """Behind what is no message nothing can be read: the server says so and ends."""
    for data, wanted in ((b'Content-Length: nothing\r\n\r\n{}', 'has no Content-Length'),
                         (b'Content-Length: -1\r\n\r\n{}', 'has no Content-Length'),
                         (b'{"method": "exit"}\r\n\r\n', 'has no Content-Length'),
                         (b'Content-Length: 99999999999\r\n\r\n{}', '99999999999 bytes'),
                         (b'x' * 300000, 'no end of the message')):
        said = Editor('--arch=sm_86').fails(data)
        same(data[:40], wanted in said, True)


def promises():
    """Both ways to promise in one editor; the second file's lines
    end as on Windows."""
    editor = Editor('--arch=sm_86', versions=True)
    source = (FOLDER / 'refused.cu').read_text()
    for name, text in (('refused.cu', source), ('dos.cu', source.replace('\n', '\r\n'))):
        for way in (0, 1):
            editor.open(name, text)
            line = next(i for i, l in enumerate(text.splitlines()) if 'k0 += ' in l)
            fix = editor.actions(line, 'quickfix')[way]
            edits = fix['edit']['documentChanges'][0]['edits']
            editor.change(inserted(text, edits), 2)
            same(fix['title'], [d['code'] for d in editor.wait(
                'textDocument/publishDiagnostics')['diagnostics']], ['kpipe-pipelined'])
            same('line ends', editor.text.count('\r') in (0, editor.text.count('\n')), True)
            editor.tell('textDocument/didClose', {'textDocument': {'uri': editor.uri}})
            same('closed', editor.wait('textDocument/publishDiagnostics')['diagnostics'], [])
    same('end', editor.end(), 0)


loops()
unversioned()
unready()
no_messages()
unreadable()
promises()
