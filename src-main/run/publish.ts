/** Stores the results of a finished run of Python or R code: variables, displays and console. */

import { basename, join } from 'node:path';
import { artifactIdOf } from '../../src-shared/notebook/artifactIds.ts';
import { variantLabel } from '../../src-shared/notebook/variants.ts';
import { type HarnessResult, isOutputFailure, type OutputMeta } from '../../src-shared/wire/harness.ts';
import type { Output, OutputPreview } from '../../src-shared/wire/output.ts';
import type { ArtifactRow, ArtifactStore, NewArtifact, NewBlob } from '../artifacts/artifact.ts';
import { artifactUri } from '../artifacts/uri.ts';
import { blockedNamesWords } from '../language/python/blockedWords.ts';
import { CONSOLE_LABEL, displayLabel, keyOfLabel } from './cache.ts';
import { failedOutput, outputOf, recordedOutput, withInlineBytes } from './displays.ts';
import type { Observation } from './observed/observation.ts';
import { observationOfRun, observedParams } from './observed/recorded.ts';
import { printedParams } from './printedOutput.ts';
import { pinParams } from './shared/pinned.ts';
import { pinSharedCode } from './shared/pinSharedCode.ts';
import { carryOf, type ReadingRequest, variantOf } from './step.ts';

interface Published {
  readonly rows: readonly ArtifactRow[];
  readonly alongside: readonly ArtifactRow[];
  readonly outputs: Readonly<Record<string, OutputPreview>>;
  readonly displays: readonly Output[];
  readonly observation: Observation | null;
}

type PublishOutcome =
  | { readonly kind: 'published'; readonly published: Published }
  | { readonly kind: 'missing'; readonly message: string };

interface Console {
  readonly stdout: string;
  readonly stderr: string;
}

/** A finished run and what is needed to store its results. */
export interface Publication {
  readonly request: ReadingRequest;
  readonly result: HarnessResult;
  readonly outputDir: string;
  readonly console: Console;
  readonly runId: string;
  readonly durationMs: number;
  /** Versions of the external data: `https://…` → `sha256:…` (docs/spec/provenance-and-cache.md, 2). */
  readonly versions: Readonly<Record<string, string>>;
  /** Recorded with every row of the run, in addition to the common params. */
  readonly params: Readonly<Record<string, string>>;
  /** Added to each display: the model and its usage. */
  readonly shown?: Pick<Output, 'usage'>;
  /** Rows that become current together with the run's own, with the same files: a loop's last iteration. */
  readonly alongside?: readonly NewArtifact[];
}

/**
 * The stored names of a run: those that later cells read and a loop's carry, or those that a leaf exported to
 * files.
 */
function storedNames(request: ReadingRequest, result: HarnessResult): readonly string[] {
  if (request.consumed.length > 0 || request.leaves === 'none') return alwaysStored(request);
  return Object.entries(result.variables)
    .filter(([name, meta]) => name !== '_' && !isOutputFailure(meta) && meta.file !== undefined)
    .map(([name]) => name);
}

/** The names a cell must store in any kind of run. */
export function alwaysStored(request: ReadingRequest): readonly string[] {
  const { consumed } = request;
  const carry = carryOf(request);
  return carry === null || consumed.includes(carry) ? consumed : [...consumed, carry];
}

/** The stored versions that a run read, by variable, as its rows record them. */
export function inputVersionsOf(request: Pick<ReadingRequest, 'inputs'>): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const { row } of request.inputs) {
    if (row !== null) versions[artifactUri(row.id, row.version)] = `${row.id}@v=${row.version}`;
  }
  return versions;
}

/** The run's output for a name. An own-property lookup, because names may be `toString`. */
export function variableOf(result: HarnessResult, name: string) {
  return Object.hasOwn(result.variables, name) ? result.variables[name] : undefined;
}

