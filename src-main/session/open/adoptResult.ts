/**
 * Accepts, from a snapshot that another program wrote, the stored results of a Python or R cell under this program's
 * keys.
 */

import { loopOf } from '../../../src-shared/notebook/loop.ts';
import { readVariantLabel, variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ArtifactRow, Promotion } from '../../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../../artifacts/uri.ts';
import { CONSOLE_LABEL, displayLabel, keyOfLabel } from '../../run/cache.ts';
import { outputOf, recordedOutput } from '../../run/displays.ts';
import { BASIS_PARAM } from '../../run/observed/answers.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import { dataOf } from '../keys/data.ts';
import { newestVersion } from '../keys/expected.ts';
import { readsOf } from '../keys/reads.ts';
import { consumedOf } from '../keys/stored.ts';
import { withRows } from '../reduce/outcome.ts';
import type { CellState, ExpectedRun, RunRecord } from '../state/state.ts';
import type { Adoption } from './adoption.ts';

/** The rows of one run under our labels; a fan-out has one run per variant. */
interface TheirRun {
  readonly name: string;
  readonly basis: string;
  readonly displayCount: number;
  readonly rows: readonly (readonly [label: string, row: ArtifactRow])[];
}

/**
 * Adopts a Python or R cell's rows under our keys: new versions of the same bytes, in one transaction. Null
 * if the snapshot lacks a part of the run's results, or records other inputs.
 */
export async function adoptResult(adoption: Adoption): Promise<CellState | null> {
  const { state, store, cell, expected } = adoption;
  const keys = expected.variantKeys ?? [{ variant: null, basis: expected.basis }];
  const runs = keys.map((key) => theirRun(adoption, key));
  const whole = runs.filter((run) => run !== null);
  if (whole.length < runs.length) return null;
  const rows = whole.flatMap((run) => run.rows);
  if (!rows.every(([, row]) => isMadeFromThese(adoption, row))) return null;
  const promoted = store.promote(
    whole.flatMap((run) => run.rows.map((row) => promotionOf(adoption, run, row))),
  );
  const uris = new Map(promoted.map((row, at) => [uriOf(rows[at]?.[1] ?? row), uriOf(row)]));
  const oldest = Math.min(...rows.map(([, { createdAt }]) => createdAt));
  return {
    ...cell,
    artifacts: withRows(state, cell, promoted),
    displays: cell.displays.map((display) => movedTo(uris, display)),
    record: recordUnder(expected),
    shownRuns: whole.map(({ name }) => name).join(' '),
    lastRun: { atMs: oldest, durationMs: cell.samples.at(-1)?.duration_ms ?? 0, cacheHit: cell.cacheHit },
    lastError: null,
  };
}

/** The record of an adopted run: the one a run now would have. */
export function recordUnder({ provenanceHash, sourceHash, envHash, inputs }: ExpectedRun): RunRecord {
  return { provenanceHash, sourceHash, envHash, inputs, facts: null, reopenIdentity: null };
}

function theirRun(
  { state, cell, theirs }: Adoption,
  { variant, basis }: { readonly variant: string | null; readonly basis: string },
): TheirRun | null {
  const rowOf = (name: string): readonly [string, ArtifactRow] | null => {
    const label = variantLabel(name, variant);
    const row = versionsOf(cell.artifacts, label)[0];
    return row?.provenanceHash === keyOfLabel(theirs, label) ? [label, row] : null;
  };
  const carry = loopOf(cell.analysis)?.carry;
  const consumed = consumedOf(state, cell.id);
  const own = [...new Set([...consumed, ...(carry === undefined ? [] : [carry])])].map(rowOf);
  if (own.includes(null)) return null;
  const displays: (readonly [string, ArtifactRow])[] = [];
  for (let row = rowOf(displayLabel(0)); row !== null; row = rowOf(displayLabel(displays.length)))
    displays.push(row);
  const console = consumed.length === 0 ? rowOf(CONSOLE_LABEL) : null;
  if (consumed.length === 0 && console === null && displays.length === 0) return null;
  const rows = [...own, ...displays, console].filter((row) => row !== null);
  const name = `snapshot-${theirs.slice(0, 16)}${variant === null ? '' : `-${variant}`}`;
  return { name, basis, displayCount: displays.length, rows };
}

/** Whether all inputs recorded in a row match the current ones: values by their bytes, fetches by digest. */
function isMadeFromThese({ state, cell }: Adoption, { inputVersions }: ArtifactRow): boolean {
  const fetched = dataOf(state, cell).filter(({ kind, fixed }) => kind === 'fetch' && fixed === null);
  for (const item of fetched) {
    const token = state.data.get(item.key)?.token ?? null;
    const url = item.kind === 'fetch' ? item.fetch.url : '';
    if (token === null || inputVersions[url] !== `sha256:${token}`) return false;
  }
  const refs = Object.keys(inputVersions).flatMap((uri) => parseArtifactUri(uri) ?? []);
  return readsOf(state, cell.id).every(({ producerId, label }) => {
    const producer = state.cells.get(producerId);
    const now = newestVersion(producer, label);
    if (now === null) return true;
    const versions = versionsOf(producer?.artifacts ?? {}, label);
    const was = refs.find(({ id }) => id === now.id);
    const row = was === undefined ? undefined : versions.find(({ version }) => version === was.version);
    return row === undefined || row.contentSha256 === now.contentSha256;
  });
}

function promotionOf(
  { cell, expected }: Adoption,
  run: TheirRun,
  [label, row]: TheirRun['rows'][number],
): Promotion {
  const { name } = readVariantLabel(label);
  const at = run.rows
    .filter(([other]) => readVariantLabel(other).name.startsWith('__display__'))
    .findIndex(([other]) => other === label);
  const match = cell.displays.find(({ artifact_uri }) => artifact_uri === uriOf(row));
  const display =
    match ?? outputOf({ content_type: row.contentType, bytes: row.byteSize, preview: null }, null);
  return {
    id: row.id,
    fromVersion: row.version,
    provenanceHash: keyOfLabel(expected.provenanceHash, label),
    contentKey: null,
    params: {
      ...row.params,
      run: run.name,
      [BASIS_PARAM]: run.basis,
      display_count: String(run.displayCount),
      ...(at === -1 || !name.startsWith('__display__')
        ? {}
        : { display: JSON.stringify(recordedOutput(display)) }),
    },
  };
}

function movedTo(uris: ReadonlyMap<string, string>, display: Output): Output {
  const { artifact_uri: uri } = display;
  return uri === null ? display : { ...display, artifact_uri: uris.get(uri) ?? uri };
}

function uriOf({ id, version }: ArtifactRow): string {
  return artifactUri(id, version);
}
