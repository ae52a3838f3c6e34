import { LoaderCircle, Package, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Environment, EnvironmentJob } from '../../src-shared/wire/environment.ts';
import { ConsoleView } from '../outputs/console/ConsoleView.tsx';
import { emptyConsole, replaceConsole } from '../state/consoleText.ts';
import { Notice } from '../ui/Notice.tsx';
import { durationText, WORDS } from '../ui/strings.ts';
import { useNow } from '../ui/useNow.ts';
import { useView } from './context.ts';

/** The environment in a few words; a click shows its job and log. */
export function EnvironmentChip() {
  const environment = useView((view) => view.model.meta?.environment ?? null);
  const job = useView((view) => view.model.meta?.environment_job ?? null);
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event): void => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      if (event.target instanceof Node && event.type === 'mousedown' && box.current?.contains(event.target))
        return;
      setOpen(false);
    };
    window.addEventListener('mousedown', leave);
    window.addEventListener('keydown', leave);
    return () => {
      window.removeEventListener('mousedown', leave);
      window.removeEventListener('keydown', leave);
    };
  }, [open]);
  if (environment === null) return null;
  const running = job?.status === 'running';
  const state = running ? 'pending' : environment.sync_state;
  return (
    <div className="env" ref={box}>
      <button
        type="button"
        className={`env-chip env-${state}`}
        aria-expanded={open}
        aria-label={`${WORDS.environment}: ${environmentWords(environment, running)}`}
        onClick={() => setOpen(!open)}
        data-environment={state}
      >
        {running || state === 'pending' ? <LoaderCircle className="spin" aria-hidden="true" /> : null}
        {state === 'failed' || state === 'fallback' ? <TriangleAlert aria-hidden="true" /> : null}
        {state === 'ready' ? <Package aria-hidden="true" /> : null}
        <span>{environmentWords(environment, running)}</span>
      </button>
      {open ? <EnvironmentPanel environment={environment} job={job} /> : null}
    </div>
  );
}

function environmentWords(environment: Environment, running: boolean): string {
  if (running || environment.sync_state === 'pending') return WORDS.environmentPending;
  switch (environment.sync_state) {
    case 'ready':
      return WORDS.environmentReady(environment.python_version, environment.package_count);
    case 'fallback':
      return WORDS.environmentFallback;
    case 'failed':
      return environment.interpreter_source === 'path' ? WORDS.environmentFallback : WORDS.environmentFailed;
    case 'unknown':
      return WORDS.environmentUnknown;
  }
}

function EnvironmentPanel({ environment, job }: { environment: Environment; job: EnvironmentJob | null }) {
  const running = job?.status === 'running';
  const now = useNow(running, 1_000);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a landmark of the page, a small panel of the chip
    <div className="env-panel" role="group" aria-label={WORDS.environment}>
      {environment.interpreter_source === 'path' ? (
        <Notice tone="warn">{WORDS.environmentPath}</Notice>
      ) : null}
      {environment.sync_error === null ? null : <Notice tone="error">{environment.sync_error}</Notice>}
      {environment.sync_notice === null ? null : <Notice tone="info">{environment.sync_notice}</Notice>}
      {job === null ? (
        <p className="env-quiet">{WORDS.environmentNoLog}</p>
      ) : (
        <>
          <div className="env-job">
            <code>{job.command}</code>
            <span>
              {job.phase === null ? '' : WORDS.phase[job.phase]} ·{' '}
              {durationText(job.duration_ms ?? Math.max(0, now - job.started_at))}
            </span>
          </div>
          {job.error === null ? null : <Notice tone="error">{job.error}</Notice>}
          <ConsoleView console={replaceConsole(emptyConsole, job.stdout)} stream="stdout" />
          <ConsoleView console={replaceConsole(emptyConsole, job.stderr)} stream="stderr" />
        </>
      )}
    </div>
  );
}
