import { guarded } from '../arguments.ts';
import { cellAdd, cellAnnotate, cellEdit, cellMove, cellRemove } from './cellEditing.ts';
import { cellList, cellOutput, cellShow } from './cellReading.ts';
import { cellCancel, cellRun, cellTestOnServer } from './cellRunning.ts';
import { chosen } from './chosen.ts';

/** Every command about single cells (API supplement 7). */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  list: cellList,
  show: cellShow,
  run: cellRun,
  cancel: cellCancel,
  output: cellOutput,
  test: async (args) =>
    isOnServer(args) ? cellTestOnServer(args) : (await import('./cellTest.ts')).cellTest(args),
  add: cellAdd,
  edit: cellEdit,
  rm: cellRemove,
  mv: cellMove,
  annotate: cellAnnotate,
  'pin-fetch': async (args) => (await import('./cellPinFetch.ts')).cellPinFetch(args),
};

/** `svc cell COMMAND …`. */
export function cell(args: readonly string[]): Promise<number> {
  return guarded(() => chosen('cell', COMMANDS, args));
}

function isOnServer(args: readonly string[]): boolean {
  return args.some((arg) => /^--(server|session)(=|$)/.test(arg));
}
