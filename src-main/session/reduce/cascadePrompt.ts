/** The part of the session's reducer that asks the user to confirm a run of other cells that a run needs first. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { estimateMs } from '../keys/impact.ts';
import { nameOf } from '../keys/statuses.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { toOnly } from '../view/frames.ts';

/**
 * Maximum number of plans that a newer prompt or the end of a run replaced, and that a window may still
 * confirm.
 */
const AGED_PLANS = 32;

/** A plan for which a user is prompted. */
export interface ProposedPlan {
  readonly planId: string;
  /** The requested cells, in order; upstreams that several of them share are in one prompt. */
  readonly targets: readonly CellId[];
  /** In run order, targets included. */
  readonly steps: readonly CellId[];
}

/** The prompt for a plan, and the state that stores the plan until it is confirmed. */
export function proposePlan(
  state: SessionState,
  plan: ProposedPlan,
  socketId: string | null,
): { readonly state: SessionState; readonly frames: readonly AddressedFrame[] } {
  const { planId, targets, steps: ids } = plan;
  const targetId = targets.at(-1);
  if (targetId === undefined) return { state, frames: [] };
  const steps = ids.map((id) => {
    const cell = state.cells.get(id);
    const reason = targets.includes(id)
      ? ('target' as const)
      : cell?.record == null
        ? ('missing' as const)
        : ('stale' as const);
    return {
      cell_id: id,
      cell_name: cell === undefined ? id : nameOf(cell),
      reason,
      skip: false,
      estimated_ms: estimateMs(cell),
    };
  });
  const stored: SessionState = {
    ...withOutdatedPlan(state),
    plan: targets.length === 1 ? { planId, targetId, steps: ids } : null,
  };
  if (socketId === null) return { state: stored, frames: [] };
  const payload = {
    cell_id: targetId,
    plan_id: planId,
    cells_to_run: [...ids],
    steps,
    estimated_duration_ms: steps.reduce((sum, step) => sum + step.estimated_ms, 0),
    ...(targets.length === 1 ? {} : { targets: [...targets] }),
  };
  return { state: stored, frames: [toOnly(socketId, { type: 'cascade_prompt', payload })] };
}

/** The stored plan is outdated: confirming it later returns a new plan. */
export function withOutdatedPlan(state: SessionState): SessionState {
  const { plan, agedPlans } = state;
  if (plan === null) return state;
  const { planId, targetId } = plan;
  return { ...state, plan: null, agedPlans: [...agedPlans, { planId, targetId }].slice(-AGED_PLANS) };
}
