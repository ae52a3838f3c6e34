/** Computes the key that a run of each cell would have now, from its inputs, source, environment and external data. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { loopOf } from '../../../src-shared/notebook/loop.ts';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { type ModuleFile, NO_FILES } from '../../language/modules/closure.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import { isSecretName } from '../../notebook/file/saveRules.ts';
import { resolveWorker, transportOf } from '../../notebook/workers.ts';
import { worldIn } from '../../run/observed/world.ts';
import {
  basisOf,
  contentKeyOf,
  envHashOf,
  type InputDigest,
  provenanceOf,
  subkey,
  unlockedKeyOf,
  workerIdentity,
} from '../../run/provenance.ts';
import { readDigest } from '../../run/shared/pinned.ts';
import type { StepInput } from '../../run/step.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';
import { aiLines } from './ai.ts';
import { dataLines, isAllResolved, writesOutside } from './data.ts';
import { carriedLine, moduleLines, modulesOf } from './modules.ts';
import { type Read, type ReadName, readNamesOf, readsOf } from './reads.ts';
import { keyedSourceHash, setupCellFor } from './setupCell.ts';
import { sqlInputs, sqlLines } from './sqlCells.ts';
import { keyedControls } from './widgets.ts';

/** The newest stored version under a label of the cell; null if there is none. */
export function newestVersion(cell: CellState | undefined, label: string): ArtifactRow | null {
  return cell === undefined ? null : (versionsOf(cell.artifacts, label)[0] ?? null);
}

/**
 * The worker a cell runs on: annotation, then cell, then notebook, then the local one (docs/spec/annotations.md, 1.2,
 * 2).
 */
export function workerOf(state: SessionState, cell: CellState): string {
  return cell.analysis.annotations.worker ?? cell.entry.worker ?? state.file.worker ?? 'local';
}

/** The part of a cell's worker that belongs to its key (docs/spec/provenance-and-cache.md, 1). */
function workerIdentityOf(state: SessionState, cell: CellState): string {
  return workerIdentity(workerOf(state, cell), resolvedWorkerOf(state, cell));
}

function resolvedWorkerOf(state: SessionState, cell: CellState): Worker | null {
  const { serverWorkers: server } = state.options;
  return resolveWorker(workerOf(state, cell), { notebook: state.file.workers, server });
}

/** The lock hash of the packages a cell runs with: a remote worker builds its environment from the lock. */
function lockHashFor({ environment }: SessionState, worker: Worker | null): string {
  return isElsewhere(worker) ? environment.workerLockHash : environment.lockHash;
}

function isElsewhere(worker: Worker | null): boolean {
  return worker?.backend === 'executor' && transportOf(worker) !== 'embedded';
}

/** The timeout of a cell's runs, in seconds. */
export function timeoutOf(state: SessionState, cell: CellState): number {
  return (
    cell.analysis.annotations.timeout ??
    cell.entry.timeout ??
    state.file.timeout ??
    state.options.defaultTimeoutSeconds
  );
}

type Env = Readonly<Record<string, string>>;

/**
 * The variables without blank secrets, which are placeholders and override nothing (docs/spec/notebook-file.md, 3.1).
 */
function overrides(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([key, value]) => value !== '' || !isSecretName(key)));
}

/** The variables of a cell that has none of its own. */
export function notebookEnvOf(state: SessionState): Env {
  return overrides(state.file.env);
}

/** The variables a cell runs with: notebook, then cell, then annotation (docs/spec/annotations.md, 1.2, 2). */
export function envOf(state: SessionState, cell: CellState): Env {
  return {
    ...notebookEnvOf(state),
    ...overrides(cell.entry.env),
    ...overrides(cell.analysis.annotations.env),
  };
}

const NO_LINES: readonly string[] = [];

/**
 * Of the environment variables, only those that the cell or its set-up cell reads by a literal name, and the
 * cell's own, belong to its key (docs/spec/provenance-and-cache.md, 1).
 */
export function relevantEnv(state: SessionState, cell: CellState): Env {
  const env = envOf(state, cell);
  const own = { ...overrides(cell.entry.env), ...overrides(cell.analysis.annotations.env) };
  const relevant: Record<string, string> = {};
  const inSetup = setupCellFor(state, cell)?.analysis.envKeys ?? NO_LINES;
  for (const key of new Set([...cell.analysis.envKeys, ...inSetup, ...Object.keys(own)])) {
    const value = Object.hasOwn(env, key) ? env[key] : undefined;
    if (value !== undefined) relevant[key] = value;
  }
  return relevant;
}

