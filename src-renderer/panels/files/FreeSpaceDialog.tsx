/** Dialog that shows which stored results are kept and why, and deletes those that are not needed. */

import type { StorageReport } from '../../../src-shared/wire/routes/extensions.ts';
import { callRoute } from '../../live/rest.ts';
import { useTask } from '../../live/useTask.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toast } from '../../ui/toastStore.ts';
import { STORAGE_WORDS } from '../../words/storage.ts';

/**
 * Shows what is kept and why, and deletes the rest: everything that is not needed and was not used within the last
 * hour.
 */
export function FreeSpaceDialog(props: {
  readonly open: boolean;
  readonly sessionId: string;
  readonly report: StorageReport;
  readonly onClose: () => void;
  readonly onFreed: () => void;
}) {
  const { open, sessionId, report, onClose, onFreed } = props;
  const { busy, problem, run, clear } = useTask();
  const close = (): void => {
    clear();
    onClose();
  };
  const submit = (): void =>
    run(async (signal) => {
      const body = { max_idle_days: 0, max_bytes: 0, dry_run: false };
      const freed = await callRoute('sweepResults', { params: { sid: sessionId }, body }, { signal });
      toast(
        freed.copies_count === 0
          ? STORAGE_WORDS.freed(freed.deleted_bytes, freed.deleted_count)
          : STORAGE_WORDS.freedCopies(freed.deleted_bytes + freed.copies_bytes),
      );
      onFreed();
      onClose();
    });
  const spare = spareOf(report);
  const groups = report.kept.filter(({ reason }) => reason !== 'spare');
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={STORAGE_WORDS.dialogTitle}
      description={STORAGE_WORDS.dialogText}
      go={STORAGE_WORDS.go(spare)}
      going={STORAGE_WORDS.going}
      busy={busy}
      ready={spare > 0}
      danger
      onSubmit={submit}
    >
      <table className="storage-groups">
        <caption>{STORAGE_WORDS.held}</caption>
        <tbody>
          {groups.map(({ reason, results, bytes }) => (
            <tr key={reason}>
              <th scope="row">{STORAGE_WORDS.reason[reason]}</th>
              <td>{STORAGE_WORDS.group(results, bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <CopyTable report={report} />
      <p className="storage-policy">{STORAGE_WORDS.policy(report.max_idle_days, report.max_bytes)}</p>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
    </FormDialog>
  );
}

/** All bytes that the button would free. */
function spareOf({ spare_bytes: results, copies }: StorageReport): number {
  return copies.reduce((sum, group) => sum + group.spare_bytes, results);
}

/** The copies stored beside the results, and how many bytes of them no cell uses. */
function CopyTable({ report }: { report: StorageReport }) {
  const groups = report.copies.filter(({ copies }) => copies > 0);
  if (groups.length === 0) return null;
  return (
    <table className="storage-groups">
      <caption>{STORAGE_WORDS.copies}</caption>
      <tbody>
        {groups.map(({ kind, bytes, spare_bytes: spare }) => (
          <tr key={kind}>
            <th scope="row">{STORAGE_WORDS.copy[kind]}</th>
            <td>{STORAGE_WORDS.copyGroup(bytes, spare)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
