/**
 * The console of a run: turns the bytes of stdout and stderr into text for the window while the run goes on,
 * keeps the tail of each for the result, and starts a log on disk for a long stream. Memory and messages stay
 * bounded however much a cell prints.
 */

import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { ConsoleLog } from './consoleLog.ts';
import type { ConsoleLogRequest, ConsoleText } from './executor.ts';
import { omittedText, TailBuffer } from './tailBuffer.ts';

/** Size of the tail of each stream in a run's outcome. */
export const TAIL_BYTES = 1024 * 1024;
/** A longer stream also gets a log on disk. Shorter ones are complete in the live view and in the outcome. */
export const LOGGED_BYTES = 64 * 1024;
/** Maximum UTF-8 bytes in one call of `onConsole`. */
export const PIECE_BYTES = 64 * 1024;
/** Time between two deliveries. */
export const INTERVAL_MS = 33;
/**
 * Approximate maximum of both streams together in one delivery, so that a window that draws all of it stays
 * responsive.
 */
export const DELIVERY_BYTES = 2 * PIECE_BYTES;
/**
 * Each stream is shown live without gaps up to this size; after that, only the newest text of each delivery
 * is shown.
 */
export const LIVE_BYTES = 16 * 1024 * 1024;
/** How much of the newest text is delivered, in whole reads, when more than one piece waits. */
const NEWEST_BYTES = PIECE_BYTES / 4;

interface ConsoleFeedOptions {
  readonly onConsole: (text: ConsoleText) => void;
  /** Asks the source to pause or resume while the log on disk is slower than the cell. */
  readonly onPressure: (paused: boolean) => void;
  /** Where a stream longer than LOGGED_BYTES is written in full, up to `maxBytes`. */
  readonly log: ConsoleLogRequest | null;
}

interface Stream {
  readonly decoder: StringDecoder;
  readonly tail: TailBuffer;
  log: ConsoleLog | null;
  /** All bytes printed so far, delivered or not. */
  printedBytes: number;
  /** The part of them not yet delivered. */
  waitingBytes: number;
}

/** Text as it was read, and its length in bytes of UTF-8. */
interface Printed {
  readonly text: string;
  readonly bytes: number;
}

/** Printed text of one stream that waits for the next delivery. The `cut` bytes before it are not shown live. */
interface Segment {
  readonly stream: ConsoleText['stream'];
  readonly printed: Printed[];
  cut: number;
}

/**
 * Turns the bytes of a run's two streams into text: live in order, coalesced; at the end the tail of each.
 * The first text is delivered at once, later text at most every INTERVAL_MS.
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
      // Carries over characters that a read splits; invalid UTF-8 becomes U+FFFD.
      decoder: new StringDecoder('utf8'),
      tail: new TailBuffer(TAIL_BYTES),
      log: null,
      printedBytes: 0,
      waitingBytes: 0,
    });
    this.#streams = { stdout: stream(), stderr: stream() };
  }

  push(name: ConsoleText['stream'], bytes: Buffer): void {
    const stream = this.#streams[name];
    this.#store(name, bytes);
    const text = stream.decoder.write(bytes);
    // ASCII has as many bytes as characters, so it need not be measured.
    const isPlain = text.length === bytes.length && isAscii(bytes);
    if (text !== '') this.#queue(name, { text, bytes: isPlain ? text.length : Buffer.byteLength(text) });
  }

  /** Delivers what waits and returns the tail of each stream. */
  async end(): Promise<{ readonly stdout: string; readonly stderr: string }> {
    for (const name of ['stdout', 'stderr'] as const) {
      const rest = this.#streams[name].decoder.end();
      if (rest !== '') this.#queue(name, { text: rest, bytes: Buffer.byteLength(rest) });
    }
    // The result repeats the tail, so deliver no more of what waits than the tail holds.
    for (const name of ['stdout', 'stderr'] as const) this.#leaveOut(name, TAIL_BYTES);
    this.#deliver(Number.POSITIVE_INFINITY);
    const { stdout, stderr } = this.#streams;
    await Promise.all([stdout.log?.close(), stderr.log?.close()]);
    return { stdout: stdout.tail.text(), stderr: stderr.tail.text() };
  }

  #store(name: ConsoleText['stream'], bytes: Buffer): void {
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
    // Past the live limit only the newest text waits, so that memory and messages stay bounded.
    if (stream.printedBytes > LIVE_BYTES && stream.waitingBytes > PIECE_BYTES)
      this.#leaveOut(name, NEWEST_BYTES);
    const wait = this.#lastDelivery + INTERVAL_MS - performance.now();
    if (first || wait <= 0) this.#deliver(DELIVERY_BYTES);
    else this.#timer ??= setTimeout(() => this.#deliver(DELIVERY_BYTES), wait);
  }

  /** Drops the oldest waiting text of a stream until `keep` bytes are left; the text after it records how much. */
  #leaveOut(name: ConsoleText['stream'], keep: number): void {
    const ofStream = this.#segments.filter((segment) => segment.stream === name);
    const stream = this.#streams[name];
    let cut = 0;
    for (const segment of ofStream) {
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

  /** Delivers the oldest waiting text, until that is `most` bytes or more; the rest follows after an interval. */
  #deliver(most: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const due = this.#takeOldest(most);
    if (due.length === 0) return;
    this.#lastDelivery = performance.now();
    if (this.#segments.length > 0) this.#timer = setTimeout(() => this.#deliver(DELIVERY_BYTES), INTERVAL_MS);
    for (const { stream, printed, cut } of due) {
      if (cut > 0) this.#options.onConsole({ stream, text: `\n${omittedText(cut)}` });
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

/** Joins texts into pieces of at most PIECE_BYTES. ASCII texts are cut to fill a piece: fewer pieces cost less. */
function* together(printed: readonly Printed[]): Generator<string> {
  let texts: string[] = [];
  let size = 0;
  const takePiece = (): string => {
    const piece = texts.join('');
    texts = [];
    size = 0;
    return piece;
  };
  for (const { text, bytes } of printed) {
    let rest = text;
    // ASCII can be cut anywhere.
    while (bytes === text.length && size + rest.length > PIECE_BYTES) {
      const fitting = PIECE_BYTES - size;
      texts.push(rest.slice(0, fitting));
      size = PIECE_BYTES;
      yield takePiece();
      rest = rest.slice(fitting);
    }
    const restBytes = bytes === text.length ? rest.length : bytes;
    if (size > 0 && size + restBytes > PIECE_BYTES) yield takePiece();
    if (restBytes > PIECE_BYTES) {
      yield* piecesOf(rest);
      continue;
    }
    texts.push(rest);
    size += restBytes;
  }
  if (size > 0) yield takePiece();
}

/** Cuts text into pieces of at most PIECE_BYTES of UTF-8, never inside a character. */
export function* piecesOf(text: string): Generator<string> {
  // A UTF-16 unit is at most three bytes of UTF-8.
  const alwaysFits = Math.floor(PIECE_BYTES / 3);
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PIECE_BYTES);
    if (end - start > alwaysFits && Buffer.byteLength(text.slice(start, end)) > PIECE_BYTES)
      end = start + alwaysFits;
    end = wholeCharacter(text, end);
    yield text.slice(start, end);
    start = end;
  }
}

/** `index`, or one less where it would split a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
