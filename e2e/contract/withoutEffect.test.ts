/** Tests that a real server warns about environment variables that are set but have no effect. */

import { expect, it } from 'vitest';
import { startServerProcess } from '../support/serverProcess.ts';

it('[CF-11] a server warns once, at its start, about a variable that is set but has no effect', async () => {
  const server = await startServerProcess({ env: { SVC_FAST_CONCAT: 'native', SVC_LOG_LEVEL: 'WARNING' } });
  try {
    const output = server.stderr();
    expect(output.split('SVC_FAST_CONCAT is set, but has no effect: ')).toHaveLength(2);
    expect(output).not.toContain('SVC_LOG_LEVEL is set');
  } finally {
    await server.dispose();
  }
});
