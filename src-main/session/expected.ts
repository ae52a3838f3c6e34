import type { CellId } from '../../src-shared/notebook/ids.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import type { Bundle, FanOut } from '../../src-shared/notebook/producers.ts';
import { variantLabel } from '../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { type ModuleFile, NO_FILES } from '../language/modules/closure.ts';
import { isSecretName } from '../notebook/saveRules.ts';
import { resolveWorker } from '../notebook/workers.ts';
import { versionsOf } from '../run/cache.ts';
import {
  contentKeyOf,
  envHashOf,
  type InputDigest,
  provenanceOf,
  subkey,
  workerIdentity,
} from '../run/provenance.ts';
import { readDigest } from '../run/shared/pinned.ts';
import type { StepInput } from '../run/step.ts';
import { aiLines } from './ai.ts';
import { dataLines, dataText, isAllResolved, writesOutside } from './data.ts';
import { defaultsOf } from './defaults.ts';
import { carriedLine, moduleLines, modulesOf } from './modules.ts';
import { type Read, readNamesOf, readsOf } from './reads.ts';
import { sqlInputs, sqlLines, sqlText } from './sqlCells.ts';
import type { CellState, ExpectedRun, SessionState } from './state.ts';
import { controlSteps } from './widgets.ts';

export function latest(cell: CellState | undefined, label: string): ArtifactRow | null {
  return cell === undefined ? null : (versionsOf(cell.artifacts, label)[0] ?? null);
}

/** The worker a cell runs on: annotation, then cell, then notebook, then the local one (semantics 1.2). */
export function workerOf(state: SessionState, cell: CellState): string {
  return cell.analysis.annotations.worker ?? cell.entry.worker ?? state.file.worker ?? 'local';
}

