/**
 * The steps in which results are published to the store; a kill between any two must lose nothing. The crash tests
 * iterate over this list.
 */
export const PUBLISH_STEPS = [
  'started',
  'blobs_staged',
  'blobs_synced',
  'blobs_placed',
  'folder_synced',
  'transaction_begun',
  'previous_superseded',
  'row_inserted',
  'old_pruned',
  'rows_written',
  'committed',
  'cleaned',
] as const;

type PublishStep = (typeof PUBLISH_STEPS)[number];

export type StepHook<Step extends string = PublishStep> = (step: Step) => void;

const nothing = (): void => {};

/**
 * SVC_TEST_KILL_AT=`<step>` or `<step>:<n>` kills this process the first or nth time that step is reached.
 * Without the variable the hook does nothing.
 */
export function stepHook<Step extends string = PublishStep>(
  env: Readonly<Record<string, string | undefined>>,
): StepHook<Step> {
  const target = env['SVC_TEST_KILL_AT'];
  if (target === undefined || target === '') return nothing;
  const [name, count] = target.split(':');
  let remaining = count === undefined ? 1 : Number(count);
  return (step) => {
    if (step !== name) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, 'SIGKILL');
  };
}