const NO_CELLS: readonly CellId[] = [];

/** The settings that a prompt itself sends; like its source, they belong to its key. */
export function ownLines(state: SessionState, cell: CellState): readonly string[] {
  return LANGUAGES[cell.language].asksModel ? aiLines(state, cell, envOf(state, cell)) : NO_LINES;
}

/** The inputs a harness gets: only names wired to the cell (docs/spec/analysis-and-graph.md, 3.1). */
export function stepInputsOf(state: SessionState, id: CellId): readonly StepInput[] {
  const own = state.graph.fanOuts.get(id)?.group;
  return readNamesOf(state, id).flatMap(({ wired, group, reads }) =>
    wired
      ? reads.map(({ variable, producerId, label, variant }) => ({
          variable,
          producerId,
          row: newestVersion(state.cells.get(producerId), label),
          variant,
          perRun: group !== null && group === own,
        }))
      : [],
  );
}

type HashOf = (read: Read) => string;

function inputHashes(state: SessionState, id: CellId, hashOf: HashOf): string[] {
  const upstream = state.graph.upstream.get(id) ?? [];
  const inputs = new Set<string>();
  for (const { kind, variable, wired, reads } of readNamesOf(state, id)) {
    const parts = reads.map((read) =>
      read.variant === null ? hashOf(read) : `${read.variant}=${hashOf(read)}`,
    );
    const input = kind === 'value' ? parts.join('') : `${kind}:${variable}:${parts.join(';')}`;
    inputs.add(input);
    const rival =
      wired &&
      upstream.some(
        (other) =>
          reads.every(({ producerId }) => producerId !== other) &&
          state.cells.get(other)?.analysis.defines.includes(variable),
      );
    if (rival) inputs.add(`wired:${variable}=${input}`);
  }
  const cell = state.cells.get(id);
  if (cell === undefined) return [...inputs];
  return [...inputs, ...moduleLines(state, cell), ...sqlInputs(state, cell)];
}

/** Content types whose bytes are the value itself; any other may refer to code of a local module by name. */
function isPlainData(contentType: string): boolean {
  return !contentType.startsWith('pickle/') && !contentType.startsWith('module/');
}

/**
 * Local modules that may be inside the values a cell reads: with changed code the same bytes give another
 * value.
 */
function carriedModules(
  state: SessionState,
  id: CellId,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): readonly ModuleFile[] {
  const filesByPath = new Map<string, ModuleFile>();
  for (const { producerId, label } of readsOf(state, id)) {
    const modules = expected.get(producerId)?.modules ?? NO_FILES;
    if (modules.length === 0) continue;
    const row = newestVersion(state.cells.get(producerId), label);
    if (row === null || isPlainData(row.contentType)) continue;
    for (const file of modules) filesByPath.set(file.path, file);
  }
  return filesByPath.size === 0 ? NO_FILES : [...filesByPath.values()];
}

/** Merges two lists of files, each path once. */
function together(a: readonly ModuleFile[], b: readonly ModuleFile[]): readonly ModuleFile[] {
  if (b.length === 0) return a;
  const all = new Map([...b, ...a].map((file) => [file.path, file]));
  return [...all.values()].sort((x, y) => (x.path < y.path ? -1 : 1));
}

/** The key a producer stores a value under when its own run has these keys. */
function keptUnder(
  { provenanceHash: parent, controlKeys }: Pick<ExpectedRun, 'provenanceHash' | 'controlKeys'>,
  { variable, variant, label }: Read,
): string {
  const own = controlKeys?.get(label);
  if (own !== undefined) return own;
  return label === variable ? subkey(parent, variable) : subkey(parent, variable, `variant=${variant}`);
}

const NO_RUN = { provenanceHash: '', controlKeys: null } as const;

/**
 * The results of a @nocache producer, and of one that writes to external data, count by content, not by provenance
 * (docs/spec/provenance-and-cache.md, 1). So do those of a SQL cell and a prompt, and only by content: the key of their
 * reply is unknown before the request.
 */
function byContent(
  state: SessionState,
  { reader, read }: { reader: CellState; read: Read },
  hash: string,
): string {
  const { producerId, variable, label } = read;
  const producer = state.cells.get(producerId);
  if (producer === undefined) return hash;
  if (LANGUAGES[producer.language].storesReply) {
    return `${producer.language}:${variable}=${readDigest(newestVersion(producer, label)) ?? ''}`;
  }
  const countsByContent = producer.analysis.annotations.nocache || writesOutside(state, producer);
  if (!countsByContent) return hash;
  const row = newestVersion(producer, label);
  // The bytes of the last iteration do not show which iterations exist to start from.
  const loop = loopOf(reader.analysis);
  const isStart = loop?.startFromCell === producerId && loop.carry === variable;
  const content = isStart ? row?.params['loop_run'] : readDigest(row);
  return subkey(hash, `content=${content ?? ''}`);
}

