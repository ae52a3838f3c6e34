/** Reports the progress of a cell's tests while they run, from the file to which the harness appends lines. */

import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { openToRead } from '../../lib/guardedFolder/read.ts';
import { NOT_STARTED, progressAfter, type TestProgress } from './testProgress.ts';
import { REPORT_FILE, readReportLine } from './testReport.ts';

/** Interval of reading the report: as often as a user can follow. */
const POLL_MS = 150;
/** Maximum bytes per read; the rest waits for the next. */
const MAX_BYTES = 256 * 1024;

/**
 * Reports the progress of a run of tests from the file its harness appends to, until `close()`. The tests can
 * write to that folder: a report that is not a plain file, or is unreadable, gives no progress (the results
 * are read at the end).
 */
export function followTestReport(
  outputDir: string,
  onProgress: (progress: TestProgress) => void,
): { readonly close: () => void } {
  const buffer = Buffer.alloc(MAX_BYTES);
  const decoder = new StringDecoder('utf8');
  let from = 0;
  let partialLine = '';
  let progress = NOT_STARTED;
  const look = () => {
    const length = readFrom(join(outputDir, REPORT_FILE), from, buffer);
    if (length === 0) return;
    from += length;
    const [last = '', ...whole] = (partialLine + decoder.write(buffer.subarray(0, length)))
      .split('\n')
      .reverse();
    partialLine = last;
    const before = progress;
    for (const text of whole.reverse()) {
      const line = readReportLine(text);
      if (line !== null) progress = progressAfter(progress, line);
    }
    if (progress !== before) onProgress(progress);
  };
  const timer = setInterval(look, POLL_MS);
  return { close: () => clearInterval(timer) };
}

/** @returns the number of bytes; 0 also if the file does not exist or cannot be read */
function readFrom(path: string, from: number, buffer: Buffer): number {
  let file: number;
  try {
    file = openToRead(path, { maxBytes: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return 0;
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? readSync(file, buffer, 0, buffer.length, from) : 0;
  } finally {
    closeSync(file);
  }
}
