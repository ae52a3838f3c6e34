import { stepHook } from '../../artifacts/publishSteps.ts';

/**
 * The steps in which an Iceberg table is changed; a kill between any two must leave the whole change or none of it. The
 * crash tests iterate over them.
 */
export const WRITE_STEPS = [
  'rows_written',
  'data_placed',
  'manifests_placed',
  'metadata_placed',
  'namespace_written',
  'committed',
] as const;
type WriteStep = (typeof WRITE_STEPS)[number];

/** Kills this process at a step that SVC_TEST_KILL_AT names; does nothing without it. */
export const killPoint = stepHook<WriteStep>(process.env);
