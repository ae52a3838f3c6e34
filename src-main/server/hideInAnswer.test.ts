import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { sampleCell } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { omittedText } from '../exec/tailBuffer.ts';
import { createRedactor, NOTHING_HIDDEN } from '../lib/redactor.ts';
import { hideInAnswer } from './hideInAnswer.ts';
import { hideInBytes } from './hideInBytes.ts';
import type { StreamedBytes } from './streamedBytes.ts';

const SECRET = 'hush-hush-hush';
const redactor = createRedactor([SECRET]);

describe('[SE-13] an answer', () => {
  it.each([
    [
      'consoles and errors',
      { stdout: SECRET, error: `at ${SECRET}` },
      { stdout: '[hidden]', error: 'at [hidden]' },
    ],
    [
      'previews, however deep, and their names',
      { outputs: { x: { preview: [{ [SECRET]: [1, SECRET] }] } } },
      { outputs: { x: { preview: [{ '[hidden]': [1, '[hidden]'] }] } } },
    ],
    [
      'the beginning of a value where a preview ends',
      { preview: 'x hush-hush-…' },
      { preview: 'x [hidden]…' },
    ],
    [
      'the text of values that only Python can read',
      {
        outputs: { _: { preview: '<tuple object>', text: `('${SECRET}', 1)` } },
        displays: [{ text: "('hush-hush-…" }],
      },
      {
        outputs: { _: { preview: '<tuple object>', text: "('[hidden]', 1)" } },
        displays: [{ text: "('[hidden]…" }],
      },
    ],
    ['but not a beginning of a few letters', { preview: 'x hush-h…' }, null],
    [
      'text that travels as bytes',
      { inline_data_url: `data:text/html;base64,${Buffer.from(`<b>${SECRET}</b>`).toString('base64')}` },
      { inline_data_url: `data:text/html;base64,${Buffer.from('<b>[hidden]</b>').toString('base64')}` },
    ],
    ['rows of a table', { rows: [[1, SECRET, null]] }, { rows: [[1, '[hidden]', null]] }],
    ['ids, addresses and sources stay', { id: SECRET, path: SECRET, source: SECRET }, null],
    ['text written by the user stays', { env: { A: SECRET }, mounts: [{ uri: SECRET }] }, null],
    ['words that wait to be saved stay', { drafts: [{ text: SECRET, base: SECRET }], problem: null }, null],
    [
      'a result that looks like unsaved words',
      { preview: { drafts: [{ text: SECRET }] } },
      { preview: { drafts: [{ text: '[hidden]' }] } },
    ],
    [
      'the rest of a value whose beginning was lost',
      { stdout: `${omittedText(7)}sh-hush-hush.` },
      { stdout: `${omittedText(7)}[hidden].` },
    ],
    [
      'a console of the maximum length',
      { stdout: 'sh-hush-hush'.padEnd(10_000, '.') },
      { stdout: `[hidden]${'.'.repeat(10_000 - 12)}` },
    ],
  ])('%s', (_what, answer, expected) => {
    expect(hideInAnswer<unknown>(answer, redactor)).toEqual(expected ?? answer);
  });

  it('keeps the identity of unchanged views, and of results it computed before', () => {
    const quiet = sampleCell({ id: 'a', console_stdout: 'nothing here' });
    const loud = sampleCell({ id: 'b', console_stdout: SECRET });
    const answer = { cells: [quiet, loud] };
    const first = hideInAnswer(answer, redactor);
    const again = hideInAnswer({ cells: [quiet, loud] }, redactor);
    expect(first.cells[0]).toBe(quiet);
    expect(first.cells[1]).toMatchObject({ console_stdout: '[hidden]', id: loud.id });
    expect(again.cells[1]).toBe(first.cells[1]);
    expect(loud.console_stdout).toBe(SECRET);
    expect(hideInAnswer(answer, NOTHING_HIDDEN)).toBe(answer);
  });
});

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('[SE-13] bytes', () => {
  const hiddenText = async (given: string, contentType: string, size: number): Promise<string> => {
    const bytes = { pieces: inPieces(given, size), contentType, fileName: null };
    const { pieces } = hideInBytes(bytes, redactor) as StreamedBytes; // as it was sent
    return text(pieces);
  };

  it.each([1, 2, 3, 7, 1000])(
    'of text in pieces of %d hide a value, and split no character',
    async (size) => {
      expect(await hiddenText(`é${SECRET}é, "ö"\n`, 'text/csv; charset=utf-8', size)).toBe(
        'é[hidden]é, "ö"\n',
      );
    },
  );

  it('of a log whose beginning was dropped hide the rest of a value', async () => {
    const log = '[… the beginning of this log was discarded …]\nhush-hush\nfine';
    expect(await hiddenText(log, 'text/plain; charset=utf-8', 1000)).toBe(
      log.replace('hush-hush', '[hidden]'),
    );
  });

  it('of data stay unchanged', async () => {
    expect(await hiddenText(SECRET, 'application/vnd.apache.parquet', 4)).toBe(SECRET);
  });

  it('of a stored text are made from its file, which is unchanged', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'hide-'));
    try {
      const path = join(dir, 'blob');
      await writeFile(path, `["${SECRET}"]`);
      const stored = { path, contentType: 'json/object', sha256: 'f00', fileName: 'x', headers: {} };
      const hidden = hideInBytes(stored, redactor);
      expect('shown' in hidden && hidden.shown?.id).toBe(redactor.id);
      expect(hideInBytes({ ...stored, contentType: 'pickle/object' }, redactor)).not.toHaveProperty('shown');
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
