import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { ConsoleLog } from './consoleLog.ts';
import type { ConsoleLogRequest, ConsoleText } from './executor.ts';
import { leftOut, TailBuffer } from './tailBuffer.ts';

/** What an outcome keeps of each stream. */
export const KEPT_BYTES = 1024 * 1024;
/** A stream longer than this has a log on disk: shorter ones are known whole while they run and after. */
export const LOGGED_BYTES = 64 * 1024;
/** UTF-8 bytes in one call at most. */
export const PIECE_BYTES = 64 * 1024;
/** Between two deliveries. */
export const INTERVAL_MS = 33;
/** Of both streams in one delivery, about: a window that draws all of it stays quick. What is more waits its turn. */
export const DELIVERY_BYTES = 2 * PIECE_BYTES;
/** Shown live without a gap, per stream. Past it the newest of each delivery is. */
export const LIVE_BYTES = 16 * 1024 * 1024;
/** What is left of the newest, in whole reads, where more than a piece waits: nobody reads faster. */
const NEWEST_BYTES = PIECE_BYTES / 4;

export interface ConsoleFeedOptions {
  readonly onConsole: (text: ConsoleText) => void;
  /** Asked to stop and go on sending when the log on disk is slower than the cell. */
  readonly onPressure: (paused: boolean) => void;
  /** Where a stream that outgrows LOGGED_BYTES is written whole, up to `maxBytes`. */
  readonly log: ConsoleLogRequest | null;
}

interface Stream {
  readonly decoder: StringDecoder;
  readonly tail: TailBuffer;
  log: ConsoleLog | null;
  /** Printed up to now, delivered or not. */
  printedBytes: number;
  /** Of these, not yet delivered. */
  waitingBytes: number;
}

/** Text as it was read, and how many bytes of UTF-8 it is. */
interface Printed {
  readonly text: string;
  readonly bytes: number;
}

/** Printed text waiting for the next delivery, of one stream. `cut` bytes before it are not shown live. */
interface Segment {
  readonly stream: ConsoleText['stream'];
  readonly printed: Printed[];
  cut: number;
}

/**
 * Turns the bytes of a run's two streams into text: live in order, coalesced; at the end the tail of each.
 * What is printed first is delivered at once, later text at most every INTERVAL_MS.
 */
export class ConsoleFeed {
  readonly #options: ConsoleFeedOptions;
  readonly #streams: Readonly<Record<ConsoleText['stream'], Stream>>;
  #segments: Segment[] = [];
  #timer: NodeJS.Timeout | null = null;
  #lastDelivery = Number.NEGATIVE_INFINITY;

  constructor(options: ConsoleFeedOptions) {
    this.#options = options;
    const stream = (): Stream => ({
      // Splits in the middle of a character are carried over; bytes that are no UTF-8 become U+FFFD.
      decoder: new StringDecoder('utf8'),
      tail: new TailBuffer(KEPT_BYTES),
      log: null,
      printedBytes: 0,
      waitingBytes: 0,
    });
    this.#streams = { stdout: stream(), stderr: stream() };
  }

  push(name: ConsoleText['stream'], bytes: Buffer): void {
    const stream = this.#streams[name];
    this.#keep(name, bytes);
    const text = stream.decoder.write(bytes);
    // Measuring what is known would cost as much as sending it.
    const isPlain = text.length === bytes.length && isAscii(bytes);
    if (text !== '') this.#queue(name, { text, bytes: isPlain ? text.length : Buffer.byteLength(text) });
  }

  /** Delivers what waits and answers the kept text. */
  async end(): Promise<{ readonly stdout: string; readonly stderr: string }> {
    for (const name of ['stdout', 'stderr'] as const) {
      const rest = this.#streams[name].decoder.end();
      if (rest !== '') this.#queue(name, { text: rest, bytes: Buffer.byteLength(rest) });
    }
    // The result says it again: of what waits no more than that will hold.
    for (const name of ['stdout', 'stderr'] as const) this.#leaveOut(name, KEPT_BYTES);
    this.#deliver(Number.POSITIVE_INFINITY);
    const { stdout, stderr } = this.#streams;
    await Promise.all([stdout.log?.close(), stderr.log?.close()]);
    return { stdout: stdout.tail.text(), stderr: stderr.tail.text() };
  }

