/** Writes the console output of a run as files of its output bundle, cut to the limits of a reader. */

import { lstatSync } from 'node:fs';
import { BUNDLE_MEMBERS } from '../../../src-shared/wire/worker/bundleManifest.ts';
import { bytesOf, type Piece } from '../../lib/pieces.ts';
import { encodedBytes, encodeInJson, encodePlain, endWithin, type PrintedStream } from './printedStream.ts';

/** A file of the bundle and the pieces of its content. */
export interface Member {
  readonly name: string;
  readonly content: readonly Piece[];
}

export interface ConsoleSource {
  /** The ends of the streams. */
  readonly stdout: string;
  readonly stderr: string;
  /** The logs of long streams; where a log file is missing, the end above is the whole stream. */
  readonly consoleLog?: { readonly stdout: string; readonly stderr: string };
  readonly maxMemberBytes: number;
}

/** Each stream as a file: the whole of it, or its end when it is longer than the limit of a member. */
export async function streamMembers(source: ConsoleSource): Promise<readonly Member[]> {
  const { stdout, stderr, consoleLog, maxMemberBytes } = source;
  return Promise.all([
    streamMember(BUNDLE_MEMBERS.stdout, printedOf(stdout, consoleLog?.stdout), maxMemberBytes),
    streamMember(BUNDLE_MEMBERS.stderr, printedOf(stderr, consoleLog?.stderr), maxMemberBytes),
  ]);
}

async function streamMember(name: string, printed: PrintedStream, most: number): Promise<Member> {
  const isText = typeof printed === 'string';
  const whole = isText ? Buffer.from(printed) : printed;
  if (bytesOf([whole]) <= most) return { name, content: [whole] };
  const total = await encodedBytes(printed, encodePlain);
  return { name, content: [await endWithin(printed, { encode: encodePlain, total, most })] };
}

const OPENING = Buffer.from('{"stdout":"');
const BETWEEN = Buffer.from('","stderr":"');
const CLOSING = Buffer.from('"}');

/**
 * console.json: both streams in full, or, when they do not fit into `most` bytes, their ends. The longer stream is cut
 * first.
 */
export async function consoleMember(source: ConsoleSource, most: number): Promise<Member> {
  const out = printedOf(source.stdout, source.consoleLog?.stdout);
  const err = printedOf(source.stderr, source.consoleLog?.stderr);
  const total = { out: await encodedBytes(out, encodeInJson), err: await encodedBytes(err, encodeInJson) };
  const room = Math.max(0, most - bytesOf([OPENING, BETWEEN, CLOSING]));
  const forOut = Math.max(Math.floor(room / 2), room - total.err);
  const forErr = room - Math.min(total.out, forOut);
  return {
    name: BUNDLE_MEMBERS.console,
    content: [
      OPENING,
      await endWithin(out, { encode: encodeInJson, total: total.out, most: forOut }),
      BETWEEN,
      await endWithin(err, { encode: encodeInJson, total: total.err, most: forErr }),
      CLOSING,
    ],
  };
}

function printedOf(end: string, log: string | undefined): PrintedStream {
  if (log === undefined) return end;
  const info = lstatSync(log, { throwIfNoEntry: false });
  return info?.isFile() === true ? { path: log, bytes: info.size } : end;
}
