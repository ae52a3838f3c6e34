/**
 * Completes the files of shared code, functions that other cells use, before they are stored: pins each value that the
 * code needs to a stored version.
 */

import { join } from 'node:path';
import {
  type HarnessResult,
  isOutputFailure,
  type OutputMeta,
  sharedSource,
} from '../../../src-shared/wire/harness.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { writeOver } from '../../lib/guardedFolder/replace.ts';
import { cutOffDigest, digestOf, type InjectedValues, type Pins } from './pinned.ts';

interface PinnedCode {
  /** The run's variables, with the files of module/cell variables as they are stored. */
  readonly variables: HarnessResult['variables'];
  readonly pins: ReadonlyMap<string, Pins>;
  /** Names stored in addition to the consumed ones, because the code needs them. */
  readonly beside: readonly string[];
}

interface Pinning {
  readonly store: ArtifactStore;
  readonly variables: HarnessResult['variables'];
  readonly outputDir: string;
  readonly provenanceHash: string;
  readonly notebookId: string;
  readonly cellId: string;
  /** Artifact id of a name this run stores. */
  readonly idOf: (name: string) => string;
}

/**
 * Completes the harness's files of shared code: gives modules their names and pins every value their code
 * needs to one version; values that this run stores are pinned to the version they are about to get
 * (docs/spec/analysis-and-graph.md, 2).
 */
export async function pinSharedCode(names: readonly string[], pinning: Pinning): Promise<PinnedCode> {
  const pins = new Map<string, Pins>();
  const open = [...names];
  const beside = new Set<string>();
  const variables: HarnessResult['variables'] = { ...pinning.variables };
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const meta = metaOf(variables, name);
    if (meta === null || pins.has(name)) continue;
    if (meta.injected === undefined && meta.content_type !== 'module/cell') continue;
    const own = Object.entries(meta.injected ?? {}).flatMap(([key, uri]) => (uri === null ? [key] : []));
    pins.set(name, { injected: {}, beside: own, digest: null });
    for (const key of own) {
      if (!names.includes(key)) beside.add(key);
      open.push(key);
    }
  }
  for (const [name, { beside: own }] of pins) {
    const meta = metaOf(variables, name);
    if (meta === null) continue;
    const injected = injectedBy(meta, pinning);
    pins.set(name, { injected, beside: own, digest: digest(meta, pinning) });
    if (meta.content_type === 'module/cell') variables[name] = await finished(name, meta, injected, pinning);
  }
  return { variables, pins, beside: [...beside] };
}

function metaOf(variables: HarnessResult['variables'], name: string): OutputMeta | null {
  const meta = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return meta === undefined || isOutputFailure(meta) ? null : meta;
}

function injectedBy(meta: OutputMeta, pinning: Pinning): InjectedValues {
  const injected: InjectedValues = {};
  for (const [key, uri] of Object.entries(meta.injected ?? {})) {
    if (uri !== null) {
      injected[key] = { uri, sha256: pinning.store.rowByUri(uri)?.contentSha256 ?? '' };
      continue;
    }
    const id = pinning.idOf(key);
    const own = metaOf(pinning.variables, key);
    injected[key] = { uri: artifactUri(id, nextVersion(pinning.store, id)), sha256: own?.sha256 ?? '' };
  }
  return injected;
}

/**
 * For a value an iteration passes on: the pins to values of upstream cells. Its own values are pinned again.
 */
export function pinsOfInputs(store: ArtifactStore, meta: OutputMeta): Pins {
  const injected: InjectedValues = {};
  for (const [key, uri] of Object.entries(meta.injected ?? {})) {
    if (uri !== null) injected[key] = { uri, sha256: store.rowByUri(uri)?.contentSha256 ?? '' };
  }
  return { injected, beside: [], digest: null };
}

/** The version the store will assign: it counts every version of an id that ever existed, in any state. */
function nextVersion(store: ArtifactStore, id: string): number {
  const versions = store.current(id).filter((row) => row.id === id);
  let version = Math.max(0, ...versions.map((row) => row.version)) + 1;
  while (store.rowByUri(artifactUri(id, version)) !== null) version += 1;
  return version;
}

/**
 * Covers what a reader would see of the code and of the values it needs, but not which versions those are;
 * null if the harness gave no digest.
 */
function digest(meta: OutputMeta, pinning: Pinning, within: readonly string[] = []): string | null {
  const content =
    meta.content_type === 'module/cell' ? (meta.source_hash ?? meta.sha256 ?? null) : (meta.sha256 ?? null);
  if (content === null) return null;
  const values = Object.entries(meta.injected ?? {}).map(([key, uri]): readonly [string, string] => {
    if (uri !== null) {
      const row = pinning.store.rowByUri(uri);
      // Keys of pickles carry a mark of the version.
      return [key.replace(/#[0-9a-f]{8}$/, ''), row === null ? uri : cutOffDigest(row)];
    }
    const own = metaOf(pinning.variables, key);
    if (own === null || within.includes(key)) return [key, ''];
    return [key, digest(own, pinning, [...within, key]) ?? ''];
  });
  if (values.length === 0 && meta.content_type !== 'module/cell') return content;
  return digestOf([meta.content_type, content, meta.preview, values.sort()]);
}

/** Part of a module's name: other characters have a meaning there, or are invalid. */
const moduleWord = (text: string): string => text.replaceAll(/[^\w.-]/gu, '_');

/**
 * A module/cell file with its final content (docs/spec/analysis-and-graph.md, 2); the harness knows neither versions
 * nor provenance.
 */
async function finished(
  name: string,
  meta: OutputMeta,
  injected: InjectedValues,
  pinning: Pinning,
): Promise<OutputMeta> {
  const file = join(pinning.outputDir, meta.file ?? '');
  const source = sharedSource.parse(JSON.parse((await readFileAt(file)).toString('utf8')));
  const uris = Object.fromEntries(Object.entries(injected).map(([key, { uri }]) => [key, uri]));
  const mark = Object.keys(uris).length === 0 ? '' : `_${digestOf(Object.entries(uris).sort()).slice(0, 8)}`;
  const hash = (meta.source_hash ?? digestOf(source.source)).slice(0, 12);
  const bytes = Buffer.from(
    JSON.stringify({
      ...source,
      module_name:
        source.module_name ?? `nb_${pinning.notebookId}_${moduleWord(pinning.cellId)}_${name}_${hash}${mark}`,
      provenance_hash: pinning.provenanceHash,
      injected: uris,
    }),
  );
  await writeOver(file, bytes);
  const { sha256: _, ...rest } = meta;
  return { ...rest, bytes: bytes.byteLength };
}