/** Why a successful run still fails: a later cell reads a name that is missing, or that nothing can store. */
function missingName(request: ReadingRequest, result: HarnessResult): string | null {
  const blocked = request.consumed.flatMap((name) => {
    const meta = variableOf(result, name);
    return meta !== undefined && isOutputFailure(meta) && meta.reasons !== undefined
      ? [[name, meta.reasons] as const]
      : [];
  });
  if (blocked.length > 0) return blockedNamesWords(blocked);
  for (const name of request.consumed) {
    const meta = variableOf(result, name);
    if (meta === undefined) {
      return `A later cell reads \`${name}\`, but this cell did not define it. Assign \`${name}\` on every code path, or stop using it below.`;
    }
    if (isOutputFailure(meta)) {
      return `\`${name}\` (${meta.type}) cannot be stored for the cells that read it: ${meta.error}`;
    }
    if (meta.file === undefined) return `\`${name}\` left no file to store.`;
  }
  return null;
}

/**
 * Stores the results of a finished run: consumed variables, displays, and the console of leaves
 * (docs/spec/provenance-and-cache.md, 2). Either all become current together, or none. The files under `outputDir` are
 * moved.
 */
export async function publishRun(store: ArtifactStore, publication: Publication): Promise<PublishOutcome> {
  const { request, outputDir } = publication;
  const problem = missingName(request, publication.result);
  if (problem !== null) return { kind: 'missing', message: problem };
  const names = storedNames(request, publication.result);
  const variant = variantOf(request);
  const idOf = (label: string) =>
    artifactIdOf(request.notebookId, request.cellId, variantLabel(label, variant));
  const { variables } = publication.result;
  const shared = await pinSharedCode(names, { ...request, store, variables, outputDir, idOf });
  const result = { ...publication.result, variables: shared.variables };

  const recorded: { readonly meta: OutputMeta; readonly index: number }[] = [];
  const outputs: (Output | { readonly index: number })[] = [];
  for (const display of result.displays) {
    if (isOutputFailure(display)) outputs.push(failedOutput(display.error));
    else {
      outputs.push({ index: recorded.length });
      recorded.push({ meta: display, index: recorded.length });
    }
  }

  const observation = observationOfRun(request, publication.result);
  const common: Record<string, string> = {
    ...commonParams(publication),
    ...observedParams(request, { runId: publication.runId, observation, result: publication.result }),
    source: request.source,
    display_count: String(recorded.length),
    ...publication.params,
  };
  const inputVersions = { ...inputVersionsOf(request), ...publication.versions };
  const details = { ...(variant === null ? {} : { variant }), ...publication.shown };
  const artifact = (label: string, meta: OutputMeta, extra: Record<string, string>): NewArtifact => ({
    id: idOf(label),
    provenanceHash: keyOfLabel(request.provenanceHash, variantLabel(label, variant)),
    contentKey: request.contentKey,
    contentType: meta.content_type,
    params: {
      ...common,
      variable_name: label,
      content_type: meta.content_type,
      ...(variant === null ? {} : { variant }),
      ...extra,
    },
    inputVersions,
    rowCount: meta.rows ?? null,
    schemaJson: meta.schema === undefined ? null : JSON.stringify(meta.schema),
    blob: fileBlob(outputDir, meta),
  });

  const items: NewArtifact[] = [];
  // Not flushed here: nothing needs it now, and a run can make it again.
  const isUnread = request.consumed.length === 0 && request.leaves === 'cheap';
  for (const name of [...names, ...shared.beside]) {
    const meta = variableOf(result, name);
    if (meta === undefined || isOutputFailure(meta)) continue;
    const item = artifact(name, meta, pinParams(shared.pins.get(name)));
    items.push(isUnread ? { ...item, blob: { ...fileBlob(outputDir, meta), mayBeLost: true } } : item);
  }
  // Read before publishing, which moves the files into the store.
  const displays = await Promise.all(
    outputs.map(async (output) => {
      if (!('index' in output)) return output;
      const entry = recorded[output.index];
      if (entry?.meta.file === undefined) return failedOutput('the display left no file');
      const shape = { ...outputOf(entry.meta, null), file: basename(entry.meta.file), ...details };
      return withInlineBytes(shape, join(outputDir, entry.meta.file));
    }),
  );
  for (const { meta, index } of recorded) {
    const display = recordedOutput({ ...outputOf(meta, null), ...details });
    items.push(artifact(displayLabel(index), meta, { display: JSON.stringify(display) }));
  }
  if (request.consumed.length === 0 && request.cacheable) {
    const bytes = Buffer.from(JSON.stringify(publication.console));
    const meta: OutputMeta = { content_type: 'json/object', bytes: bytes.byteLength, preview: null };
    items.push({ ...artifact(CONSOLE_LABEL, meta, {}), blob: { bytes } });
  } else {
    const [first] = items;
    if (first !== undefined)
      items[0] = { ...first, params: { ...first.params, ...printedParams(publication.console) } };
  }

  const { alongside = [] } = publication;
  const all = [...items, ...alongside];
  const published = all.length === 0 ? [] : await store.publish(all);
  const rows = published.slice(0, items.length);
  const uris = new Map(rows.map((row) => [row.id, artifactUri(row.id, row.version)]));
  let next = 0;
  return {
    kind: 'published',
    published: {
      rows,
      observation,
      alongside: published.slice(items.length),
      outputs: previewsOf(request, result),
      displays: displays.map((output) => {
        if (output.content_type === 'error') return output;
        const label = variantLabel(displayLabel(next++), variant);
        const id = artifactIdOf(request.notebookId, request.cellId, label);
        return { ...output, artifact_uri: uris.get(id) ?? null };
      }),
    },
  };
}

