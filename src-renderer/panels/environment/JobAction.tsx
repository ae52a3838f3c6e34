import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { stopJob, undoJob } from '../../live/packages.ts';
import { useTask } from '../../live/useTask.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PACKAGE_WORDS } from '../../words/packages.ts';

/** Button that stops a running environment job, or reverts one that changed the packages. */
export function JobAction({ job }: { job: EnvironmentJob }) {
  const sid = useView((view) => view.sessionId);
  const busy = useView((view) => view.model.meta?.environment_job?.status === 'running');
  const task = useTask();
  const refused = task.problem === null ? null : <Notice tone="error">{task.problem}</Notice>;
  if (job.status === 'running') {
    return (
      <>
        <Button onClick={() => task.run(() => stopJob(sid))} disabled={task.busy}>
          {task.busy ? PACKAGE_WORDS.stopping : PACKAGE_WORDS.cancel}
        </Button>
        {refused}
      </>
    );
  }
  // Nothing can be reverted after the first `uv sync`, before which there was no lock file, or after R jobs, whose
  // earlier lock file is not stored.
  const isOfR = job.action === 'r_init' || job.action === 'r_add';
  const hasBefore = !isOfR && (job.action !== 'sync' || job.command !== 'uv sync');
  if (job.status !== 'completed' || !job.lockfile_changed || !hasBefore) return null;
  return (
    <>
      <Button
        aria-label={PACKAGE_WORDS.undo(job.command)}
        onClick={() => task.run(() => undoJob(sid, job.id))}
        disabled={busy || task.busy}
      >
        {PACKAGE_WORDS.undoShort}
      </Button>
      {refused}
    </>
  );
}
