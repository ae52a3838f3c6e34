import type { Table } from '../columns/readTable.ts';
import type { CsvPart, Loan, SecondThread } from '../service/secondThread.ts';
import { type CsvRows, csvRows, PART_BYTES } from './csvRows.ts';
import type { ExportPieces } from './exportPieces.ts';

/** The first piece is on its way before much has been written. */
const FIRST_PIECE = 64 * 1024;
/** Parts are about this many first pieces long, so that each is about a piece. */
const PART = 15;
/** What is done within a few parts is not cut in two. */
const WORTH_LENDING = 4 * PART;
/** Parts planned before they are asked for: the second thread always has its next one. */
const AHEAD = 4;
/** Memories for parts: those planned, those on their way to the reader. Beyond them each part has its own. */
const MEMORIES = 12;

/** Rows still to be written; `made` where the second thread is at it, `done` where this one was early. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly into: SharedArrayBuffer | null;
  readonly made: Promise<CsvPart> | null;
  done: CsvPart | null;
}

/**
 * A view of a table as CSV (RFC 4180, UTF-8, one header line), a piece at a time. Of a long one every other part is
 * made by the second thread; where that fails, this one makes it.
 */
export function csvExport(table: Table, order: Uint32Array | null, second: SecondThread): ExportPieces {
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
  /** Rows of a part. */
  readonly step: number;
  readonly lent: { readonly loan: Loan; readonly order: SharedArrayBuffer | null } | null;
}

/** Owns the parts planned and the loan. `next` is asked again only when it has answered. */
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
      (made) => this.#take(head, made),
      // It is gone, or out of memory: this thread makes what was lent.
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
    const { total, step, lent } = this.#plan;
    while (this.#parts.length < AHEAD && this.#at < total) {
      const from = this.#at;
      const to = Math.min(total, from + step);
      const into = this.#memory();
      const made =
        lent !== null && this.#isSeconds ? lent.loan.csv({ order: lent.order, from, to, into }) : null;
      // It is waited for in its turn; until then its failure is nobody's.
      made?.catch(() => undefined);
      this.#parts.push({ from, to, into, made, done: null });
      this.#isSeconds = !this.#isSeconds;
      this.#at = to;
    }
  }

  /** A part whose rows are longer than the first ones were takes several pieces. */
  #take(part: Part, made: CsvPart): Uint8Array {
    this.#parts.shift();
    if (made.reached < part.to) {
      this.#parts.unshift({ from: made.reached, to: part.to, into: this.#memory(), made: null, done: null });
    }
    // Its rows were too long for it.
    if (part.into !== null && !(made.bytes.buffer instanceof SharedArrayBuffer)) this.#spare.push(part.into);
    return made.bytes;
  }

  /** Null where all are in use. */
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
