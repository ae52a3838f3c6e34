import { writeSync } from 'node:fs';
import { notebookFolder } from '../../folder/notebookFolder.ts';
import { createUndoRecord } from '../undoStack.ts';
import { stackOf } from './undoKillStack.ts';

/**
 * A process for the crash tests: `undoKillChild.ts <notebook folder> <first>` stores one stack after another, prints
 * `begun <n>` before each and `kept <n>` after it, and never ends.
 */
const [dir = '', first = '1'] = process.argv.slice(2);
const record = createUndoRecord(notebookFolder(dir));
for (let n = Number(first); ; n += 1) {
  writeSync(1, `begun ${n}\n`);
  await record.keep({ ...stackOf(n), gone: [`e${n - 2}`] });
  writeSync(1, `kept ${n}\n`);
}
