/** Entry point of the Ruff thread. */

import { parentPort } from 'node:worker_threads';
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import { RUFF_SETTINGS } from './ruffSettings.ts';
import type { RuffAnswer, RuffQuestion } from './ruffThread.ts';

/**
 * The thread that formats and checks the text of cells, because loading the formatter and processing long
 * texts take time.
 */
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
