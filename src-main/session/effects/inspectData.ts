/** Prepares the external data (mounts, fetches, datasets, tables) that a console inside a cell can use. */

import type { HarnessInput, HarnessManifest } from '../../../src-shared/wire/harness.ts';
import type { DataAccess, DataUse } from '../../mount/dataAccess.ts';

/** The external data for a console, and why some of it is missing. */
export interface InspectData {
  readonly mounts: NonNullable<HarnessManifest['mounts']>;
  readonly tables: NonNullable<HarnessManifest['tables']>;
  readonly inputs: Readonly<Record<string, HarnessInput>>;
  readonly lost: Readonly<Record<string, string>>;
}

/** The same limit as for loading the values (docs/spec/tests-and-consoles.md, 2). */
const BRING_MS = 15_000;

/**
 * Checks and copies the external data that a cell uses, each item separately: a failed item is named and the
 * others are provided. A writable mount of an object store is a copy in `scratchDir` that is never sent back.
 */
export async function prepareInspectData(
  data: DataAccess,
  uses: readonly DataUse[],
  options: { readonly scratchDir: string; readonly signal: AbortSignal },
): Promise<InspectData> {
  const late = AbortSignal.timeout(BRING_MS);
  const signal = AbortSignal.any([options.signal, late]);
  const { scratchDir } = options;
  const items: InspectData[] = await Promise.all(
    uses.map(async ({ item, fact }): Promise<InspectData> => {
      const [currentFact = fact] =
        item.fixed === null ? await data.check([item], { purpose: 'run', signal }) : [fact];
      const ready = await data.prepare([{ item, fact: currentFact }], { scratchDir, signal });
      if (ready.kind === 'ready') {
        const { mounts, tables, inputs } = ready;
        return { mounts, tables, inputs, lost: {} };
      }
      const message = late.aborted ? LATE : ready.message;
      return { mounts: {}, tables: {}, inputs: {}, lost: { [item.name]: message } };
    }),
  );
  return {
    mounts: Object.assign({}, ...items.map(({ mounts }) => mounts)),
    tables: Object.assign({}, ...items.map(({ tables }) => tables)),
    inputs: Object.assign({}, ...items.map(({ inputs }) => inputs)),
    lost: Object.assign({}, ...items.map(({ lost: lostNames }) => lostNames)),
  };
}

const LATE = `Loading took longer than ${BRING_MS / 1000} s. Run the cell to store a copy, then restart the console.`;