/**
 * The params of every row of a run, or of one iteration, about how it was made (docs/spec/provenance-and-cache.md, 2).
 */
export function commonParams(
  publication: Pick<Publication, 'request' | 'result' | 'runId' | 'durationMs'>,
): Record<string, string> {
  const { request, result, runId, durationMs } = publication;
  return {
    cell_id: request.cellId,
    source_hash: request.sourceHash,
    env_hash: request.envHash,
    build_env: result.build_env,
    build_duration_ms: String(Math.round(durationMs)),
    // Rows stored together belong together: a hit takes all its rows from one run.
    run: runId,
  };
}

/** The file of an output as a blob to store. */
export function fileBlob(outputDir: string, meta: OutputMeta): Extract<NewBlob, { file: string }> {
  const file = join(outputDir, meta.file ?? '');
  // The file of shared code is completed after the harness wrote it.
  if (meta.content_type === 'module/cell' || meta.sha256 === undefined) return { file };
  return { file, sha256: meta.sha256 };
}

/**
 * The stored names; for a leaf that stores nothing, all its names, so that it replies like any other
 * (docs/spec/rest-notebooks.md).
 */
function shownNames(request: ReadingRequest, result: HarnessResult): readonly string[] {
  const isUnkeptLeaf = request.consumed.length === 0 && request.leaves === 'none';
  return isUnkeptLeaf ? Object.keys(result.variables) : storedNames(request, result);
}

/**
 * Each stored variable's preview, and `_` for the last displayed value (docs/spec/live-protocol.md, 5.1, cell_output).
 */
function previewsOf(request: ReadingRequest, result: HarnessResult): Record<string, OutputPreview> {
  const outputs: Record<string, OutputPreview> = {};
  const names = new Set([...shownNames(request, result), '_']);
  for (const [name, meta] of Object.entries(result.variables)) {
    if (!names.has(name)) continue;
    if (isOutputFailure(meta)) {
      outputs[name] = { content_type: 'error', error: meta.error, type: meta.type };
      continue;
    }
    outputs[name] = {
      content_type: meta.content_type,
      bytes: meta.bytes,
      preview: meta.preview,
      ...(meta.file === undefined ? {} : { file: meta.file }),
      ...(meta.rows === undefined ? {} : { rows: meta.rows }),
      ...(meta.columns === undefined ? {} : { columns: meta.columns }),
      ...(meta.codec === undefined ? {} : { codec: meta.codec }),
      ...(meta.type === undefined ? {} : { type: meta.type }),
      ...(meta.preview_truncated === undefined ? {} : { preview_truncated: meta.preview_truncated }),
      ...(meta.text === undefined ? {} : { text: meta.text }),
    };
  }
  return outputs;
}