type ValueKeys = Pick<ExpectedRun, 'contentKey' | 'unlockedKey'>;
const NO_VALUE_KEYS: ValueKeys = { contentKey: null, unlockedKey: null };

/** The environment part of a cell's key without its packages; null if the whole lock counts. */
function unlockedEnvOf(state: SessionState, cell: CellState): string | null {
  const { packages } = state.environment;
  if (packages === null || !LANGUAGES[cell.language].isObserved || isElsewhere(resolvedWorkerOf(state, cell)))
    return null;
  return envHashOf(packages.fixed, workerIdentityOf(state, cell), relevantEnv(state, cell));
}

/** The key that a run of the cell would have now, computed in full. */
export function keyedRun(
  state: SessionState,
  cell: CellState,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): ExpectedRun {
  const { id } = cell;
  if (cell.analysis.widget !== null) return widgetRun(cell);
  const sourceHash = keyedSourceHash(state, cell);
  const envHash = envHashOf(
    lockHashFor(state, resolvedWorkerOf(state, cell)),
    workerIdentityOf(state, cell),
    relevantEnv(state, cell),
  );
  const inputs = inputHashes(state, id, (read) => {
    const parent = expected.get(read.producerId) ?? NO_RUN;
    return byContent(state, { reader: cell, read }, keptUnder(parent, read));
  });
  const names = readNamesOf(state, id);
  // An @after edge orders cells without a value: there is no digest to compare.
  const waitsFor = awaitedBy(state, id, names);
  const moduleFiles = carriedModules(state, id, expected);
  const own = ownLines(state, cell);
  const awaitedKeys = awaitedLines(cell, waitsFor, (above) => expected.get(above)?.provenanceHash);
  const lines = [
    ...moduleLines(state, cell),
    ...moduleFiles.map(carriedLine),
    ...own,
    ...sqlLines(state, cell),
    ...awaitedKeys,
  ];
  const data = dataLines(state, cell);
  inputs.push(...data, ...own, ...awaitedKeys);
  // A loop starts with the bytes of an iteration, which the digest under the plain id does not cover.
  const startsFromIteration = loopOf(cell.analysis)?.startFromCell != null;
  const hasKey =
    (LANGUAGES[cell.language].connects || waitsFor.length === 0) &&
    !startsFromIteration &&
    isAllResolved(state, cell);
  const unlockedEnv = unlockedEnvOf(state, cell);
  const valueKeys = (reads: readonly Read[], bound: (read: Read) => string): ValueKeys => {
    if (!hasKey) return NO_VALUE_KEYS;
    const digests = reads.map((read) => digestOf(state, read, bound(read)));
    const outside = [...data, ...lines];
    return {
      contentKey: contentKeyOf(digests, sourceHash, envHash, outside),
      unlockedKey: unlockedEnv === null ? null : unlockedKeyOf(digests, sourceHash, unlockedEnv, outside),
    };
  };
  const fanOut = state.graph.fanOuts.get(id);
  const reads = names.flatMap((name) => name.reads);
  const wiredReads = names.flatMap((name) => (name.wired ? name.reads : []));
  const basis = (of: readonly Read[], bound: (read: Read) => string): string =>
    basisOf(of.map((read) => basisLine(state, read, bound(read))));
  const perRun = new Set(
    names.flatMap(({ group, reads: own }) => (group !== null && group === fanOut?.group ? own : [])),
  );
  return {
    provenanceHash: provenanceOf(inputs, sourceHash, envHash),
    ...valueKeys(reads, ({ variable, variant }) => variantLabel(variable, variant)),
    basis: basis(wiredReads, ({ variable, variant }) => variantLabel(variable, variant)),
    variantKeys:
      fanOut === undefined
        ? null
        : fanOut.variants.map((variant) => {
            const isRead = (read: Read): boolean => !perRun.has(read) || read.variant === variant;
            const bound = (read: Read): string =>
              perRun.has(read) ? read.variable : variantLabel(read.variable, read.variant);
            return {
              variant,
              ...valueKeys(reads.filter(isRead), bound),
              basis: basis(wiredReads.filter(isRead), bound),
            };
          }),
    controlKeys: null,
    envHash,
    sourceHash,
    inputs,
    data,
    modules: together(modulesOf(state, cell), moduleFiles),
  };
}

