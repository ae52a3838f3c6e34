import { stepHook } from '../artifacts/publishSteps.ts';

/**
 * The steps of a data plane build and of a write to its cache; a kill at any of them must leave a valid state; those of
 * the store come between them (registry/storeSteps.ts). The crash test iterates over them.
 */
export const PLANE_STEPS = [
  'build_promised',
  'build_started',
  'batch_written',
  'rows_received',
  'build_finished',
  'named',
  'entry_begun',
  'entry_written',
  'entry_synced',
  'entry_described',
  'entry_placed',
  'entry_removed',
  'footers_stored',
] as const;
type PlaneStep = (typeof PLANE_STEPS)[number];

/** Kills this process at a step that SVC_TEST_KILL_AT names; does nothing without it. */
export const killPoint = stepHook<PlaneStep>(process.env);
