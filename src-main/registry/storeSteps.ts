import { stepHook } from '../artifacts/publishSteps.ts';

/**
 * The steps in which the artifact store is changed; a kill between any two must leave the whole change or none of it.
 * The crash tests iterate over them.
 */
export const STORE_STEPS = [
  'received',
  'row_begun',
  'placing',
  'placed',
  'row_finished',
  'name_written',
  'publication_written',
  'batch_deleted',
  'removed',
] as const;
type StoreStep = (typeof STORE_STEPS)[number];

/** Kills this process at a step that SVC_TEST_KILL_AT names; does nothing without it. */
export const killPoint = stepHook<StoreStep>(process.env);
