/** Lists the packages that a notebook requires and that the user has not agreed to install yet, with their sources. */

import './askedPackages.css';
import { useState } from 'react';
import type { PackageSource } from '../../src-shared/wire/environment.ts';
import { allowPackages } from '../live/packages.ts';
import { useTask } from '../live/useTask.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PACKAGE_CONSENT_WORDS } from '../words/packageConsent.ts';
import { useViewParts } from './context.ts';

/** The packages that a notebook requires, each with its source. */
function PackageSources({ sources }: { sources: readonly PackageSource[] }) {
  return (
    <ul className="asked-packages">
      {sources.map(({ requirement, kind, from }) => (
        <li key={`${requirement} ${from}`}>
          <code>{requirement === '*' ? PACKAGE_CONSENT_WORDS.every : nameOf(requirement)}</code>
          <span className={kind === 'index' ? 'asked-from' : 'asked-from asked-elsewhere'}>
            {PACKAGE_CONSENT_WORDS.kind[kind]}
            {from === null ? null : (
              <>
                {' '}
                <bdi>{from}</bdi>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The package name of a requirement; the URL of `name @ URL` is shown separately. */
function nameOf(requirement: string): string {
  return requirement.replace(/\s*@\s.*$/, '');
}

/** The packages that an untrusted folder requires, below the question whether to trust it. */
export function FoldedSources({ sources }: { sources: readonly PackageSource[] }) {
  if (sources.length === 0) return null;
  const elsewhere = sources.filter(({ kind }) => kind !== 'index').length;
  return (
    <details className="asked-details" open={elsewhere > 0 && sources.length <= SHOWN_OPEN}>
      <summary>{PACKAGE_CONSENT_WORDS.summary(sources.length, elsewhere)}</summary>
      <PackageSources sources={sources} />
    </details>
  );
}

const SHOWN_OPEN = 6;

/** Packages of an imported notebook that need a separate consent. */
export function WaitingPackages() {
  const { waiting, untrusted, running, live, sid } = useViewParts((view) => ({
    waiting: view.model.meta?.waiting_packages ?? NONE,
    untrusted: view.model.meta?.untrusted !== undefined,
    running: view.model.meta?.environment_job?.status === 'running',
    live: view.link.kind === 'live',
    sid: view.sessionId,
  }));
  const [asking, setAsking] = useState(false);
  const task = useTask();
  if (waiting.length === 0 || untrusted) return null;
  const allow = (): void =>
    task.run(async () => {
      await allowPackages(
        sid,
        waiting.map(({ requirement }) => requirement),
      );
      setAsking(false);
    });
  return (
    <>
      <Notice
        tone="warn"
        actions={<Button onClick={() => setAsking(true)}>{PACKAGE_CONSENT_WORDS.review}</Button>}
      >
        <span data-waiting-packages>{PACKAGE_CONSENT_WORDS.waiting(waiting.length)}</span>
      </Notice>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        role="alertdialog"
        title={PACKAGE_CONSENT_WORDS.title}
        description={PACKAGE_CONSENT_WORDS.means}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{PACKAGE_CONSENT_WORDS.notNow}</Button>
            <Button kind="primary" disabled={!live || running || task.busy} onClick={allow}>
              {PACKAGE_CONSENT_WORDS.allow}
            </Button>
          </>
        }
      >
        <PackageSources sources={waiting} />
        {running ? <p className="panel-quiet">{PACKAGE_CONSENT_WORDS.running}</p> : null}
        {task.problem === null ? null : <Notice tone="error">{task.problem}</Notice>}
      </Dialog>
    </>
  );
}

const NONE: readonly PackageSource[] = [];
