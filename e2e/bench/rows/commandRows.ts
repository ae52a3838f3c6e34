/** Benchmark row of the command line: `svc run` over a copy of an example whose cells are all cached. */

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../support/serverProcess.ts';
import { svc } from '../../support/svcCommand.ts';
import { type Group, repeat } from '../row.ts';

export const commandRows: Group = {
  title: 'command line',
  async run(record, { smoke }) {
    const root = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const dir = join(root, 'seattle-weather');
    await cp(join(PROJECT_ROOT, 'examples/seattle-weather'), dir, {
      recursive: true,
      filter: (source) => !/[\\/](\.svc|\.venv|uv\.lock)$/.test(source),
    });
    const run = async (): Promise<void> => {
      const end = await svc(['run', dir, '--format', 'json']);
      if (end.code !== 0) throw new Error(`svc run ended ${end.code}: ${end.stderr}`);
    };
    await run();
    record('svc run, all cached', await repeat(smoke ? 1 : 7, run));
    await rm(root, { recursive: true, force: true });
  },
};
