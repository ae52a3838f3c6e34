/** A set-up file of the test runner: prints the log of the shared server when a test fails. */

import { afterEach } from 'vitest';
import { logAfterFailure } from './plainServer.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const log = await logAfterFailure();
  if (log !== null) process.stderr.write(`The shared server has logged for this file:\n${log}\n`);
});
