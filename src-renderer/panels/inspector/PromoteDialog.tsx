/** Dialog that copies a cell's result into a shared artifact store ("promote"), with a name and tags. */

import { useState, useSyncExternalStore } from 'react';
import { callRoute } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { onPromoteDialog, openPromoteDialog, promotedCellId } from '../../state/promoteDialog.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toastStore.ts';
import { PROMOTE_WORDS } from '../../words/promote.ts';

/** The promotion dialog opened by a command or by the inspector. */
export function PromoteDialogHost() {
  const id = useSyncExternalStore(onPromoteDialog, promotedCellId);
  const sid = useView((view) => view.sessionId);
  const name = useView((view) => (id === null ? '' : cellName(view.model, id)));
  const uris = useView((view) => (id === null ? undefined : view.model.cells[id]?.cell.artifact_uris));
  if (id === null || uris === undefined) return null;
  return <PromoteDialog key={id} sid={sid} cell={name} uris={uris} />;
}

function PromoteDialog(props: {
  readonly sid: string;
  readonly cell: string;
  readonly uris: Readonly<Record<string, string>>;
}) {
  const { sid, cell, uris } = props;
  const variables = Object.keys(uris);
  const [variable, setVariable] = useState(variables[0] ?? '');
  const [name, setName] = useState('');
  const [alias, setAlias] = useState('');
  const [tags, setTags] = useState('');
  const { busy, problem, run } = useTask();
  const uri = uris[variable] ?? '';
  const at = /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(uri);
  const params = { sid, artifact_id: at?.[1] ?? '', version: at?.[2] ?? '' };
  const { value: preview, problem: unread } = useAnswer('previewPromotion', at === null ? null : { params }, {
    subject: uri,
    key: uri,
  });
  const close = (): void => openPromoteDialog(null);
  const submit = (): void =>
    run(async (signal) => {
      const body = { name: name.trim(), alias: alias.trim() || null, tags: tagsIn(tags) };
      const promotion = await callRoute('promoteArtifact', { params, body }, { signal });
      toast(PROMOTE_WORDS.done(body.name, promotion.copied), { tone: 'ok' });
      if (promotion.alias_pending) toast(PROMOTE_WORDS.pending);
      close();
    });
  const isSecret = preview?.versions.some(({ has_secret }) => has_secret) === true;
  const why = problem ?? unread ?? (isSecret ? PROMOTE_WORDS.refused : null);
  return (
    <FormDialog
      open
      onClose={close}
      title={PROMOTE_WORDS.title(cell)}
      description={preview === null ? PROMOTE_WORDS.needsResult : PROMOTE_WORDS.text(preview.store)}
      go={PROMOTE_WORDS.go}
      going={PROMOTE_WORDS.going}
      busy={busy}
      ready={name.trim() !== '' && preview !== null && !isSecret}
      onSubmit={submit}
    >
      {variables.length < 2 ? null : (
        <Select
          label={PROMOTE_WORDS.variable}
          value={variable}
          options={variables.map((value) => ({ value, label: value }))}
          onChange={setVariable}
        />
      )}
      <TextField label={PROMOTE_WORDS.name} hint={PROMOTE_WORDS.nameHint} value={name} onChange={setName} />
      <TextField label={PROMOTE_WORDS.alias} value={alias} onChange={setAlias} />
      <TextField label={PROMOTE_WORDS.tags} hint={PROMOTE_WORDS.tagsHint} value={tags} onChange={setTags} />
      {preview === null && unread === null && at !== null ? <Spinner label={PROMOTE_WORDS.looking} /> : null}
      {preview === null ? null : (
        <section aria-label={PROMOTE_WORDS.exposes}>
          <h3 className="text-field-label">{PROMOTE_WORDS.exposes}</h3>
          <ul>
            {preview.versions.map((one) => (
              <li key={one.artifact_uri}>
                {PROMOTE_WORDS.exposed(one.variable ?? one.cell_id, one.byte_size)}
                {one.has_source ? `, ${PROMOTE_WORDS.withSource}` : ''}
                {one.has_secret ? ` – ${PROMOTE_WORDS.secret}` : ''}
              </li>
            ))}
          </ul>
        </section>
      )}
      {why === null ? null : <Notice tone="error">{why}</Notice>}
    </FormDialog>
  );
}

/** Parses `stage=gold, team=data` into keys and values; a part without `=` has an empty value. */
function tagsIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((part) => {
    const [key = '', ...value] = part.split('=');
    return key.trim() === '' ? [] : [[key.trim(), value.join('=').trim()] as const];
  });
  return Object.fromEntries(pairs);
}
