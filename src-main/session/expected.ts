import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { isSecretName } from '../notebook/saveRules.ts';
import { versionsOf } from '../run/cache.ts';
import { contentKeyOf, envHashOf, type InputDigest, provenanceOf, subkey } from '../run/provenance.ts';
import type { StepInput } from '../run/step.ts';
import { defaultsOf } from './defaults.ts';
import type { CellState, ExpectedRun, SessionState } from './state.ts';

/** Worker identity of the local worker without a runtime id (semantics 4.1). */
const LOCAL_RUNTIME = 'local:local';

export function latest(cell: CellState | undefined, label: string): ArtifactRow | null {
  return cell === undefined ? null : (versionsOf(cell.artifacts, label)[0] ?? null);
}

export function consumedOf(state: SessionState, id: CellId): readonly string[] {
  return state.graph.consumed.get(id) ?? [];
}

/** The worker a cell runs on: annotation, then cell, then notebook, then the local one (semantics 1.2). */
export function workerOf(state: SessionState, cell: CellState): string {
  return cell.analysis.annotations.worker ?? cell.entry.worker ?? state.file.worker ?? 'local';
}

export function timeoutOf(state: SessionState, cell: CellState): number {
  return (
    cell.analysis.annotations.timeout ??
    cell.entry.timeout ??
    state.file.timeout ??
    state.options.defaultTimeoutSeconds
  );
}

type Env = Readonly<Record<string, string>>;

/** Without the blank secrets, which are placeholders and override nothing (document 3, `env`). */
function overrides(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([key, value]) => value !== '' || !isSecretName(key)));
}

/** The variables a cell runs with: notebook, then cell, then annotation (semantics 1.2). */
export function envOf(state: SessionState, cell: CellState): Env {
  return {
    ...overrides(state.file.env),
    ...overrides(cell.entry.env),
    ...overrides(cell.analysis.annotations.env),
  };
}

/** Only what the cell reads by a literal name, and what is its own, is part of its key (semantics 4.1). */
export function relevantEnv(state: SessionState, cell: CellState): Env {
  const env = envOf(state, cell);
  const own = { ...overrides(cell.entry.env), ...overrides(cell.analysis.annotations.env) };
  const relevant: Record<string, string> = {};
  for (const key of new Set([...cell.analysis.envKeys, ...Object.keys(own)])) {
    const value = Object.hasOwn(env, key) ? env[key] : undefined;
    if (value !== undefined) relevant[key] = value;
  }
  return relevant;
}

/**
 * What a cell reads, from whom: the variables wired to it, and for an @after edge without variables all
 * that its producer stores (semantics 3.1, 4.1).
 */
export function readsOf(
  state: SessionState,
  id: CellId,
): readonly { readonly producerId: CellId; readonly variable: string }[] {
  const wiring = state.graph.wiring.get(id);
  const reads: { producerId: CellId; variable: string }[] = [];
  const wired = new Set<CellId>();
  for (const [variable, producerId] of wiring ?? []) {
    reads.push({ producerId, variable });
    wired.add(producerId);
  }
  for (const producerId of state.graph.upstream.get(id) ?? []) {
    if (wired.has(producerId)) continue;
    for (const variable of consumedOf(state, producerId)) reads.push({ producerId, variable });
  }
  return reads;
}

/** The inputs a harness gets: only names wired to the cell (semantics 3.1). */
export function stepInputsOf(state: SessionState, id: CellId): readonly StepInput[] {
  return [...(state.graph.wiring.get(id) ?? [])].map(([variable, producerId]) => ({
    variable,
    producerId,
    row: latest(state.cells.get(producerId), variable),
  }));
}

type HashOf = (producerId: CellId, variable: string) => string;

function inputHashes(state: SessionState, id: CellId, hashOf: HashOf): string[] {
  const wiring = state.graph.wiring.get(id);
  const upstream = state.graph.upstream.get(id) ?? [];
  const inputs = new Set<string>();
  for (const { producerId, variable } of readsOf(state, id)) {
    inputs.add(hashOf(producerId, variable));
  }
  for (const [variable, producerId] of wiring ?? []) {
    const rival = upstream.some(
      (other) => other !== producerId && state.cells.get(other)?.analysis.defines.includes(variable),
    );
    if (rival) inputs.add(`wired:${variable}=${hashOf(producerId, variable)}`);
  }
  return [...inputs];
}

