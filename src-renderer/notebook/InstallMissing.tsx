/** Offers to install the package that a failed cell could not import, below its error. */

import { PackagePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { packageToInstall } from '../../src-shared/notebook/suggestInstall.ts';
import { addRPackage } from '../live/rPackages.ts';
import { useTask } from '../live/useTask.ts';
import { whyNoPackages } from '../state/whyNoPackages.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PACKAGE_WORDS } from '../words/packages.ts';
import { useSession, useView } from './context.ts';

/**
 * Shown below an error caused by a missing package: its name and a button that installs it. Nothing for other errors.
 */
export function InstallMissing({ cellId, error }: { cellId: string; error: string }) {
  const missing = packageToInstall(error);
  if (missing === null) return null;
  if (missing.language === 'r') return <MissingOfR cellId={cellId} name={missing.name} />;
  return (
    <Missing actions={<Install cellId={cellId} name={missing.name} />}>
      {PACKAGE_WORDS.missing(missing.name)}
    </Missing>
  );
}

/** Shown below a display that needs a package to be a table: the reason and a button that installs it. */
export function InstallLacking({ cellId, name }: { cellId: string; name: string }) {
  return (
    <div className="output-lacks">
      {PACKAGE_WORDS.lacking(name)}
      <Install cellId={cellId} name={name} />
    </div>
  );
}

function Install({ cellId, name }: { cellId: string; name: string }) {
  const session = useSession();
  const blockReason = useView(whyNoPackages);
  return (
    <Button
      disabled={blockReason !== null}
      {...(blockReason === null ? {} : { title: blockReason })}
      onClick={() =>
        session.askPackages({
          kind: 'request',
          request: { kind: 'add', requirements: [name] },
          rerun: cellId,
        })
      }
    >
      {PACKAGE_WORDS.install(name)}
    </Button>
  );
}

/** Installs an R package into the notebook's library; without a library, says where to set one up. */
function MissingOfR({ cellId, name }: { cellId: string; name: string }) {
  const session = useSession();
  const sid = useView((view) => view.sessionId);
  const isSetUp = useView((view) => view.model.meta?.r_environment.has_lockfile === true);
  const blockReason = useView(whyNoPackages);
  const task = useTask();
  if (!isSetUp) return <Missing actions={null}>{PACKAGE_WORDS.missingR(name)}</Missing>;
  const install = (): void =>
    task.run(async () => {
      const jobId = await addRPackage(sid, name);
      if (jobId !== null) session.runs.runAfter(cellId, jobId);
    });
  return (
    <Missing
      actions={
        <Button
          disabled={blockReason !== null || task.busy}
          {...(blockReason === null ? {} : { title: blockReason })}
          onClick={install}
        >
          {PACKAGE_WORDS.installR(name)}
        </Button>
      }
    >
      {task.problem ?? PACKAGE_WORDS.missingFromR(name)}
    </Missing>
  );
}

function Missing({ children, actions }: { children: string; actions: ReactNode }) {
  return (
    <Notice tone="warn" {...(actions === null ? {} : { actions })}>
      <PackagePlus className="notice-icon" aria-hidden="true" />
      {children}
    </Notice>
  );
}
