/** The section of the Environment panel with the R installation and the packages of R cells. */

import './packages.css';
import { useState } from 'react';
import type { REnvironment } from '../../../src-shared/wire/environment.ts';
import { addRPackage, restoreR, startR } from '../../live/rPackages.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { R_WORDS } from '../../words/r.ts';

/**
 * The R installation that R cells use, and its packages; absent if the notebook has neither R cells nor an R lock file.
 */
export function RSection() {
  const r = useView((view) => view.model.meta?.r_environment ?? null);
  if (r === null) return null;
  const isMissing = r.packages_status === 'rscript_missing';
  if (r.system_r_version === null && !isMissing && !r.has_lockfile) return null;
  return (
    <section
      className="panel-section packages"
      aria-label={R_WORDS.title}
      data-r={isMissing ? 'missing' : 'found'}
      data-r-state={r.sync_state}
    >
      <h3>{R_WORDS.title}</h3>
      {isMissing ? <Notice tone="warn">{R_WORDS.missing}</Notice> : null}
      <dl className="facts">
        {r.system_r_version === null ? null : (
          <>
            <dt>{R_WORDS.version}</dt>
            <dd>{r.system_r_version}</dd>
          </>
        )}
        <dt>{R_WORDS.lock}</dt>
        <dd>{r.has_lockfile ? 'renv.lock' : R_WORDS.noLock}</dd>
        {r.r_version === '' || r.r_version === r.system_r_version ? null : (
          <>
            <dt>{R_WORDS.madeWith}</dt>
            <dd>{R_WORDS.madeWithR(r.r_version)}</dd>
          </>
        )}
      </dl>
      {r.sync_error === null ? null : <Notice tone="error">{r.sync_error}</Notice>}
      {r.sync_error === null && R_WORDS.state[r.sync_state] !== '' ? (
        <p className="panel-quiet">{R_WORDS.state[r.sync_state]}</p>
      ) : null}
      {r.has_lockfile ? <RPackageList r={r} isMissing={isMissing} /> : null}
      <RActs r={r} isMissing={isMissing} />
    </section>
  );
}

interface RProps {
  readonly r: REnvironment;
  readonly isMissing: boolean;
}

/** The packages of the library, as listed by R. */
function RPackageList({ r, isMissing }: RProps) {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const untrusted = useView((view) => view.model.meta?.untrusted !== undefined);
  const running = useView((view) => view.model.meta?.environment_job?.status === 'running');
  const canAsk = live && !untrusted && !running && !isMissing;
  const { value, problem } = useAnswer('rPackages', canAsk ? { params: { sid } } : null, {
    subject: sid,
    key: `${r.current_lock_hash} ${r.sync_state} ${r.last_synced_at}`,
  });
  const message = problem ?? (value?.packages_status === 'failed' ? value.packages_error : null);
  return (
    <>
      {message === null ? null : <Notice tone="error">{message}</Notice>}
      {value?.packages_status === 'ok' && value.packages.length === 0 ? (
        <p className="panel-quiet">{R_WORDS.none}</p>
      ) : null}
      <ul className="plain-list" aria-label={R_WORDS.packages}>
        {(value?.packages ?? []).map(({ name, version }) => (
          <li key={name} className="package" data-r-package={name}>
            <code>{name}</code>
            <span className="package-version">{version}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Without a lock file: create one. With one: add a package, or restore the library from the lock file. */
function RActs({ r, isMissing }: RProps) {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const untrusted = useView((view) => view.model.meta?.untrusted !== undefined);
  const running = useView((view) => view.model.meta?.environment_job?.status === 'running');
  const task = useTask();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const isHeld = !live || running || untrusted || isMissing || task.busy;
  const refused = task.problem === null ? null : <Notice tone="error">{task.problem}</Notice>;
  if (!r.has_lockfile) {
    return (
      <>
        <p className="panel-quiet">{R_WORDS.initHint}</p>
        <Button onClick={() => task.run(() => startR(sid))} disabled={isHeld}>
          {R_WORDS.init}
        </Button>
        {refused}
      </>
    );
  }
  const add = (): void => {
    const name = typed.trim();
    const isName = /^[A-Za-z][A-Za-z0-9.]*$/.test(name);
    setWrong(!isName);
    if (!isName || isHeld) return;
    task.run(async () => {
      await addRPackage(sid, name);
      setTyped('');
    });
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label={R_WORDS.name}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            setWrong(false);
          }}
          hint={R_WORDS.nameHint}
          problem={wrong ? R_WORDS.notOne : null}
          mono
          spellCheck={false}
          autoComplete="off"
          after={
            <Button onClick={add} disabled={isHeld || typed.trim() === ''}>
              {R_WORDS.add}
            </Button>
          }
        />
      </form>
      <Button onClick={() => task.run(() => restoreR(sid))} disabled={isHeld}>
        {R_WORDS.restore}
      </Button>
      {refused}
    </>
  );
}
