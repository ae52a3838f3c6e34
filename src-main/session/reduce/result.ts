/** Makes the reply that REST clients get to the run of a cell. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { factsOf } from '../../../src-shared/notebook/languages/languages.ts';
import type { ExecutionResult } from '../../../src-shared/wire/execution.ts';
import { keyOfLabel } from '../../run/cache.ts';
import type { StepOutcome, StepRequest } from '../../run/step.ts';
import type { TeamOrigin } from '../../run/team/teamOrigin.ts';
import { artifactUrisOf } from '../keys/stored.ts';
import type { StoredOutput } from '../state/requests.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { remoteFields } from '../view/frames.ts';
import { controlKeysOf } from './outcome.ts';

const EMPTY = {
  stdout: '',
  stderr: '',
  outputs: {},
  displays: [],
  display: null,
  duration_ms: 0,
  error: null,
  traceback: null,
  cache_hit: false,
  artifact_uri: null,
  mutation_warnings: [],
  from_team_cache: false,
  team_cache_principal: null,
  team_cache_build_env: '',
  team_cache_saved_ms: 0,
  team_cache_promotion: null,
} satisfies Partial<ExecutionResult>;

/** A cell that needs no run (markdown, empty): ready at once. */
export function nothingToRun(cellId: CellId): ExecutionResult {
  return { ...EMPTY, cell_id: cellId, status: 'ready', cache_hit: true, execution_method: 'cached' };
}

/** The reply to REST execute (docs/spec/rest-notebooks.md, 2.10). */
export function executionResultOf(
  state: SessionState,
  cellId: CellId,
  outcome: Exclude<StepOutcome, { kind: 'input_lost' }>,
): ExecutionResult {
  const cell = state.cells.get(cellId);
  const [uri = null] = cell === undefined ? [] : Object.values(artifactUrisOf(state, cell));
  const printed = cell?.console ?? { stdout: '', stderr: '' };
  const common = {
    ...EMPTY,
    ...printed,
    cell_id: cellId,
    duration_ms: outcome.durationMs,
    ...remoteFields(outcome.remote),
  };
  switch (outcome.kind) {
    case 'hit':
    case 'ran':
      return {
        ...common,
        status: 'ready',
        outputs: outcome.kind === 'ran' ? { ...outcome.outputs } : {},
        displays: [...outcome.displays],
        display: outcome.displays.at(-1) ?? null,
        cache_hit: outcome.kind === 'hit',
        artifact_uri: uri,
        execution_method: outcome.method ?? 'cached',
        ...(outcome.kind === 'hit' ? teamFields(outcome.team) : {}),
        mutation_warnings: [...(outcome.mutationWarnings ?? [])],
      };
    case 'failed':
      return {
        ...common,
        status: 'error',
        error: outcome.error,
        traceback: outcome.traceback,
        execution_method: 'error',
        ...(outcome.errorCode === undefined ? {} : { error_code: outcome.errorCode }),
        ...(outcome.suggestInstall === null
          ? {}
          : {
              suggest_install: outcome.suggestInstall,
              suggest_install_language: factsOf(cell)?.packages ?? 'python',
            }),
      };
    case 'cancelled':
      return {
        ...common,
        status: 'error',
        error: 'Cancelled before it finished',
        error_code: 'cancelled',
        execution_method: 'error',
      };
    default:
      return outcome satisfies never;
  }
}

function teamFields(team: TeamOrigin | undefined) {
  if (team === undefined) return {};
  return {
    from_team_cache: true,
    team_cache_principal: team.principal,
    team_cache_build_env: team.build_env,
    team_cache_saved_ms: team.saved_ms,
    team_cache_promotion: team.promotion,
  };
}

/** The cell's variables that are in the store under this run's key. */
export function storedOutputs(cell: CellState, request: StepRequest): readonly StoredOutput[] {
  const controlKeys = controlKeysOf(request);
  const outputs: StoredOutput[] = [];
  for (const [name, rows] of Object.entries(cell.artifacts)) {
    const row = rows[0];
    const key = controlKeys?.get(name) ?? keyOfLabel(request.provenanceHash, name);
    if (name.startsWith('__') || row?.provenanceHash !== key) continue;
    outputs.push({ name, artifact_id: row.id, version: row.version, content_sha256: row.contentSha256 });
  }
  return outputs;
}
