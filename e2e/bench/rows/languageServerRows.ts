/**
 * Benchmark rows of Python completion by the language server: the first after opening, later ones, and below 500 cells.
 */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageAnswer } from '../../../src-shared/wire/routes/language.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../../support/openNotebook.ts';
import { rest } from '../../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../../support/serverProcess.ts';
import { type Group, percentile, timed } from '../row.ts';

const FRAME = 'import pandas as pd\ndf = pd.DataFrame({"city": ["a"], "n": [1]})';
const CHAIN = 500;

/** The text typed in round `i`: different each time, with an end at which completions are listed. */
const typed = (i: number): string =>
  `t${i} = df.groupby("city").agg({"n": "sum"})\nt${i}.${['', 's', 'so', 'm'][i % 4]}`;

export const languageServerRows: Group = {
  title: 'completion of Python cells',
  async run(record, { smoke }) {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-bench-')));
    const server = await startServerProcess({ grants: [root] });
    const dependencies = ['pandas', 'pyarrow', 'numpy'];
    const path = await writeNotebook(join(root, 'frames'), {
      dependencies,
      cells: [
        { id: 'load', source: FRAME },
        { id: 'use', source: 'df' },
      ],
    });
    const first: number[] = [];
    let open = await openNotebook(server, path);
    await untilReady(server, open);
    for (let i = 0; i < (smoke ? 2 : 5); i += 1) {
      await open.close();
      open = await openNotebook(server, path);
      first.push(await timed(() => complete(server, open, 'df.')));
    }
    record('first completion', first);
    record('later completion, p95', await rounds(smoke, (i) => complete(server, open, typed(i))));
    await open.close();

    const chain = Array.from({ length: CHAIN }, (_, at) => ({
      id: `c${at}`,
      source: at === 0 ? `${FRAME}\nv0 = df` : `v${at} = v${at - 1}.head(${at})`,
    }));
    const cells = [...chain, { id: 'use', source: `v${CHAIN - 1}` }];
    const long = await openNotebook(server, await writeNotebook(join(root, 'long'), { cells, dependencies }));
    const typedLong = (i: number): string => `x${i} = v${CHAIN - 1}.`;
    await complete(server, long, typedLong(0));
    record(
      'completion below 500 cells, p95',
      await rounds(smoke, (i) => complete(server, long, typedLong(i))),
    );
    await long.close();
    await server.dispose();
    await rm(root, { recursive: true, force: true });
  },
};

/** The 95th percentile of each round. */
async function rounds(smoke: boolean, work: (i: number) => Promise<void>): Promise<number[]> {
  const figures: number[] = [];
  let i = 1;
  for (let round = 0; round < 3; round += 1) {
    const samples: number[] = [];
    for (const end = i + (smoke ? 20 : 40); i < end; i += 1) samples.push(await timed(() => work(i)));
    figures.push(percentile(samples, 95));
  }
  return figures;
}

async function ask(server: ServerProcess, { sid }: OpenNotebook, source: string): Promise<LanguageAnswer> {
  const lines = source.split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const path = `/v1/notebooks/${sid}/x/cells/use/language`;
  const question = { ask: 'complete', source, position };
  return (await rest<LanguageAnswer>(server.url, 'POST', path, question)).body;
}

async function complete(server: ServerProcess, open: OpenNotebook, source: string): Promise<void> {
  const { state, items = [] } = await ask(server, open, source);
  if (state !== 'ready' || items.length === 0) throw new Error(`${source} has no list: ${state}`);
}

/** Waits until the language server is ready, which is downloaded once per machine. */
async function untilReady(server: ServerProcess, open: OpenNotebook): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { state, words } = await ask(server, open, 'df.');
    if (state === 'ready') return;
    if (state === 'off') throw new Error(words ?? 'there is no language server');
  }
  throw new Error('the language server does not start');
}
