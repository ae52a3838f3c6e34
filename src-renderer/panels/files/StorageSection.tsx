/** The section of the Files panel with the size of the notebook's stored results. */

import './storage.css';
import { HardDrive } from 'lucide-react';
import { useState } from 'react';
import type { StorageReport } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { STORAGE_WORDS } from '../../words/storage.ts';
import { FreeSpaceDialog } from './FreeSpaceDialog.tsx';

/** The size of the notebook's stored results, how much of it is needed, and a button that frees the rest. */
export function StorageSection() {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const running = useView(({ model }) =>
    model.order.some((id) => model.cells[id]?.cell.status === 'running'),
  );
  const { value, problem, again } = useAnswer(
    'resultStorage',
    live ? { params: { sid: sessionId } } : null,
    // Reloaded when runs end, because they store results.
    { subject: sessionId, key: `${running}` },
  );
  const [asking, setAsking] = useState(false);
  if (value === null && problem === null) return null;
  return (
    <section className="panel-section storage" aria-label={STORAGE_WORDS.title}>
      <h3>{STORAGE_WORDS.title}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value === null ? null : value.store_bytes === 0 &&
        value.copies.every(({ kind, bytes }) => kind === 'environment' || bytes === 0) ? (
        <p className="panel-quiet">{STORAGE_WORDS.none}</p>
      ) : (
        <>
          <StorageBar report={value} />
          <p className="storage-words">
            {STORAGE_WORDS.size(value.store_bytes, value.max_bytes)}
            {value.spare_bytes === 0 ? null : <> · {STORAGE_WORDS.spare(value.spare_bytes)}</>}
          </p>
          <Button
            icon={<HardDrive aria-hidden="true" />}
            disabled={running || !live}
            onClick={() => setAsking(true)}
          >
            {STORAGE_WORDS.free}
          </Button>
          <FreeSpaceDialog
            open={asking}
            sessionId={sessionId}
            report={value}
            onClose={() => setAsking(false)}
            onFreed={again}
          />
        </>
      )}
    </section>
  );
}

/** How much of the store's limit is used: needed results first, then the others. */
function StorageBar({ report }: { report: StorageReport }) {
  const { store_bytes: bytes, spare_bytes: spare, max_bytes: limit } = report;
  const whole = Math.max(bytes, limit ?? 0, 1);
  const share = (part: number) => ({ flexBasis: `${(100 * part) / whole}%` });
  return (
    <div className="storage-bar" role="img" aria-label={STORAGE_WORDS.bar(bytes, spare)}>
      {bytes > spare ? <span className="storage-needed" style={share(bytes - spare)} /> : null}
      {spare > 0 ? <span className="storage-spare" style={share(spare)} /> : null}
    </div>
  );
}
