/** Dialog that changes whether the server sends cells to an attached worker or the worker fetches them. */

import { useState } from 'react';
import type { WorkerEntry } from '../../../src-shared/wire/workers.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession } from '../../notebook/context.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { WORKER_WORDS } from '../../words/workers.ts';
import { TransportFields } from './TransportFields.tsx';
import { serverProblem, type TransportDraft, transportOf } from './workerDraft.ts';

/** Changes how cells reach an attached worker; its URL, token and other settings stay. */
export function TransportDialog(props: {
  readonly worker: WorkerEntry;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { worker, onClose, onChanged } = props;
  const { workers } = useSession();
  const changing = useTask();
  const [draft, setDraft] = useState<TransportDraft>(() => draftOf(worker));
  const problem = serverProblem(draft);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={WORKER_WORDS.changeTransport(worker.name)}
      go={WORKER_WORDS.save}
      going={WORKER_WORDS.saving}
      busy={changing.busy}
      ready={problem === null}
      onSubmit={() =>
        changing.run(async () => {
          await workers.setTransport(worker.name, transportOf(draft));
          onChanged();
          onClose();
        })
      }
    >
      <TransportFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} problem={problem} />
      {changing.problem === null ? null : <Notice tone="error">{changing.problem}</Notice>}
    </FormDialog>
  );
}

function draftOf({ config }: WorkerEntry): TransportDraft {
  const server = config['svc_url'];
  return {
    way: 'address',
    transport: config['transport'] === 'signed' ? 'signed' : 'direct',
    serverUrl: typeof server === 'string' ? server : '',
  };
}
