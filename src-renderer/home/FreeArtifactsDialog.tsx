/** Dialog of the Artifacts page that deletes the artifact versions that there is no reason to keep. */

import { callRoute } from '../live/rest.ts';
import { useTask } from '../live/useTask.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toast } from '../ui/toastStore.ts';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';
import { bytesText } from '../words/strings.ts';
import { useFreePreview } from './useFreePreview.ts';

/** The most versions listed; the number of others is shown. */
const LISTED = 20;

/** Lists versions that there is no reason to keep and that were not used within the last hour, and deletes them. */
export function FreeArtifactsDialog(props: { readonly onClose: () => void; readonly onFreed: () => void }) {
  const { onClose, onFreed } = props;
  const { preview, problem: unread } = useFreePreview();
  const { busy, problem, run } = useTask();
  const collected = preview?.collected ?? [];
  const submit = (): void =>
    run(async (signal) => {
      const query = { max_idle_days: '0', min_idle_seconds: '3600' };
      const freed = await callRoute('collectArtifacts', { query }, { signal });
      toast(ARTIFACT_WORDS.freed(freed.deleted_bytes, freed.deleted_count));
      onFreed();
      onClose();
    });
  const why = problem ?? unread;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={ARTIFACT_WORDS.freeTitle}
      description={ARTIFACT_WORDS.freeText}
      go={ARTIFACT_WORDS.freeGo(preview?.deleted_bytes ?? 0)}
      going={ARTIFACT_WORDS.freeing}
      busy={busy}
      ready={collected.length > 0}
      danger
      onSubmit={submit}
    >
      {preview !== null && collected.length === 0 ? <p>{ARTIFACT_WORDS.freeNone}</p> : null}
      {collected.length === 0 ? null : (
        <table className="artifact-groups">
          <caption>{ARTIFACT_WORDS.freeList}</caption>
          <tbody>
            {collected.slice(0, LISTED).map(({ artifact_id, version, byte_size }) => (
              <tr key={`${artifact_id} ${version}`}>
                <th scope="row">{`${artifact_id}@v=${version}`}</th>
                <td>{bytesText(byte_size)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {collected.length > LISTED ? <p>{ARTIFACT_WORDS.freeMore(collected.length - LISTED)}</p> : null}
      {why === null ? null : <Notice tone="error">{why}</Notice>}
    </FormDialog>
  );
}
