/**
 * A fake language server for tests, over its own stdin and stdout. The text before the requested position
 * controls it: `crash`, `garbage`, `hold` (no answer before the next request), else it returns an item with
 * the text.
 */

import { FrameReader, frameOf } from '../../wire/framing.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}
interface Message {
  readonly id?: number;
  readonly method?: string;
  // The fake server trusts its client.
  readonly params?: {
    readonly position?: Position;
    readonly textDocument?: { readonly text?: string };
    readonly contentChanges?: readonly { readonly range: { start: Position; end: Position }; text: string }[];
  };
}

const reader = new FrameReader();
let text = '';
let waiting: (() => void)[] = [];
let cancelled = 0;

function offsetOf({ line, character }: Position): number {
  return text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
}

function answer(id: number | undefined, result: unknown): void {
  process.stdout.write(frameOf({ jsonrpc: '2.0', id, result }));
}

function complete({ id, params }: Message): void {
  const { position = { line: 0, character: 0 } } = params ?? {};
  const line = (text.split('\n')[position.line] ?? '').slice(0, position.character);
  if (line.includes('crash')) process.exit(3);
  if (line.includes('garbage')) process.stdout.write('Content-Length: nothing\r\n\r\n');
  const items = [
    {
      label: line.trim() === '' ? 'empty' : line,
      kind: 2,
      detail: `cancelled ${cancelled}`,
      documentation: text,
    },
  ];
  if (line.includes('hold')) waiting.push(() => answer(id, { items }));
  else {
    answer(id, { items });
    for (const one of waiting) one();
    waiting = [];
  }
}

process.stdin.on('data', (piece: Buffer) => {
  for (const message of reader.push(piece) as readonly Message[]) {
    const { id, method, params } = message;
    if (method === 'initialize') {
      if (process.env['STAND_IN'] === 'broken') process.exit(1);
      answer(id, { capabilities: {} });
    } else if (method === 'textDocument/didOpen') text = params?.textDocument?.text ?? '';
    else if (method === 'textDocument/didChange') {
      for (const { range, text: next } of params?.contentChanges ?? []) {
        text = text.slice(0, offsetOf(range.start)) + next + text.slice(offsetOf(range.end));
      }
    } else if (method === '$/cancelRequest') cancelled += 1;
    else if (method === 'textDocument/completion') complete(message);
    else if (id !== undefined) answer(id, null);
  }
});
process.stdin.on('end', () => process.exit(0));
