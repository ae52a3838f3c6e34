import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { ConsoleLog } from './consoleLog.ts';
import type { ConsoleText } from './executor.ts';
import { leftOut, TailBuffer } from './tailBuffer.ts';

/** What an outcome keeps of each stream. */
export const KEPT_BYTES = 1024 * 1024;
/** A stream longer than this has a log on disk: shorter ones are known whole while they run and after. */
export const LOGGED_BYTES = 64 * 1024;
/** UTF-8 bytes in one call at most. */
export const PIECE_BYTES = 64 * 1024;
/** Between two deliveries. */
export const INTERVAL_MS = 33;
/** Shown live without a gap, per stream. Past it one piece per delivery is, the newest. */
export const LIVE_BYTES = 16 * 1024 * 1024;

export interface ConsoleFeedOptions {
  readonly onConsole: (text: ConsoleText) => void;
  /** Asked to stop and go on sending when the log on disk is slower than the cell. */
  readonly onPressure: (paused: boolean) => void;
  /** Where a stream that outgrows LOGGED_BYTES is written whole, up to `maxBytes`. */
  readonly log: { readonly stdout: string; readonly stderr: string; readonly maxBytes: number } | null;
}

interface Stream {
  readonly decoder: StringDecoder;
  readonly tail: TailBuffer;
  log: ConsoleLog | null;
  sentBytes: number;
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
      sentBytes: 0,
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
    this.#deliver();
    const { stdout, stderr } = this.#streams;
    await Promise.all([stdout.log?.close(), stderr.log?.close()]);
    return { stdout: stdout.tail.text(), stderr: stderr.tail.text() };
  }

  #keep(name: ConsoleText['stream'], bytes: Buffer): void {
    const stream = this.#streams[name];
    const { log, onPressure } = this.#options;
    if (log !== null && stream.log === null && stream.tail.total + bytes.length > LOGGED_BYTES) {
      stream.log = new ConsoleLog(log[name], { onPressure, maxBytes: log.maxBytes });
      stream.log.write(Buffer.from(stream.tail.held()));
    }
    stream.log?.write(bytes);
    stream.tail.push(bytes);
  }

  #queue(name: ConsoleText['stream'], printed: Printed): void {
    const last = this.#segments.at(-1);
    if (last?.stream === name) last.printed.push(printed);
    else this.#segments.push({ stream: name, printed: [printed], cut: 0 });
    this.#trim(name);
    const wait = this.#lastDelivery + INTERVAL_MS - performance.now();
    const first = this.#streams[name].sentBytes === 0;
    if (first || wait <= 0) this.#deliver();
    else this.#timer ??= setTimeout(() => this.#deliver(), wait);
  }

  /** Past the allowance only the newest piece waits, so that memory and frames stay bounded. */
  #trim(name: ConsoleText['stream']): void {
    if (this.#streams[name].sentBytes < LIVE_BYTES) return;
    const mine = this.#segments.filter((segment) => segment.stream === name);
    const all = mine.flatMap((segment) => segment.printed);
    if (mine.length === 1 && all.reduce((sum, { bytes }) => sum + bytes, 0) <= 2 * PIECE_BYTES) return;
    const joined = all.map(({ text }) => text).join('');
    const keepFrom = wholeCharacter(joined, Math.max(0, joined.length - PIECE_BYTES / 3));
    const cut = mine.reduce(
      (sum, segment) => sum + segment.cut,
      Buffer.byteLength(joined.slice(0, keepFrom)),
    );
    const text = joined.slice(keepFrom);
    this.#segments = this.#segments.filter((segment) => segment.stream !== name);
    this.#segments.push({ stream: name, printed: [{ text, bytes: Buffer.byteLength(text) }], cut });
  }

  #deliver(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const segments = this.#segments;
    if (segments.length === 0) return;
    this.#segments = [];
    this.#lastDelivery = performance.now();
    for (const { stream, printed, cut } of segments) {
      if (cut > 0) this.#options.onConsole({ stream, text: `\n${leftOut(cut)}` });
      for (const { text, bytes } of together(printed)) {
        this.#streams[stream].sentBytes += bytes;
        this.#options.onConsole({ stream, text });
      }
    }
  }
}

/** The same text in pieces of at most PIECE_BYTES, filled where that needs no look at the text: fewer are cheaper. */
function* together(printed: readonly Printed[]): Generator<Printed> {
  let texts: string[] = [];
  let size = 0;
  const take = (): Printed => {
    const piece = { text: texts.join(''), bytes: size };
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
      for (const piece of piecesOf(rest)) yield { text: piece, bytes: Buffer.byteLength(piece) };
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