/** A @nocache producer counts by what it made, not by what made it (semantics 4.1). */
function byContent(state: SessionState, producerId: CellId, variable: string, hash: string): string {
  const producer = state.cells.get(producerId);
  if (!producer?.analysis.annotations.nocache) return hash;
  return subkey(hash, `content=${latest(producer, variable)?.contentSha256 ?? ''}`);
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Everything a key is made from, as it was then; comparing references says whether it would be made alike now. */
interface Made {
  readonly analysis: CellState['analysis'];
  readonly entry: CellState['entry'];
  readonly defaults: string;
  readonly lockHash: string;
  readonly upstream: readonly CellId[] | undefined;
  readonly wiring: ReadonlyMap<string, CellId> | undefined;
  /** Of each cell upstream. */
  readonly producers: readonly Producer[];
}

interface Producer {
  readonly analysis: CellState['analysis'] | undefined;
  readonly artifacts: CellState['artifacts'] | undefined;
  readonly consumed: readonly string[] | undefined;
  readonly run: ExpectedRun | undefined;
}

const made = new WeakMap<ExpectedRun, Made>();

function producerOf(state: SessionState, id: CellId, expected: ReadonlyMap<CellId, ExpectedRun>): Producer {
  const cell = state.cells.get(id);
  return {
    analysis: cell?.analysis,
    artifacts: cell?.artifacts,
    consumed: state.graph.consumed.get(id),
    run: expected.get(id),
  };
}

function madeOf(state: SessionState, cell: CellState, expected: ReadonlyMap<CellId, ExpectedRun>): Made {
  const upstream = state.graph.upstream.get(cell.id);
  return {
    analysis: cell.analysis,
    entry: cell.entry,
    defaults: defaultsOf(state.file),
    lockHash: state.environment.lockHash,
    upstream,
    wiring: state.graph.wiring.get(cell.id),
    producers: (upstream ?? []).map((id) => producerOf(state, id, expected)),
  };
}

function sameMade(a: Made, b: Made): boolean {
  return (
    a.analysis === b.analysis &&
    a.entry === b.entry &&
    a.defaults === b.defaults &&
    a.lockHash === b.lockHash &&
    a.upstream === b.upstream &&
    a.wiring === b.wiring &&
    a.producers.every((producer, i) => {
      const other = b.producers[i];
      return (
        producer.analysis === other?.analysis &&
        producer.artifacts === other?.artifacts &&
        producer.consumed === other?.consumed &&
        producer.run === other?.run
      );
    })
  );
}

/**
 * What the run's key would be now. `before` is given back where nothing it was made of has changed, without hashing
 * anything, and where what changed makes no difference.
 */
export function expectedRunOf(
  state: SessionState,
  id: CellId,
  expected: ReadonlyMap<CellId, ExpectedRun>,
  before: ExpectedRun | undefined,
): ExpectedRun | null {
  const cell = state.cells.get(id);
  if (cell === undefined) return null;
  const now = madeOf(state, cell, expected);
  const then = before === undefined ? undefined : made.get(before);
  if (before !== undefined && then !== undefined && sameMade(then, now)) return before;
  const run = keyedRun(state, cell, expected);
  const kept = before !== undefined && sameRun(before, run) ? before : run;
  made.set(kept, now);
  return kept;
}

function sameRun(a: ExpectedRun, b: ExpectedRun): boolean {
  return (
    a.provenanceHash === b.provenanceHash &&
    a.contentKey === b.contentKey &&
    a.sourceHash === b.sourceHash &&
    a.envHash === b.envHash &&
    sameList(a.inputs, b.inputs)
  );
}

function keyedRun(
  state: SessionState,
  cell: CellState,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): ExpectedRun {
  const { id } = cell;
  const { sourceHash } = cell.analysis;
  const envHash = envHashOf(state.environment.lockHash, LOCAL_RUNTIME, relevantEnv(state, cell));
  const inputs = inputHashes(state, id, (producerId, variable) => {
    const parent = expected.get(producerId)?.provenanceHash ?? '';
    return byContent(state, producerId, variable, subkey(parent, variable));
  });
  const digests = readsOf(state, id).map(({ producerId, variable }): InputDigest => {
    const row = latest(state.cells.get(producerId), variable);
    return { variable, contentType: row?.contentType ?? '', sha256: row?.contentSha256 ?? null };
  });
  // An @after edge orders without naming a value: what it waits for has no digest to compare.
  const hasBareAfter = (state.graph.upstream.get(id) ?? []).some((u) =>
    [...(state.graph.wiring.get(id)?.values() ?? [])].every((producer) => producer !== u),
  );
  const contentKey = hasBareAfter ? null : contentKeyOf(digests, sourceHash, envHash);
  return {
    provenanceHash: provenanceOf(inputs, sourceHash, envHash),
    contentKey,
    envHash,
    sourceHash,
    inputs,
  };
}

/**
 * The key of a run over the versions that lie there now: what a run is recorded under, so that a result made from
 * stale inputs (a force run, an edit while the run was on) can never answer for fresh ones. Where an input is what
 * its producer would make now, this is the expected key.
 * @param isFresh whether what a producer has stored is what it would make now
 */
export function actualRunOf(
  state: SessionState,
  id: CellId,
  isFresh: (producerId: CellId) => boolean,
): ExpectedRun | null {
  const expected = state.expected.get(id);
  const cell = state.cells.get(id);
  if (expected === undefined || cell === undefined) return null;
  const inputs = inputHashes(state, id, (producerId, variable) => {
    const row = latest(state.cells.get(producerId), variable);
    const parent = state.expected.get(producerId);
    const lying = row?.provenanceHash ?? `absent:${producerId}:${variable}`;
    const hash =
      row !== null && parent !== undefined && isFresh(producerId)
        ? subkey(parent.provenanceHash, variable)
        : lying;
    return byContent(state, producerId, variable, hash);
  });
  const provenanceHash = provenanceOf(inputs, cell.analysis.sourceHash, expected.envHash);
  return { ...expected, provenanceHash, inputs };
}
