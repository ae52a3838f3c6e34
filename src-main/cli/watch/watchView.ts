/** Turns the frames of a session into the lines that `svc watch` shows: one line per cell, or one per event. */

import { stripVTControlCharacters } from 'node:util';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { ReceivedFrame } from '../../../src-shared/wire/frames/server.ts';

/** One cell in the terminal. */
interface ShownCell {
  readonly name: string;
  readonly status: Cell['status'];
  /** The cell's newest console line, or its error. */
  readonly last: string;
}

/** One symbol per status. */
const MARKS: Readonly<Record<Cell['status'], string>> = {
  idle: '·',
  running: '▶',
  ready: '✓',
  error: '✗',
  stale: '~',
};

/**
 * What a terminal shows of one notebook: the cells and their events. Pure: frames in, lines out; it knows
 * neither their source nor the terminal.
 */
export class WatchView {
  #name = '';
  #cells = new Map<string, ShownCell>();
  #lastSeq: number | null = null;
  #needsSync = true;

  /** A number was missed, or there is no state yet: notebook_sync is due (docs/spec/live-protocol.md, 1). */
  get needsSync(): boolean {
    return this.#needsSync;
  }

  /** Frame numbers start again with a new socket. */
  reconnected(): void {
    this.#lastSeq = null;
    this.#needsSync = true;
  }

  /** Applies a frame. @returns its lines for a log; none if it changes nothing */
  apply(frame: ReceivedFrame): readonly string[] {
    const last = this.#lastSeq;
    if (last !== null && frame.seq > last + 1 && frame.prev !== last) this.#needsSync = true;
    this.#lastSeq = frame.seq;
    switch (frame.type) {
      case 'notebook_state':
        this.#needsSync = false;
        return this.#replaced(frame.payload.name, frame.payload.cells);
      case 'cell_status':
        return this.#changed(frame.payload.cell_id, { status: frame.payload.status });
      case 'cell_console': {
        const text = plain(frame.payload.text);
        return this.#cellLine(
          frame.payload.cell_id,
          text.split('\n').filter((line) => line !== ''),
        );
      }
      case 'cell_output': {
        const { cell_id, cache_hit, duration_ms } = frame.payload;
        return this.#cellLine(cell_id, [cache_hit ? 'from the cache' : `done in ${duration_ms} ms`]);
      }
      case 'cell_error': {
        const [first = '', ...rest] = plain(frame.payload.error).trimEnd().split('\n');
        return this.#cellLine(frame.payload.cell_id, [rest.at(-1) ?? first]);
      }
      case 'environment_job_started':
      case 'environment_job_finished': {
        const { command, status } = frame.payload.environment_job;
        return [`environment: ${command} ${status}`];
      }
      case 'session_closed':
        return [frame.payload.message];
      default:
        return [];
    }
  }

  /** The whole notebook in the available lines; running cells stay in view. */
  screen({ columns, rows }: { readonly columns: number; readonly rows: number }, link: string): string {
    const cells = [...this.#cells.values()];
    const running = cells.findIndex(({ status }) => status === 'running');
    const room = Math.max(1, rows - 3);
    const first = Math.max(0, Math.min(running - Math.floor(room / 2), cells.length - room));
    const widest = Math.min(24, Math.max(0, ...cells.map(({ name }) => name.length)));
    const lines = cells
      .slice(first, first + room)
      .map(
        ({ name, status, last }) => `${MARKS[status]} ${padded(name, widest)}  ${padded(status, 8)}${last}`,
      );
    const head = `${this.#name} (${cells.length} cells) ${link}`;
    return [head, '', ...lines, 'r: refresh   q: quit'].map((line) => line.slice(0, columns)).join('\n');
  }

  #replaced(name: string, cells: readonly Cell[]): readonly string[] {
    this.#name = plain(name);
    const before = this.#cells;
    const lines: string[] = [];
    this.#cells = new Map(
      cells.map((cell) => {
        const current = shownOf(cell, before.get(cell.id));
        if (before.get(cell.id)?.status !== current.status) lines.push(`${current.name}: ${current.status}`);
        return [cell.id, current];
      }),
    );
    for (const [id, { name: oldName }] of before) if (!this.#cells.has(id)) lines.push(`${oldName}: gone`);
    return lines;
  }

  #changed(id: string, change: Partial<ShownCell>): readonly string[] {
    const before = this.#cells.get(id);
    if (before === undefined) return [];
    const now = { ...before, ...change };
    this.#cells.set(id, now);
    return before.status === now.status ? [] : [`${now.name}: ${now.status}`];
  }

  #cellLine(id: string, texts: readonly string[]): readonly string[] {
    const cell = this.#cells.get(id);
    const last = texts.at(-1);
    if (cell === undefined || last === undefined) return [];
    this.#cells.set(id, { ...cell, last });
    return texts.map((text) => `${cell.name}: ${text}`);
  }
}

function shownOf(cell: Cell, before: ShownCell | undefined): ShownCell {
  const name = plain(cell.annotations.name ?? cell.id);
  const [error] = (cell.error ?? '').trimEnd().split('\n').slice(-1);
  return { name, status: cell.status, last: cell.error === null ? (before?.last ?? '') : plain(error ?? '') };
}

/** Removes control characters: a terminal must not interpret what cells print. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
  return stripVTControlCharacters(text).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}

function padded(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}