/** What of a cell's worker is part of its key (semantics 4.1). */
export function workerIdentityOf(state: SessionState, cell: CellState): string {
  const name = workerOf(state, cell);
  const { serverWorkers: server } = state.options;
  return workerIdentity(name, resolveWorker(name, { notebook: state.file.workers, server }));
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

const NO_LINES: readonly string[] = [];

/** What of the settings a prompt is asked with: its own, as its source is. */
export function ownLines(state: SessionState, cell: CellState): readonly string[] {
  return cell.language === 'prompt' ? aiLines(state, cell, envOf(state, cell)) : NO_LINES;
}

/** The inputs a harness gets: only names wired to the cell (semantics 3.1). */
export function stepInputsOf(state: SessionState, id: CellId): readonly StepInput[] {
  const own = state.graph.fanOuts.get(id)?.group;
  return readNamesOf(state, id).flatMap(({ wired, group, reads }) =>
    wired
      ? reads.map(({ variable, producerId, label, variant }) => ({
          variable,
          producerId,
          row: latest(state.cells.get(producerId), label),
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

/** Content types whose bytes are the value itself; any other may hold code of a local module by its name. */
function isPlainData(contentType: string): boolean {
  return !contentType.startsWith('pickle/') && !contentType.startsWith('module/');
}

/** Local modules that values a cell reads may hold: changed code makes other values of the same bytes. */
function carriedModules(
  state: SessionState,
  id: CellId,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): readonly ModuleFile[] {
  const carried = new Map<string, ModuleFile>();
  for (const { producerId, label } of readsOf(state, id)) {
    const modules = expected.get(producerId)?.modules ?? NO_FILES;
    if (modules.length === 0) continue;
    const row = latest(state.cells.get(producerId), label);
    if (row === null || isPlainData(row.contentType)) continue;
    for (const file of modules) carried.set(file.path, file);
  }
  return carried.size === 0 ? NO_FILES : [...carried.values()];
}

/** Of two lists of files each once, by path. */
function together(a: readonly ModuleFile[], b: readonly ModuleFile[]): readonly ModuleFile[] {
  if (b.length === 0) return a;
  const all = new Map([...b, ...a].map((file) => [file.path, file]));
  return [...all.values()].sort((x, y) => (x.path < y.path ? -1 : 1));
}

function sameModules(a: readonly ModuleFile[], b: readonly ModuleFile[]): boolean {
  return (
    a.length === b.length && a.every(({ path, digest }, i) => path === b[i]?.path && digest === b[i]?.digest)
  );
}

/** The key a producer keeps a value under when its own run has these keys. */
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
 * A @nocache producer, one that writes outside and a SQL cell count by what they made, not by what made it (semantics 4.1).
 * So does a prompt: asked again it may answer something else, and the key its answer is kept under is not known before.
 */
function byContent(
  state: SessionState,
  { reader, read }: { reader: CellState; read: Read },
  hash: string,
): string {
  const { producerId, variable, label } = read;
  const producer = state.cells.get(producerId);
  if (producer === undefined) return hash;
  if (producer.language === 'prompt')
    return `prompt:${variable}=${readDigest(latest(producer, label)) ?? ''}`;
  const countsByContent =
    producer.language === 'sql' || producer.analysis.annotations.nocache || writesOutside(state, producer);
  if (!countsByContent) return hash;
  const row = latest(producer, label);
  // Which iterations there are to start from, the bytes of the last one do not say.
  const loop = loopOf(reader.analysis);
  const isStart = loop?.startFromCell === producerId && loop.carry === variable;
  const content = isStart ? row?.params['loop_run'] : readDigest(row);
  return subkey(hash, `content=${content ?? ''}`);
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Everything a key is made from, as it was then; comparing references says whether it would be made alike now. */
interface Made {
  readonly analysis: CellState['analysis'];
  readonly entry: CellState['entry'];
  readonly widgetValues: CellState['widgetValues'];
  readonly defaults: string;
  readonly serverWorkers: SessionState['options']['serverWorkers'];
  readonly lockHash: string;
  /** What it uses from outside, as last seen. */
  readonly data: string;
  /** Of a SQL cell, what its connection and its policy say. */
  readonly sql: string;
  readonly upstream: readonly CellId[] | undefined;
  readonly wiring: ReadonlyMap<string, CellId> | undefined;
  readonly bundles: ReadonlyMap<string, Bundle> | undefined;
  readonly fanOut: FanOut | undefined;
  readonly modules: readonly ModuleFile[];
  /** Of each cell upstream. */
  readonly producers: readonly Producer[];
}

interface Producer {
  readonly analysis: CellState['analysis'] | undefined;
  readonly artifacts: CellState['artifacts'] | undefined;
  readonly consumed: readonly string[] | undefined;
  readonly fanOut: FanOut | undefined;
  readonly run: ExpectedRun | undefined;
}

const made = new WeakMap<ExpectedRun, Made>();

function producerOf(state: SessionState, id: CellId, expected: ReadonlyMap<CellId, ExpectedRun>): Producer {
  const cell = state.cells.get(id);
  return {
    analysis: cell?.analysis,
    artifacts: cell?.artifacts,
    consumed: state.graph.consumed.get(id),
    fanOut: state.graph.fanOuts.get(id),
    run: expected.get(id),
  };
}

function madeOf(state: SessionState, cell: CellState, expected: ReadonlyMap<CellId, ExpectedRun>): Made {
  const upstream = state.graph.upstream.get(cell.id);
  return {
    analysis: cell.analysis,
    entry: cell.entry,
    widgetValues: cell.widgetValues,
    defaults: defaultsOf(state.file),
    serverWorkers: state.options.serverWorkers,
    lockHash: state.environment.lockHash,
    data: dataText(state, cell),
    sql: sqlText(state, cell),
    upstream,
    wiring: state.graph.wiring.get(cell.id),
    bundles: state.graph.bundles.get(cell.id),
    fanOut: state.graph.fanOuts.get(cell.id),
    modules: modulesOf(state, cell),
    producers: (upstream ?? []).map((id) => producerOf(state, id, expected)),
  };
}

/** Whether all of it is what it was then. Asked of every cell at every walk, so that it makes nothing itself. */
function holdsStill(
  then: Made,
  cell: CellState,
  { state, expected }: { readonly state: SessionState; readonly expected: ReadonlyMap<CellId, ExpectedRun> },
): boolean {
  const { id } = cell;
  const { graph } = state;
  const upstream = graph.upstream.get(id);
  const isSame =
    then.analysis === cell.analysis &&
    then.entry === cell.entry &&
    then.widgetValues === cell.widgetValues &&
    then.defaults === defaultsOf(state.file) &&
    then.serverWorkers === state.options.serverWorkers &&
    then.lockHash === state.environment.lockHash &&
    then.upstream === upstream &&
    then.wiring === graph.wiring.get(id) &&
    then.bundles === graph.bundles.get(id) &&
    then.fanOut === graph.fanOuts.get(id) &&
    then.modules === modulesOf(state, cell) &&
    then.data === dataText(state, cell) &&
    then.sql === sqlText(state, cell);
  if (!isSame || upstream === undefined) return isSame;
  for (let i = 0; i < upstream.length; i += 1) {
    const [above, producer] = [upstream[i], then.producers[i]];
    if (above === undefined || producer === undefined) return false;
    const maker = state.cells.get(above);
    const isAlike =
      producer.run === expected.get(above) &&
      producer.analysis === maker?.analysis &&
      producer.artifacts === maker?.artifacts &&
      producer.consumed === graph.consumed.get(above) &&
      producer.fanOut === graph.fanOuts.get(above);
    if (!isAlike) return false;
  }
  return true;
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
  const then = before === undefined ? undefined : made.get(before);
  if (before !== undefined && then !== undefined && holdsStill(then, cell, { state, expected }))
    return before;
  const run = keyedRun(state, cell, expected);
  const kept = before !== undefined && sameRun(before, run) ? before : run;
  made.set(kept, madeOf(state, cell, expected));
  return kept;
}

function sameRun(a: ExpectedRun, b: ExpectedRun): boolean {
  return (
    a.provenanceHash === b.provenanceHash &&
    a.contentKey === b.contentKey &&
    a.sourceHash === b.sourceHash &&
    a.envHash === b.envHash &&
    sameList(a.inputs, b.inputs) &&
    sameVariantKeys(a.variantKeys, b.variantKeys) &&
    sameModules(a.modules, b.modules)
  );
}

function keyedRun(
  state: SessionState,
  cell: CellState,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): ExpectedRun {
  const { id } = cell;
  if (cell.analysis.widget !== null) return widgetRun(cell);
  const { sourceHash } = cell.analysis;
  const envHash = envHashOf(
    state.environment.lockHash,
    workerIdentityOf(state, cell),
    relevantEnv(state, cell),
  );
  const inputs = inputHashes(state, id, (read) => {
    const parent = expected.get(read.producerId) ?? NO_RUN;
    return byContent(state, { reader: cell, read }, keptUnder(parent, read));
  });
  const names = readNamesOf(state, id);
  // An @after edge orders without naming a value: what it waits for has no digest to compare.
  const wired = new Set(
    names.flatMap((name) => (name.wired ? name.reads.map((read) => read.producerId) : [])),
  );
  const hasBareAfter = (state.graph.upstream.get(id) ?? []).some((above) => !wired.has(above));
  const carried = carriedModules(state, id, expected);
  const own = ownLines(state, cell);
  const isSql = cell.language === 'sql';
  const lines = [
    ...moduleLines(state, cell),
    ...carried.map(carriedLine),
    ...own,
    ...sqlLines(state, cell),
    // What a SQL cell waits for is said by the key of the cell it waits for.
    ...(isSql ? waitedFor(state, id, { expected, wired }) : []),
  ];
  const data = dataLines(state, cell);
  inputs.push(...data, ...own);
  // The bytes a loop starts with are an iteration's, which the digest of what lies under the plain id says nothing of.
  const startsFromIteration = loopOf(cell.analysis)?.startFromCell != null;
  const hasKey = (isSql || !hasBareAfter) && !startsFromIteration && isAllResolved(state, cell);
  const contentKey = (reads: readonly Read[], bound: (read: Read) => string): string | null => {
    if (!hasKey) return null;
    const digests = reads.map((read) => digestOf(state, read, bound(read)));
    return contentKeyOf(digests, sourceHash, envHash, [...data, ...lines]);
  };
  const fanOut = state.graph.fanOuts.get(id);
  const reads = names.flatMap((name) => name.reads);
  const perRun = new Set(
    names.flatMap(({ group, reads: own }) => (group !== null && group === fanOut?.group ? own : [])),
  );
  return {
    provenanceHash: provenanceOf(inputs, sourceHash, envHash),
    contentKey: contentKey(reads, ({ variable, variant }) => variantLabel(variable, variant)),
    variantKeys:
      fanOut === undefined
        ? null
        : fanOut.variants.map((variant) => ({
            variant,
            contentKey: contentKey(
              reads.filter((read) => !perRun.has(read) || read.variant === variant),
              (read) => (perRun.has(read) ? read.variable : variantLabel(read.variable, read.variant)),
            ),
          })),
    controlKeys: null,
    envHash,
    sourceHash,
    inputs,
    data,
    modules: together(modulesOf(state, cell), carried),
  };
}

/** Nothing but the controls themselves is part of a widget's keys: neither environment nor what it waits for. */
function widgetRun(cell: CellState): ExpectedRun {
  const controls = controlSteps(cell);
  const lines = controls.map(({ name, key }) => `${name}=${key}`);
  const envHash = envHashOf('', 'widget', {});
  return {
    provenanceHash: provenanceOf(lines, '', envHash),
    contentKey: null,
    variantKeys: null,
    controlKeys: new Map(controls.map(({ name, key }) => [name, key])),
    envHash,
    sourceHash: cell.analysis.sourceHash,
    inputs: lines,
    data: [],
    modules: NO_FILES,
  };
}

function waitedFor(
  state: SessionState,
  id: CellId,
  {
    expected,
    wired,
  }: { readonly expected: ReadonlyMap<CellId, ExpectedRun>; readonly wired: ReadonlySet<CellId> },
): readonly string[] {
  const above = state.graph.upstream.get(id) ?? [];
  return above
    .filter((other) => !wired.has(other))
    .map((other) => `after:${other}=${expected.get(other)?.provenanceHash ?? ''}`);
}

/** The bytes a value has now, under the name (or the part of a dict) it is bound to. */
function digestOf(state: SessionState, { producerId, label }: Read, bound: string): InputDigest {
  const row = latest(state.cells.get(producerId), label);
  return { variable: bound, contentType: row?.contentType ?? '', sha256: readDigest(row) };
}

function sameVariantKeys(a: ExpectedRun['variantKeys'], b: ExpectedRun['variantKeys']): boolean {
  if (a === b) return true;
  return (
    a?.length === b?.length &&
    (a ?? []).every((key, i) => key.variant === b?.[i]?.variant && key.contentKey === b?.[i]?.contentKey)
  );
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
  if (expected.controlKeys !== null) return expected;
  const inputs = inputHashes(state, id, (read) => {
    const { producerId, label } = read;
    const row = latest(state.cells.get(producerId), label);
    const parent = state.expected.get(producerId);
    const lying = row?.provenanceHash ?? `absent:${producerId}:${label}`;
    const wanted = parent === undefined ? null : keptUnder(parent, read);
    const hash = row !== null && wanted !== null && isFresh(producerId) ? wanted : lying;
    // A value from before a module changed meets the module as it is now.
    const isMixed = hash !== wanted && row !== null && !isPlainData(row.contentType);
    const modules = isMixed ? (parent?.modules ?? NO_FILES) : NO_FILES;
    const met = modules.length === 0 ? hash : subkey(hash, ...modules.map(({ digest }) => `now=${digest}`));
    return byContent(state, { reader: cell, read }, met);
  });
  const data = dataLines(state, cell, `:${state.running?.runId ?? ''}`);
  inputs.push(...data, ...ownLines(state, cell));
  const provenanceHash = provenanceOf(inputs, cell.analysis.sourceHash, expected.envHash);
  return { ...expected, provenanceHash, inputs, data };
}
