/** The command `svc cell pin-fetch`: writes the digest of each last download into the `@fetch` lines of a cell. */

import { fetchOf } from '../../../src-shared/notebook/annotations.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { pinnedFetch, withLineChanged } from '../../../src-shared/notebook/spliceDirective.ts';
import type { FetchIndex } from '../../mount/fetch/fetchIndex.ts';
import { ownPath } from '../../notebook/folder/ownPlaces.ts';
import { UsageError } from '../arguments.ts';
import { CallError } from '../place/restCaller.ts';
import { targetCommand, textOption } from '../place/targetCommand.ts';
import { cellOf } from './cellReading.ts';

/** A `@fetch` line and the digest of its last download. */
interface Pin {
  readonly name: string;
  readonly url: string;
  readonly sha256: string;
}

interface PinnedSource {
  readonly source: string;
  readonly pins: readonly Pin[];
}

/**
 * `svc cell pin-fetch DIR ID [NAME…]`: writes `sha256=` of the last download into the cell's `@fetch` lines, by default
 * only into those without one (docs/spec/command-line.md, 4). Changes all of the named lines or none.
 */
export const cellPinFetch = targetCommand({
  usage: 'ID [NAME]…',
  options: {},
  needsEnvironment: () => false,
  async prepare({ rest, place, values }) {
    // Downloads are stored beside the notebook's files.
    if (place.kind !== 'folder') throw new UsageError('pin-fetch needs a notebook folder');
    const [id, ...names] = rest;
    if (id === undefined) throw new UsageError('give one cell, and optionally the names of its fetches');
    // Not for help and wrong usage [AR-63].
    const { createFetchIndex } = await import('../../mount/fetch/fetchIndex.ts');
    const index = createFetchIndex(ownPath(place.dir, 'fetch'));
    return { id, names, index, author: textOption(values['author']) };
  },
  async run(target, { id, names, index, author }) {
    const cell = await cellOf(target, id);
    const { source, pins } = await pinned(cell.source, { names, index });
    if (source !== cell.source) {
      const body = { source, ...(author === undefined ? {} : { author }) };
      await target.call('editCell', { params: { sid: target.sid, cell_id: cell.id }, body });
    }
    const human = pins.map((pin) => `${pin.name} ${pin.sha256}`).join('\n') || 'Nothing to pin.';
    return { answer: { cell: cell.id, pinned: pins }, human };
  },
});

/** @throws CallError if the cell has no such name, or something was not downloaded yet */
async function pinned(
  source: string,
  how: { readonly names: readonly string[]; readonly index: FetchIndex },
): Promise<PinnedSource> {
  const fetches = readDirectives(source).flatMap(({ key, argument, line }) => {
    const fetch = key === 'fetch' ? fetchOf(argument) : null;
    return fetch === null ? [] : [{ ...fetch, argument, line }];
  });
  const unknown = how.names.find((name) => !fetches.some((fetch) => fetch.name === name));
  if (unknown !== undefined) throw new CallError(`The cell has no @fetch named \`${unknown}\``, 404);
  const selected = fetches.filter(({ name, sha256 }) =>
    how.names.length > 0 ? how.names.includes(name) : sha256 === null,
  );
  let next = source;
  const pins: Pin[] = [];
  for (const { name, url, argument, line } of selected) {
    const download = await how.index.get(url);
    if (download === null)
      throw new CallError(`\`${name}\` has not been downloaded yet. Run the cell once, then pin it`, 409);
    const text = pinnedFetch(argument, download.sha256);
    next = withLineChanged(next, line, (old) => `${old.slice(0, old.indexOf('@'))}@fetch ${text}`);
    pins.push({ name, url, sha256: download.sha256 });
  }
  return { source: next, pins };
}
