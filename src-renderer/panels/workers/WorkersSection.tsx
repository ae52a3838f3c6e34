/** The Workers panel: where cells run, the health of each worker, and the default worker. */

import './workers.css';
import { Plus, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { WORKER_WORDS } from '../../words/workers.ts';
import { WorkerDialog } from './WorkerDialog.tsx';
import { sshTargetOf, WorkerRow } from './WorkerRow.tsx';

/** Where cells run: this machine and the attached workers, the health of each, and the default worker. */
export function WorkersSection() {
  const { workers: acts } = useSession();
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const { value, problem, loading, again } = useAnswer(
    'listWorkers',
    live ? { params: { sid }, query: {} } : null,
    {
      subject: sid,
      key: '',
    },
  );
  // The panel may be open before the tokens of the keychain have been sent to the server.
  useEffect(() => acts.onRecalled(again), [acts, again]);
  /** The name for the worker to attach, empty if it is still to be chosen; null while the dialog is closed. */
  const [attaching, setAttaching] = useState<string | null>(null);
  const changing = useTask();
  const change = (act: () => Promise<unknown>): void =>
    changing.run(async () => {
      await act();
      again();
    });
  const workers = value?.workers ?? [];
  const [inKeychain, setInKeychain] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloaded whenever the workers were
  useEffect(() => {
    let isHere = true;
    void acts.inKeychain().then((names) => {
      if (isHere) setInKeychain(names);
    });
    return () => {
      isHere = false;
    };
  }, [acts, value]);
  const current = useView((view) => (view.model.meta === null ? null : (view.model.meta.worker ?? 'local')));
  return (
    <section className="panel-section workers" aria-label={WORKER_WORDS.title}>
      <div className="section-title">
        <p className="panel-quiet">{WORKER_WORDS.hint}</p>
        <IconButton
          label={WORKER_WORDS.refresh}
          disabled={!live || changing.busy}
          onClick={() => change(acts.refresh)}
        >
          <RefreshCw aria-hidden="true" />
        </IconButton>
      </div>
      {[problem, changing.problem].map((words) =>
        words === null ? null : (
          <Notice key={words} tone="error">
            {words}
          </Notice>
        ),
      )}
      {loading && value === null ? <Spinner label={WORKER_WORDS.testing} /> : null}
      {current === null ? null : (
        <Select
          label={WORKER_WORDS.defaultWorker}
          value={current}
          options={workers.map(({ name, health, allowed, enabled }) => ({
            value: name,
            label: name === 'local' ? WORKER_WORDS.here : name,
            // A worker that cannot be reached cannot be chosen, but the current one stays in the list.
            disabled: name !== current && (!allowed || !enabled || health === 'unavailable'),
          }))}
          onChange={(worker) => change(() => acts.choose(worker))}
          disabled={!live || changing.busy}
        />
      )}
      <ul className="plain-list">
        {workers
          .filter(({ source }) => source !== 'builtin')
          .map((worker) => (
            <WorkerRow
              key={worker.name}
              worker={worker}
              inKeychain={inKeychain.includes(worker.name)}
              onAttach={() => setAttaching(worker.name)}
              onRemove={() =>
                change(() => acts.detach({ name: worker.name, bySsh: sshTargetOf(worker) !== null }))
              }
              onChanged={again}
              onConnect={(target) => change(() => acts.connect({ target, name: worker.name }))}
              busy={changing.busy}
            />
          ))}
      </ul>
      {value?.definitions_editable === false ? null : (
        <Button icon={<Plus aria-hidden="true" />} onClick={() => setAttaching('')} disabled={value === null}>
          {WORKER_WORDS.add}
        </Button>
      )}
      {attaching === null ? null : (
        <WorkerDialog
          name={attaching}
          // A worker that cells use but that is not defined can be attached under its name.
          taken={workers.filter(({ source }) => source !== 'referenced').map(({ name }) => name)}
          onClose={() => setAttaching(null)}
          onAttached={again}
        />
      )}
    </section>
  );
}
