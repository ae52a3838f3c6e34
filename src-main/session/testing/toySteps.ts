/** For tests of the session's reducers: the outcomes of steps, without running anything. */

import { createHash } from 'node:crypto';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { CONSOLE_LABEL, findStored, keyOfLabel } from '../../run/cache.ts';
import { mayAnswer } from '../../run/observed/answers.ts';
import { NOTHING_SEEN } from '../../run/observed/observation.ts';
import { observedParams } from '../../run/observed/recorded.ts';
import { alwaysStored } from '../../run/publish.ts';
import {
  carryOf,
  isPythonStep,
  type PythonStep,
  type ReadingRequest,
  readsValues,
  type StepOutcome,
  type StepRequest,
  variantOf,
} from '../../run/step.ts';
import { toyWidget } from './testWidget.ts';

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `x = 2 - 1` and `x = 1` store the same bytes: a toy value is its source after arithmetic. */
function toyBytes(request: ReadingRequest, label: string): string {
  const code = request.source.replaceAll('2 - 1', '1');
  return sha(
    `${label}\0${code.replaceAll(/#.*\n?/g, '')}\0${request.inputs.map((i) => i.row?.contentSha256).join()}`,
  );
}

/** The outcome that a correct harness and store would report for a step. */
export function wellBehaved(request: StepRequest, nextVersion: (id: string) => number): StepOutcome {
  if (!readsValues(request)) return toyWidget(request, nextVersion);
  if ('runs' in request) return fannedOut(request, nextVersion);
  const { stored, consumed, provenanceHash, contentKey } = request;
  const variant = variantOf(request);
  const row = (name: string): ArtifactRow => {
    const label = variantLabel(name, variant);
    const id = artifactIdOf(request.notebookId, request.cellId, label);
    return {
      id,
      version: nextVersion(id),
      state: 'ready',
      provenanceHash: keyOfLabel(provenanceHash, label),
      contentKey,
      contentType: 'json/object',
      contentSha256: toyBytes(request, label),
      byteSize: 1,
      rowCount: null,
      schemaJson: null,
      createdAt: 0,
      params: {
        display_count: '0',
        source: request.source,
        source_hash: request.sourceHash,
        ...observedParams(request, { runId: `toy-${nextVersion('')}`, observation: NOTHING_SEEN }),
      },
      inputVersions: Object.fromEntries(
        request.inputs.flatMap(({ row }) =>
          row === null ? [] : [[artifactUri(row.id, row.version), `${row.id}@v=${row.version}`]],
        ),
      ),
    };
  };
  if (request.useCache && request.cacheable) {
    const now = { files: new Map(), env: request.env, others: [] };
    const result = findStored({
      stored,
      accepts: (row, by) => mayAnswer(row, by, { ...request, now }),
      consumed,
      carry: carryOf(request) ?? undefined,
      variant,
      provenanceHash,
      contentKey,
      depth: 'all',
    });
    if (result !== null) {
      const promoted = result.current
        ? []
        : Object.entries(result.rows).map(([label, { contentSha256 }]) => ({ ...row(label), contentSha256 }));
      return { kind: 'hit', promoted, displays: [], console: null, durationMs: 1 };
    }
  }
  const missing = request.inputs.find((input) => input.row === null);
  if (request.source.includes('boom') || missing !== undefined) {
    return {
      kind: 'failed',
      error: missing === undefined ? 'boom' : `NameError: ${missing.variable}`,
      traceback: null,
      suggestInstall: null,
      stdout: '',
      stderr: '',
      method: 'error',
      durationMs: 5,
    };
  }
  const leafConsole = consumed.length === 0 && request.cacheable ? [CONSOLE_LABEL] : [];
  const labels = [...alwaysStored(request), ...leafConsole];
  return {
    kind: 'ran',
    published: labels.map(row),
    outputs: {},
    displays: [],
    stdout: '',
    stderr: '',
    method: 'warm',
    mutationWarnings: [],
    durationMs: 5,
  };
}

/** One run after another, as `runFanOut` does it. */
function fannedOut(
  request: Extract<PythonStep, { shape: 'fan_out' }>,
  nextVersion: (id: string) => number,
): StepOutcome {
  const outcomes: StepOutcome[] = [];
  const { runs, ...rest } = request;
  for (const run of runs) {
    const inputs = request.inputs.filter(({ perRun, variant }) => !perRun || variant === run.variant);
    const outcome = wellBehaved({ ...rest, ...run, inputs, shape: 'variant' }, nextVersion);
    const rows = rowsOf(outcomes);
    if (outcome.kind === 'failed') return { ...outcome, published: rows };
    outcomes.push(outcome);
  }
  const common = { displays: [], method: 'fanout' } as const;
  if (outcomes.every(({ kind }) => kind === 'hit')) {
    return { kind: 'hit', promoted: rowsOf(outcomes), console: null, durationMs: 1, ...common };
  }
  const printed = { stdout: '', stderr: '', outputs: {}, mutationWarnings: [] };
  return { kind: 'ran', published: rowsOf(outcomes), durationMs: 5, ...printed, ...common };
}

function rowsOf(outcomes: readonly StepOutcome[]): readonly ArtifactRow[] {
  return outcomes.flatMap((one) =>
    one.kind === 'hit' ? one.promoted : one.kind === 'ran' ? one.published : [],
  );
}

/** The oldest running step, which must be of a Python cell. */
export function pendingPython({
  pending,
}: {
  readonly pending: readonly { readonly request: StepRequest }[];
}): PythonStep {
  const [step] = pending;
  if (step === undefined || !isPythonStep(step.request)) throw new Error('no Python cell runs');
  return step.request;
}
