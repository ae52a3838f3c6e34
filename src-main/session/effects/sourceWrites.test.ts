import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import { createSourceWrites, type SourceWritten, type WriteSource } from './sourceWrites.ts';

const NO_FILE = {} as NotebookFile; // not used here

/** Records the writes as `cell:text`; a write is listed after the texts that it replaces. */
function room(refused: (source: string) => AppError | null = () => null) {
  const saved: string[] = [];
  const gates: (() => void)[] = [];
  const write = createSourceWrites(createSerialRunner(), async ({ superseded, newest }) => {
    saved.push([...superseded, newest].map(({ cellId: id, source }) => `${id}:${source}`).join(' '));
    await new Promise<void>((resolve) => gates.push(resolve));
    const { ticket, origin, cellId: id, source } = newest;
    const merged = source.startsWith('merged') ? { text: 'both', theirs: 'theirs' } : null;
    const fact = { type: 'source_written', ticket, origin, cellId: id, source, file: NO_FILE } as const;
    return { ...fact, refused: refused(source), merged };
  });
  let tickets = 0;
  const answers: string[] = [];
  const edit = (id: string, source: string, change: Partial<WriteSource> = {}): void => {
    tickets += 1;
    const effect: WriteSource = {
      type: 'write_source',
      ticket: tickets,
      cellId: cellId(id),
      source,
      author: 'ann',
      origin: { kind: 'caller', identity: 'ann' },
      force: false,
      outside: 0,
      ...change,
    };
    void write(effect).then((fact) => answers.push(lineOf(fact as SourceWritten)));
  };
  /** Ends the current write, if any, and starts the next. */
  const turn = async (): Promise<void> => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { saved, heard: answers, edit, turn };
}

function lineOf({ ticket, source, refused, merged }: SourceWritten): string {
  if (refused !== null) return `${ticket} ${source} refused ${String(refused.context['source'])}`;
  return `${ticket} ${source}${merged === null ? '' : ' merged'}`;
}

type Room = ReturnType<typeof room>;

describe('[ED-68] of a cell’s texts that wait for the disk only the newest is written, and each edit is answered', () => {
  const rows: readonly (readonly [
    name: string,
    act: (room: Room) => void,
    saved: readonly string[],
    heard: readonly string[],
  ])[] = [
    [
      'a burst: the one at work, and the newest',
      ({ edit }) => {
        for (const text of ['2', '3', '4']) edit('a', text);
      },
      ['a:1', 'a:2 a:3 a:4'],
      ['1 1', '2 2', '3 3', '4 4'],
    ],
    [
      'another cell waits for two writes, not for all',
      ({ edit }) => {
        for (const text of ['2', '3']) edit('a', text);
        edit('b', 'x');
        for (const text of ['4', '5']) edit('a', text);
      },
      ['a:1', 'a:2 a:3 a:4 a:5', 'b:x'],
      ['1 1', '2 2', '3 3', '5 4', '6 5', '4 x'],
    ],
    [
      'another author’s text is another write',
      ({ edit }) => {
        for (const text of ['2', '3']) edit('a', text);
        edit('a', '4', { author: 'zed' });
        edit('a', '5');
      },
      ['a:1', 'a:2 a:3', 'a:4', 'a:5'],
      ['1 1', '2 2', '3 3', '4 4', '5 5'],
    ],
    [
      'a forced text, and one that knows of another external change, are other writes',
      ({ edit }) => {
        edit('a', '2');
        edit('a', '3', { force: true });
        edit('a', '4', { force: true, outside: 1 });
      },
      ['a:1', 'a:2', 'a:3', 'a:4'],
      ['1 1', '2 2', '3 3', '4 4'],
    ],
    [
      'a refusal answers each edit, with its own text',
      ({ edit }) => {
        for (const text of ['2', 'bad']) edit('a', text);
      },
      ['a:1', 'a:2 a:bad'],
      ['1 1', '2 2 refused 2', '3 bad refused bad'],
    ],
    [
      'a merge answers only the newest edit',
      ({ edit }) => {
        for (const text of ['2', 'merged']) edit('a', text);
      },
      ['a:1', 'a:2 a:merged'],
      ['1 1', '2 2', '3 merged merged'],
    ],
  ];
  it.each(rows)('%s', async (_, act, saved, heard) => {
    const at = room((source) =>
      source === 'bad' ? new AppError('source_changed_on_disk', 'No.', { source }) : null,
    );
    at.edit('a', '1');
    await at.turn();
    act(at);
    for (let i = 0; i < 10; i += 1) await at.turn();
    expect([at.saved, at.heard]).toEqual([saved, heard]);
  });
});
