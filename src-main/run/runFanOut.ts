/** Runs a cell that runs once per variant of its inputs (a fan-out), as one step of a run. */

import { variantLabel } from '../../src-shared/notebook/variants.ts';
import type { MutationWarning, Output, OutputPreview } from '../../src-shared/wire/output.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import type { PythonStep, StepOutcome, VariantProgress, VariantRun } from './step.ts';
import type { StepOptions } from './stepTools.ts';
import { createVariantConsole } from './variantConsole.ts';

type Hit = Extract<StepOutcome, { kind: 'hit' }>;
type Ran = Extract<StepOutcome, { kind: 'ran' }>;

type FanOutStep = Extract<PythonStep, { shape: 'fan_out' }>;
type VariantStep = Extract<PythonStep, { shape: 'variant' }>;

/** How one run of the cell is answered from the store or executed. */
export interface OneRun {
  /** Answers one run from the store; null if the store has no result, or may not be used. */
  readonly answer: (request: VariantStep) => Promise<Hit | null>;
  readonly execute: (request: VariantStep, options: StepOptions) => Promise<StepOutcome>;
  /** Stores the combined output of all runs, if it is long. */
  readonly keepLog: (printed: { readonly stdout: string; readonly stderr: string }) => void;
}

/** The suffix of a variant's run id within its cell's; its stored rows have it. */
const RUN_SUFFIX = /-v\d+$/;

/**
 * A cell that runs once per variant (docs/spec/analysis-and-graph.md, 3.4): one run after another, sorted by name, each
 * with its own values, key and results. The first failure fails the cell; finished runs are stored and answer
 * the next time, so that only a new or fixed variant runs.
 */
export async function runFanOut(
  request: FanOutStep,
  options: StepOptions,
  one: OneRun,
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  const requests = request.runs.map((run) => requestOf(request, run));
  const hits = await Promise.all(requests.map((own) => one.answer(own)));
  if (hits.every((hit) => hit !== null)) return { ...allHits(hits), durationMs: durationMs() };
  const console = createVariantConsole(options.onConsole);
  const finishedRuns: (Hit | Ran)[] = [];
  const published = (): readonly ArtifactRow[] =>
    [...finishedRuns, ...hits.slice(finishedRuns.length)].flatMap((run) =>
      run === null ? [] : run.kind === 'hit' ? run.promoted : run.published,
    );
  for (const [index, own] of requests.entries()) {
    const { variant } = own;
    const report = (progress: Pick<VariantProgress, 'success' | 'durationMs' | 'error'>): void =>
      options.onVariant?.({ variant, index, total: requests.length, ...progress });
    const hit = hits[index] ?? null;
    if (hit !== null) {
      if (hit.console !== null) console.whole(variant, hit.console);
      finishedRuns.push(hit);
      report({ success: true, durationMs: hit.durationMs, error: null });
      continue;
    }
    if (options.signal.aborted) {
      return { kind: 'cancelled', ...console.printed(), published: published(), durationMs: durationMs() };
    }
    const outcome = await one.execute(own, {
      ...options,
      runId: `${options.runId}-v${index}`,
      onConsole: (text) => console.live(variant, text),
    });
    if (outcome.kind === 'input_lost') return { ...outcome, published: published() };
    if (outcome.kind !== 'hit') console.whole(variant, outcome);
    if (outcome.kind === 'failed' || outcome.kind === 'cancelled') {
      const error = outcome.kind === 'failed' ? outcome.error : 'Cancelled before it finished';
      report({ success: false, durationMs: outcome.durationMs, error });
      one.keepLog(console.printed());
      const fullOutcome = {
        ...outcome,
        ...console.printed(),
        published: published(),
        durationMs: durationMs(),
      };
      return fullOutcome.kind === 'cancelled'
        ? fullOutcome
        : { ...fullOutcome, ...blamed(variant, fullOutcome) };
    }
    finishedRuns.push(outcome);
    report({ success: true, durationMs: outcome.durationMs, error: null });
  }
  const printed = console.printed();
  one.keepLog(printed);
  return {
    kind: 'ran',
    published: published(),
    outputs: together(
      finishedRuns.map((run, index) =>
        outputsOf(requests[index]?.variant ?? '', run.kind === 'ran' ? run.outputs : {}),
      ),
    ),
    displays: finishedRuns.flatMap((run) => run.displays),
    ...printed,
    method: 'fanout',
    mutationWarnings: uniqueWarnings(finishedRuns),
    logRun: options.runId,
    durationMs: durationMs(),
  };
}

/** The request of one variant's run: with its own values; everything else is the same. */
function requestOf(
  { runs: _, ...request }: FanOutStep,
  { variant, contentKey, unlockedKey, basis }: VariantRun,
): VariantStep {
  const inputs = request.inputs
    .filter((input) => !input.perRun || input.variant === variant)
    .map((input) => (input.perRun ? { ...input, variant: null, perRun: false } : input));
  return { ...request, inputs, contentKey, unlockedKey, basis, shape: 'variant', variant };
}

function allHits(hits: readonly Hit[]): Omit<Hit, 'durationMs'> {
  const console = createVariantConsole(() => undefined);
  let printed = false;
  for (const hit of hits) {
    const variant = hit.variant ?? '';
    if (hit.console === null) continue;
    printed = true;
    console.whole(variant, hit.console);
  }
  const logRun = hits[0]?.logRun?.replace(RUN_SUFFIX, '');
  const warnings = uniqueWarnings(hits);
  return {
    kind: 'hit',
    ...(warnings.length === 0 ? {} : { mutationWarnings: warnings }),
    promoted: hits.flatMap((hit) => hit.promoted),
    displays: hits.flatMap((hit): readonly Output[] => hit.displays),
    console: printed ? console.printed() : null,
    method: 'fanout',
    ...(logRun === undefined ? {} : { logRun }),
  };
}

/** Names the failed variant first: the cell has many runs and one error. */
function blamed(
  variant: string,
  { error, traceback }: { readonly error: string; readonly traceback: string | null },
): { readonly error: string; readonly traceback: string | null } {
  const head = `[variant=${variant}]`;
  return {
    error: `${head} ${error}`,
    traceback: traceback === null ? null : `${head}\n${traceback}`,
  };
}

/** A variable's preview has the label it is stored under; `_` is the last displayed value. */
function outputsOf(
  variant: string,
  outputs: Readonly<Record<string, OutputPreview>>,
): Readonly<Record<string, OutputPreview>> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, preview]) => [
      name === '_' ? name : variantLabel(name, variant),
      preview,
    ]),
  );
}

function together(
  parts: readonly Readonly<Record<string, OutputPreview>>[],
): Readonly<Record<string, OutputPreview>> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

function uniqueWarnings(runs: readonly (Hit | Ran)[]): readonly MutationWarning[] {
  const warnings = runs.flatMap((run) => run.mutationWarnings ?? []);
  return [...new Map(warnings.map((one) => [`${one.var_name}\0${one.message}`, one])).values()];
}
