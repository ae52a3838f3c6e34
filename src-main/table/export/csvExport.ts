/** Exports a table of the data viewer as CSV, in pieces and by two threads. */

import type { Table } from '../columns/readTable.ts';
import type { CsvPart, Lender, Loan } from '../summary/loan.ts';
import { type CsvRows, csvRows, PART_BYTES } from './csvRows.ts';
import type { ExportPieces } from './exportPieces.ts';

/** The size of the first piece: small, so that it is sent early. */
const FIRST_PIECE = 64 * 1024;
/** A part is about this many times as long as the first piece, so that each part is about one piece. */
const PART = 15;
/** Exports with fewer first pieces than this are not split between threads. */
const WORTH_LENDING = 4 * PART;
/** Parts that are planned ahead, so that the second thread always has its next one. */
const PLANNED_PARTS = 4;
/** Buffers for parts: the planned ones, and those on their way to the reader. Further parts allocate their own. */
const MEMORIES = 12;

/** Rows to be written. `made`: the second thread is writing it; `done`: this thread wrote it ahead of its turn. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly into: SharedArrayBuffer | null;
  readonly made: Promise<CsvPart> | null;
  done: CsvPart | null;
}

/**
 * A view of a table as CSV (RFC 4180, UTF-8, one header line), one piece at a time. For long tables, the second thread
 * makes every other part; if it fails, this thread makes it.
 */
export function csvExport(table: Table, order: Uint32Array | null, second: Lender): ExportPieces {
  const rows = csvRows(table, order);
  const total = order?.length ?? table.rows;
  let maker: PartMaker | null = null;
  return {
    next() {
      if (maker !== null) return maker.next();
      const first = rows.first(FIRST_PIECE);
      const step = Math.max(1, first.reached * PART);
      const isLong = (total - first.reached) * PART > step * WORTH_LENDING;
      maker = new PartMaker(rows, {
        from: first.reached,
        total,
        step,
        lent: isLong ? { loan: second.lend(table), order: shared(order) } : null,
      });
      return first.bytes;
    },
    reuse: (memory) => maker?.reuse(memory),
    end: () => maker?.end(),
  };
}

interface Plan {
  readonly from: number;
  readonly total: number;
  /** Rows per part. */
  readonly step: number;
  readonly lent: { readonly loan: Loan; readonly order: SharedArrayBuffer | null } | null;
}

/** Owns the planned parts and the loan. Call `next` only after the previous call has returned. */
class PartMaker {
  readonly #rows: CsvRows;
  readonly #plan: Plan;
  readonly #parts: Part[] = [];
  readonly #spare: SharedArrayBuffer[] = [];
  #memories = 0;
  #at: number;
  #isSeconds = false;

  constructor(rows: CsvRows, plan: Plan) {
    this.#rows = rows;
    this.#plan = plan;
    this.#at = plan.from;
  }

  next(): Promise<Uint8Array> | Uint8Array | null {
    this.#fill();
    const [head] = this.#parts;
    if (head === undefined) {
      this.end();
      return null;
    }
    if (head.made === null) return this.#take(head, head.done ?? this.#rows.part(head));
    const own = this.#parts.find((part) => part.made === null && part.done === null);
    if (own !== undefined) own.done = this.#rows.part(own);
    return head.made.then(
      (part) => this.#take(head, part),
      // The second thread ended or is out of memory: this thread makes the part.
      () => this.#take(head, this.#rows.part({ ...head, into: null })),
    );
  }

  reuse(memory: SharedArrayBuffer): void {
    this.#spare.push(memory);
  }

  end(): void {
    this.#plan.lent?.loan.give();
  }

  #fill(): void {
    const { total, step, lent: loanedColumn } = this.#plan;
    while (this.#parts.length < PLANNED_PARTS && this.#at < total) {
      const from = this.#at;
      const to = Math.min(total, from + step);
      const into = this.#memory();
      const promise =
        loanedColumn !== null && this.#isSeconds
          ? loanedColumn.loan.csv({ order: loanedColumn.order, from, to, into })
          : null;
      // Awaited in its turn; until then an error must not count as unhandled.
      promise?.catch(() => undefined);
      this.#parts.push({ from, to, into, made: promise, done: null });
      this.#isSeconds = !this.#isSeconds;
      this.#at = to;
    }
  }

  /** A part whose rows are longer than the first rows takes several pieces. */
  #take(part: Part, csv: CsvPart): Uint8Array {
    this.#parts.shift();
    if (csv.reached < part.to) {
      this.#parts.unshift({ from: csv.reached, to: part.to, into: this.#memory(), made: null, done: null });
    }
    // The rows were too long for the buffer.
    if (part.into !== null && !(csv.bytes.buffer instanceof SharedArrayBuffer)) this.#spare.push(part.into);
    return csv.bytes;
  }

  /** A free buffer for a part; null if all are in use. */
  #memory(): SharedArrayBuffer | null {
    const spare = this.#spare.pop();
    if (spare !== undefined) return spare;
    if (this.#memories === MEMORIES) return null;
    this.#memories += 1;
    return new SharedArrayBuffer(PART_BYTES);
  }
}

function shared(order: Uint32Array | null): SharedArrayBuffer | null {
  if (order === null) return null;
  const memory = new SharedArrayBuffer(order.byteLength);
  new Uint32Array(memory).set(order);
  return memory;
}
