/**
 * The program of the thread that formats and checks cells with ruff; loading it and processing long texts take time.
 */

import { parentPort } from 'node:worker_threads';
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import { RUFF_SETTINGS } from './ruffSettings.ts';
import type { RuffAnswer, RuffQuestion } from './ruffThread.ts';

/** The workspace holds ruff's settings; positions are in UTF-16 units, as in the editor. */
const workspace = new Workspace(RUFF_SETTINGS, PositionEncoding.Utf16);

parentPort?.on('message', ({ id, kind, source }: RuffQuestion) => {
  let answer: RuffAnswer;
  try {
    answer = { id, result: kind === 'format' ? workspace.format(source) : workspace.check(source) };
  } catch (error) {
    // It throws strings.
    answer = { id, problem: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
