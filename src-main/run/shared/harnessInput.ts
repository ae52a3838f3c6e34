/** Makes the harness's input from a stored value; for shared code, together with the values that the code needs. */

import type { StoredInput } from '../../../src-shared/wire/harness.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../../artifacts/uri.ts';
import { injectedOf } from './pinned.ts';

type HarnessInput =
  | { readonly kind: 'ready'; readonly input: StoredInput & { readonly uri: string } }
  | { readonly kind: 'lost'; readonly uri: string; readonly message: string };

/**
 * A stored value as an input of the harness, with the values its code needs. `lost` if any of them is
 * missing: the cell that made the value makes it again.
 */
export async function harnessInput(
  store: ArtifactStore,
  row: ArtifactRow,
  above: readonly string[] = [],
): Promise<HarnessInput> {
  const uri = artifactUri(row.id, row.version);
  const readable = await store.readable(row);
  if (readable.kind !== 'ok') return { kind: 'lost', uri, message: readable.message };
  const injected: Record<string, StoredInput> = {};
  for (const [key, pin] of Object.entries(injectedOf(row))) {
    if (above.includes(pin.uri)) continue; // a value made from the code that needs it: that code is being opened
    const pinned = pinnedRow(store, pin);
    if (pinned === null) {
      return {
        kind: 'lost',
        uri,
        message: `The code in ${uri} needs ${pin.uri}, which is no longer stored.`,
      };
    }
    const inner = await harnessInput(store, pinned, [...above, uri, pin.uri]);
    if (inner.kind === 'lost') return { ...inner, uri };
    injected[key] = { ...inner.input, uri: pin.uri };
  }
  const file = { content_type: row.contentType, file: readable.path, uri };
  return {
    kind: 'ready',
    input: Object.keys(injected).length === 0 ? file : { ...file, injected },
  };
}

/** The version it was pinned to or, if that was pruned, another with the same bytes. */
function pinnedRow(
  store: ArtifactStore,
  { uri, sha256 }: { uri: string; sha256: string },
): ArtifactRow | null {
  const row = store.rowByUri(uri);
  if (row !== null && (row.state === 'ready' || row.state === 'superseded')) return row;
  const id = parseArtifactUri(uri)?.id;
  if (id === undefined) return null;
  return store.current(id).find((other) => other.id === id && other.contentSha256 === sha256) ?? null;
}
