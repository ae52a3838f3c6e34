/** Benchmark rows of R cells on a real server. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRscript } from '../../../src-main/environment/findRscript.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openNotebook } from '../../support/openNotebook.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { type Group, timed } from '../row.ts';

/** The time that the next spare R has to start; users do not edit faster. */
const PACE_MS = 1_500;
const ROWS = 1_000_000;

export const rRows: Group = {
  title: 'R cells',
  async run(record, { smoke }) {
    if ((await findRscript(process.env['SVC_RSCRIPT'] || null)) === null) {
      process.stderr.write('bench: no Rscript on this machine, R is not measured\n');
      return;
    }
    const root = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(root, 'r'), {
      dependencies: ['pyarrow>=18.0.0'],
      cells: [
        { id: 'trivial', language: 'r', source: 'invisible(0)' },
        { id: 'frame', language: 'r', source: 'big <- NULL' },
        { id: 'reader', source: 'rows = len(big)\nprint(rows)' },
      ],
    });
    const server = await startServerProcess({ grants: [root] });
    const open = await openNotebook(server, path);
    const pause = () => new Promise((resolve) => setTimeout(resolve, PACE_MS));
    const trivial: number[] = [];
    for (let i = 0; i < (smoke ? 2 : 12); i++) {
      await open.edit('trivial', `invisible(${i})`);
      await pause();
      trivial.push(await timed(() => open.execute('trivial')));
    }
    record('warm R cell', trivial);
    const frames: number[] = [];
    for (let i = 0; i < (smoke ? 2 : 5); i++) {
      await open.edit('frame', `big <- data.frame(i = seq_len(${ROWS}), d = seq_len(${ROWS}) / ${i + 2})`);
      await pause();
      frames.push(
        await timed(async () => {
          const { stdout } = await open.execute('reader');
          if (stdout !== `${ROWS}\n`) throw new Error(`the frame arrived with ${stdout} rows`);
        }),
      );
    }
    record('1e6 rows from R to Python', frames);
    await open.close();
    await server.dispose();
    await rm(root, { recursive: true, force: true });
  },
};
