/** Dialogs of the actions on an artifact version: name, tag, publish, withdraw and delete. */

import { useState } from 'react';
import type { CatalogEntry } from '../../src-shared/wire/routes/artifactCatalog.ts';
import { callRoute } from '../live/rest.ts';
import { restUrl } from '../live/serverUrls.ts';
import { useTask } from '../live/useTask.ts';
import { TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toast } from '../ui/toastStore.ts';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';

export type ArtifactDialogKind = 'name' | 'tag' | 'publish' | 'withdraw' | 'delete';

const TEXTS = {
  name: {
    title: ARTIFACT_WORDS.nameTitle,
    first: ARTIFACT_WORDS.nameField,
    second: ARTIFACT_WORDS.aliasField,
  },
  tag: { title: ARTIFACT_WORDS.tagTitle, first: ARTIFACT_WORDS.tagKey, second: ARTIFACT_WORDS.tagValue },
  publish: { title: ARTIFACT_WORDS.publishTitle, first: ARTIFACT_WORDS.publishField, second: null },
  withdraw: { title: ARTIFACT_WORDS.withdrawTitle, first: null, second: null },
  delete: { title: ARTIFACT_WORDS.deleteTitle, first: null, second: null },
} as const;

const GO: Partial<Record<ArtifactDialogKind, string>> = {
  delete: ARTIFACT_WORDS.deleteGo,
  withdraw: ARTIFACT_WORDS.withdrawGo,
};

/** The dialog of an action on an artifact version: asks for the input of the action, then performs it. */
export function ArtifactDialog(props: {
  readonly kind: ArtifactDialogKind;
  readonly entry: CatalogEntry;
  readonly onClose: () => void;
  readonly onDone: (isGone: boolean) => void;
}) {
  const { kind, entry, onClose, onDone } = props;
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [link, setLink] = useState<string | null>(null);
  const { busy, problem, run } = useTask();
  const texts = TEXTS[kind];
  const version = { artifact_id: entry.artifact_id, version: entry.version };
  const params = { artifact_id: entry.artifact_id, version: String(entry.version) };

  const act = async (signal: AbortSignal): Promise<void> => {
    switch (kind) {
      case 'name': {
        const name = first.trim();
        await callRoute('setName', { body: { name, ...version } }, { signal });
        const alias = second.trim();
        if (alias !== '') {
          const answer = await callRoute('setAlias', { params: { name, alias }, body: version }, { signal });
          if (answer.status === 'pending') toast(ARTIFACT_WORDS.pending);
        }
        break;
      }
      case 'tag':
        await callRoute('setArtifactTag', { params, body: { key: first.trim(), value: second } }, { signal });
        break;
      case 'publish': {
        const title = first.trim() === '' ? null : first.trim();
        const { url } = await callRoute('publishArtifact', { params, body: { title } }, { signal });
        onDone(false);
        if (url === null) toast(ARTIFACT_WORDS.alreadyPublished);
        else {
          setLink(restUrl(url).href);
          return;
        }
        break;
      }
      case 'withdraw': {
        const own = (await callRoute('listPublications', { query: {} }, { signal })).find(
          (one) => one.artifact_id === version.artifact_id && one.version === version.version,
        );
        if (own !== undefined) {
          await callRoute('withdrawPublication', { params: { token: own.id } }, { signal });
          toast(ARTIFACT_WORDS.withdrawn);
        }
        break;
      }
      case 'delete':
        await callRoute('deleteArtifact', { params }, { signal });
        break;
      default:
        kind satisfies never;
    }
    onClose();
    if (kind !== 'publish') onDone(kind === 'delete');
  };

  const isReady = kind === 'name' || kind === 'tag' ? first.trim() !== '' : link === null;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={texts.title}
      {...(kind === 'publish' ? { description: ARTIFACT_WORDS.publishText } : {})}
      {...(kind === 'delete' ? { description: ARTIFACT_WORDS.deleteText, danger: true } : {})}
      {...(kind === 'withdraw' ? { description: ARTIFACT_WORDS.withdrawText, danger: true } : {})}
      go={GO[kind] ?? ARTIFACT_WORDS.save}
      going={kind === 'delete' ? ARTIFACT_WORDS.deleting : ARTIFACT_WORDS.saving}
      busy={busy}
      ready={isReady}
      onSubmit={() => run(act)}
    >
      {texts.first === null || link !== null ? null : (
        <TextField
          label={texts.first}
          value={first}
          onChange={setFirst}
          {...(kind === 'name' ? { hint: ARTIFACT_WORDS.nameHint } : {})}
        />
      )}
      {texts.second === null ? null : <TextField label={texts.second} value={second} onChange={setSecond} />}
      {link === null ? null : (
        <Notice tone="info">
          {ARTIFACT_WORDS.published} <a href={link}>{link}</a>
        </Notice>
      )}
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
    </FormDialog>
  );
}