  #keep(name: ConsoleText['stream'], bytes: Buffer): void {
    const stream = this.#streams[name];
    const { log, onPressure } = this.#options;
    if (log !== null && stream.log === null && stream.tail.total + bytes.length > LOGGED_BYTES) {
      stream.log = new ConsoleLog(log[name], { onPressure, maxBytes: log.maxBytes, hide: log.hide?.() });
      stream.log.write(Buffer.from(stream.tail.held()));
    }
    stream.log?.write(bytes);
    stream.tail.push(bytes);
  }

  #queue(name: ConsoleText['stream'], printed: Printed): void {
    const stream = this.#streams[name];
    const first = stream.printedBytes === 0;
    stream.printedBytes += printed.bytes;
    stream.waitingBytes += printed.bytes;
    const last = this.#segments.at(-1);
    if (last?.stream === name) last.printed.push(printed);
    else this.#segments.push({ stream: name, printed: [printed], cut: 0 });
    // Past the allowance only the newest waits, so that memory and frames stay bounded.
    if (stream.printedBytes > LIVE_BYTES && stream.waitingBytes > PIECE_BYTES)
      this.#leaveOut(name, NEWEST_BYTES);
    const wait = this.#lastDelivery + INTERVAL_MS - performance.now();
    if (first || wait <= 0) this.#deliver(DELIVERY_BYTES);
    else this.#timer ??= setTimeout(() => this.#deliver(DELIVERY_BYTES), wait);
  }

  /** Leaves out what was read first of what waits of a stream, down to `keep` bytes; what follows says how much. */
  #leaveOut(name: ConsoleText['stream'], keep: number): void {
    const mine = this.#segments.filter((segment) => segment.stream === name);
    const stream = this.#streams[name];
    let cut = 0;
    for (const segment of mine) {
      cut += segment.cut;
      let count = 0;
      for (const { bytes } of segment.printed) {
        if (stream.waitingBytes - bytes < keep) break;
        stream.waitingBytes -= bytes;
        cut += bytes;
        count += 1;
      }
      segment.printed.splice(0, count);
      segment.cut = cut;
      if (segment.printed.length > 0) break;
    }
    this.#segments = this.#segments.filter(({ printed }) => printed.length > 0);
  }

  /** Gives out the oldest text that waits, until it is `most` bytes or more; the rest comes after an interval. */
  #deliver(most: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const due = this.#takeOldest(most);
    if (due.length === 0) return;
    this.#lastDelivery = performance.now();
    if (this.#segments.length > 0) this.#timer = setTimeout(() => this.#deliver(DELIVERY_BYTES), INTERVAL_MS);
    for (const { stream, printed, cut } of due) {
      if (cut > 0) this.#options.onConsole({ stream, text: `\n${leftOut(cut)}` });
      for (const text of together(printed)) this.#options.onConsole({ stream, text });
    }
  }

  #takeOldest(most: number): Segment[] {
    let size = 0;
    const due: Segment[] = [];
    for (let segment = this.#segments[0]; segment !== undefined && size < most; segment = this.#segments[0]) {
      let count = 0;
      while (count < segment.printed.length && size < most) {
        size += segment.printed[count]?.bytes ?? 0;
        count += 1;
      }
      const printed = segment.printed.splice(0, count);
      for (const { bytes } of printed) this.#streams[segment.stream].waitingBytes -= bytes;
      due.push({ stream: segment.stream, printed, cut: segment.cut });
      segment.cut = 0;
      if (segment.printed.length === 0) this.#segments.shift();
    }
    return due;
  }
}

/** The same text in pieces of at most PIECE_BYTES, filled where that needs no look at the text: fewer are cheaper. */
function* together(printed: readonly Printed[]): Generator<string> {
  let texts: string[] = [];
  let size = 0;
  const take = (): string => {
    const piece = texts.join('');
    texts = [];
    size = 0;
    return piece;
  };
  for (const { text, bytes } of printed) {
    let rest = text;
    // As many units as bytes: every character is one of each, so any place is fit to cut.
    while (bytes === text.length && size + rest.length > PIECE_BYTES) {
      const fitting = PIECE_BYTES - size;
      texts.push(rest.slice(0, fitting));
      size = PIECE_BYTES;
      yield take();
      rest = rest.slice(fitting);
    }
    const left = bytes === text.length ? rest.length : bytes;
    if (size > 0 && size + left > PIECE_BYTES) yield take();
    if (left > PIECE_BYTES) {
      yield* piecesOf(rest);
      continue;
    }
    texts.push(rest);
    size += left;
  }
  if (size > 0) yield take();
}

/** Cuts text into pieces of at most PIECE_BYTES of UTF-8, never inside a character. */
export function* piecesOf(text: string): Generator<string> {
  // A UTF-16 unit is at most three bytes of UTF-8.
  const sure = Math.floor(PIECE_BYTES / 3);
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PIECE_BYTES);
    if (end - start > sure && Buffer.byteLength(text.slice(start, end)) > PIECE_BYTES) end = start + sure;
    end = wholeCharacter(text, end);
    yield text.slice(start, end);
    start = end;
  }
}

/** `index`, or one less where it would part a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
