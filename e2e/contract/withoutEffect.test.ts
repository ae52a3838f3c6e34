import { expect, it } from 'vitest';
import { startServerProcess } from '../support/serverProcess.ts';

it('[CF-11] a server warns once at its start of a variable that is set and does nothing', async () => {
  const server = await startServerProcess({ env: { SVC_MMAP_MIN_BYTES: '1024', SVC_LOG_LEVEL: 'WARNING' } });
  try {
    const output = server.stderr();
    expect(output.split('SVC_MMAP_MIN_BYTES is set, but has no effect yet')).toHaveLength(2);
    expect(output).not.toContain('SVC_LOG_LEVEL is set');
  } finally {
    await server.dispose();
  }
});