/** The keys of a widget depend only on its controls, not on the environment or the cells it waits for. */
function widgetRun(cell: CellState): ExpectedRun {
  const controls = keyedControls(cell);
  const lines = controls.map(({ name, key }) => `${name}=${key}`);
  const envHash = envHashOf('', 'widget', {});
  return {
    provenanceHash: provenanceOf(lines, '', envHash),
    ...NO_VALUE_KEYS,
    basis: basisOf([]),
    variantKeys: null,
    controlKeys: new Map(controls.map(({ name, key }) => [name, key])),
    envHash,
    sourceHash: cell.analysis.sourceHash,
    inputs: lines,
    data: [],
    modules: NO_FILES,
  };
}

/** The cells that are only waited for: no name of this cell is wired to them. */
function awaitedBy(state: SessionState, id: CellId, names: readonly ReadName[]): readonly CellId[] {
  const wired = new Set(
    names.flatMap((name) => (name.wired ? name.reads.map((read) => read.producerId) : [])),
  );
  return (state.graph.upstream.get(id) ?? NO_CELLS).filter((above) => !wired.has(above));
}

/** A cell that a SQL cell waits for may have changed its data: the key of that cell represents the change. */
function awaitedLines(
  { language }: CellState,
  awaitedCells: readonly CellId[],
  keyOf: (awaitedCell: CellId) => string | undefined,
): readonly string[] {
  return LANGUAGES[language].connects ? awaitedCells.map((id) => `after:${id}=${keyOf(id) ?? ''}`) : NO_LINES;
}

/** The digest of the bytes a value has now, under the name (or the part of a dict) it is bound to. */
function digestOf(state: SessionState, { producerId, label }: Read, bound: string): InputDigest {
  const row = newestVersion(state.cells.get(producerId), label);
  return {
    variable: bound,
    contentType: row?.contentType ?? '',
    sha256: readDigest(row),
    world: row === null ? null : worldIn(row),
    run: row?.params['run'],
  };
}

/**
 * One value a run reads, as it is now. A value of a `@nocache` cell, or of one that writes to external data,
 * counts by the run.
 */
function basisLine(state: SessionState, { producerId, label }: Read, bound: string): string {
  const producer = state.cells.get(producerId);
  const row = newestVersion(producer, label);
  const isRepeated =
    producer !== undefined && (producer.analysis.annotations.nocache || writesOutside(state, producer));
  return `${bound}=${readDigest(row) ?? ''}${isRepeated ? `:${row?.params['run'] ?? ''}` : ''}`;
}

/**
 * The key of a run over the versions that are stored now. A run is recorded under it, so that a result made
 * from stale inputs (a force run, an edit during the run) can never answer for fresh ones. If every input is
 * current, this is the expected key. @param isFresh whether a producer's stored value is what the producer
 * would make now
 */
export function actualRunOf(
  state: SessionState,
  id: CellId,
  isFresh: (producerId: CellId) => boolean,
): ExpectedRun | null {
  const expected = state.expected.get(id);
  const cell = state.cells.get(id);
  if (expected === undefined || cell === undefined) return null;
  if (expected.controlKeys !== null) return expected;
  const inputs = inputHashes(state, id, (read) => {
    const { producerId, label } = read;
    const row = newestVersion(state.cells.get(producerId), label);
    const parent = state.expected.get(producerId);
    const lying = row?.provenanceHash ?? `absent:${producerId}:${label}`;
    const key = parent === undefined ? null : keptUnder(parent, read);
    const hash = row !== null && key !== null && isFresh(producerId) ? key : lying;
    // A value from before a module changed is combined with the module as it is now.
    const isMixed = hash !== key && row !== null && !isPlainData(row.contentType);
    const modules = isMixed ? (parent?.modules ?? NO_FILES) : NO_FILES;
    const contentHash =
      modules.length === 0 ? hash : subkey(hash, ...modules.map(({ digest }) => `now=${digest}`));
    return byContent(state, { reader: cell, read }, contentHash);
  });
  const data = dataLines(state, cell, `:${state.running?.runId ?? ''}`);
  const awaitedKeys = awaitedLines(cell, awaitedBy(state, id, readNamesOf(state, id)), (above) =>
    isFresh(above)
      ? state.expected.get(above)?.provenanceHash
      : state.cells.get(above)?.record?.provenanceHash,
  );
  inputs.push(...data, ...ownLines(state, cell), ...awaitedKeys);
  const provenanceHash = provenanceOf(inputs, expected.sourceHash, expected.envHash);
  return { ...expected, provenanceHash, inputs, data };
}
