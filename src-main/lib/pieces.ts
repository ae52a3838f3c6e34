/** Streams the bodies of requests and answers that are put together from bytes and files while they are sent. */

import { closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

/**
 * A part of a long body: bytes, a file that is read while sending, or content that is generated while
 * sending.
 */
export type Piece = Uint8Array | FilePiece | MadePiece;

export interface FilePiece {
  readonly path: string;
  /** Announced before reading: a file whose length changed fails the body. */
  readonly bytes: number;
}

export interface MadePiece {
  /** Announced before generating: another length fails the body. */
  readonly bytes: number;
  make(): AsyncIterable<Uint8Array>;
}

/** Smaller files are read synchronously; larger ones through the thread pool. */
const SMALL_BYTES = 64 * 1024;
const READ_BYTES = 256 * 1024;
const readLater = promisify(read);

/** The total length of the pieces. */
export function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (isBytes(piece) ? piece.byteLength : piece.bytes), 0);
}

/**
 * A stream of the pieces in order, without holding a whole file in memory. Fails if a file is not a plain one
 * (links are not followed), or does not have the announced length.
 */
export function streamOf(pieces: readonly Piece[]): Readable {
  return Readable.from(chunksOf(pieces), { objectMode: false });
}

/** The pieces as chunks; short ones are combined. */
async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  let short: Uint8Array[] = [];
  let buffered = 0;
  for (const piece of pieces) {
    if (!isBytes(piece) && (!isFile(piece) || piece.bytes > SMALL_BYTES)) {
      if (buffered > 0) yield Buffer.concat(short);
      [short, buffered] = [[], 0];
      yield* isFile(piece) ? chunksOfFile(piece) : chunksMade(piece);
      continue;
    }
    const bytes = isBytes(piece) ? piece : smallFile(piece);
    short.push(bytes);
    buffered += bytes.byteLength;
    if (buffered < READ_BYTES) continue;
    yield Buffer.concat(short);
    [short, buffered] = [[], 0];
  }
  if (buffered > 0) yield Buffer.concat(short);
}

/** Reads the next chunk while the previous one is sent. */
async function* chunksOfFile(piece: FilePiece): AsyncGenerator<Uint8Array> {
  const file = openPlain(piece);
  let next = chunkAt(file, 0, piece);
  try {
    for (let at = 0; ; ) {
      const chunk = await next;
      at += chunk.byteLength;
      if (at < piece.bytes) next = chunkAt(file, at, piece);
      // If the body is aborted in the meantime, nothing awaits it.
      next.catch(() => undefined);
      yield chunk;
      if (at >= piece.bytes) return;
    }
  } finally {
    await next.catch(() => undefined);
    closeSync(file);
  }
}

async function* chunksMade(piece: MadePiece): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of piece.make()) {
    bytes += chunk.byteLength;
    yield chunk;
  }
  if (bytes !== piece.bytes)
    throw new Error(`${bytes} bytes were produced instead of the announced ${piece.bytes}`);
}

async function chunkAt(file: number, at: number, piece: FilePiece): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, piece.bytes - at));
  const { bytesRead } = await readLater(file, buffer, 0, buffer.length, at);
  if (bytesRead === 0) throw changed(piece);
  return buffer.subarray(0, bytesRead);
}

function smallFile(piece: FilePiece): Uint8Array {
  const file = openPlain(piece);
  try {
    const buffer = Buffer.allocUnsafe(piece.bytes);
    for (let at = 0; at < piece.bytes; ) {
      const count = readSync(file, buffer, at, piece.bytes - at, at);
      if (count === 0) throw changed(piece);
      at += count;
    }
    return buffer;
  } finally {
    closeSync(file);
  }
}

function openPlain(piece: FilePiece): number {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(piece.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const info = fstatSync(file);
  if (info.isFile() && info.size === piece.bytes) return file;
  closeSync(file);
  throw changed(piece);
}

function changed({ path }: FilePiece): Error {
  return new Error(`${path} changed while it was sent`);
}

function isBytes(piece: Piece): piece is Uint8Array {
  return piece instanceof Uint8Array;
}

function isFile(piece: FilePiece | MadePiece): piece is FilePiece {
  return 'path' in piece;
}
