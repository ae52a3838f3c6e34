/**
 * Benchmark rows of an idle notebook on a real server: the processor time of server and window, and the memory of the
 * warm processes.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { processorMs, pssMiB, startedBy } from '../processes.ts';
import { launchBrowser, openAll, servedPage, settle } from '../rendererPage.ts';
import type { Group } from '../row.ts';

const CELLS = 60;
const SOURCES = Array.from({ length: CELLS }, (_, i) =>
  i === 0 ? 'value_0 = 1' : `value_${i} = value_${i - 1} + 1\nprint("step", value_${i})`,
);

/** The share of one processor that these processes use during the next `ms`, in percent. */
async function processorPart(pids: readonly number[], ms: number): Promise<number> {
  const total = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const [before, startedAt] = [total(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, ms));
  return ((total() - before) / (performance.now() - startedAt)) * 100;
}

/** Waits until the work after the last click has ended, in which the language server reads the environment. */
async function untilRest(pid: number): Promise<void> {
  const until = performance.now() + 60_000;
  for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
    const part = await processorPart([pid, ...startedBy(pid)], 500);
    quiet = part < 5 ? quiet + 1 : 0;
  }
}

/** An idle notebook has run, its processes are warm, and a window shows it with the caret in a cell. */
export const idleRows: Group = {
  title: 'idle notebook',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'idle'), {
      cells: SOURCES.map((source, i) => ({ id: `cell${String(i).padStart(4, '0')}`, source })),
    });
    const server = await startServerProcess({ grants: [dir] });
    const { session_id } = await openReady(server.url, path);
    const browser = await launchBrowser({ uncapped: false });
    const bench = await servedPage(
      browser,
      `${server.url}/#/notebook/${session_id}?path=${encodeURIComponent(path)}`,
    );
    await openAll(bench);
    await bench.page
      .getByRole('button', { name: /^Run (all|stale)/ })
      .first()
      .click();
    await bench.page
      .locator(`[data-cell-id=cell00${CELLS - 1}] .bar [data-status=ready]`)
      .waitFor({ timeout: 60_000 });
    await bench.page.locator('[data-cell-id=cell0003] .code').click();
    await bench.page.locator('[data-cell-id=cell0003] [data-editor=live]').waitFor();
    await settle(bench.page);
    await untilRest(server.pid);
    const warm = startedBy(server.pid);
    const served = [server.pid, ...warm];
    const browserPids = startedBy(process.pid).filter((pid) => !served.includes(pid));
    const ms = smoke ? 3_000 : 20_000;
    const [ofServer, ofWindow] = await Promise.all([
      processorPart(served, ms),
      processorPart(browserPids, ms),
    ]);
    record('idle, server', [ofServer]);
    record('idle, window', [ofWindow]);
    record('warm processes of a session', [warm.reduce((sum, pid) => sum + pssMiB(pid), 0)]);
    await browser.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};
