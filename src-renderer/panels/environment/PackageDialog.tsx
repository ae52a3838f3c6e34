import { useEffect, useState } from 'react';
import { beginWish, type PackagePreview, type PackageWish, previewWish } from '../../live/packages.ts';
import { useTask } from '../../live/useTask.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { PACKAGE_WORDS } from '../../ui/words/packages.ts';

type Change = PackagePreview['changes'][number];

/** Shows what a wish would change before it is done. */
export function PackageDialog({
  sid,
  wish,
  onClose,
}: {
  sid: string;
  wish: PackageWish;
  onClose: (done: boolean) => void;
}) {
  const looking = useTask();
  const beginning = useTask();
  const [preview, setPreview] = useState<PackagePreview | null>(null);
  const { run: look } = looking;
  useEffect(() => {
    look(async (signal) => setPreview(await previewWish(sid, wish, signal)));
  }, [look, sid, wish]);
  const problem = looking.problem ?? beginning.problem ?? preview?.problem ?? null;
  return (
    <FormDialog
      open
      onClose={() => onClose(false)}
      title={titleOf(wish)}
      go={PACKAGE_WORDS.apply}
      going={PACKAGE_WORDS.applying}
      busy={beginning.busy}
      ready={preview !== null && preview.problem === null}
      onSubmit={() =>
        beginning.run(async () => {
          await beginWish(sid, wish);
          onClose(true);
        })
      }
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {looking.busy ? <Spinner label={PACKAGE_WORDS.looking} /> : null}
      {preview === null || preview.problem !== null ? null : <Changes changes={preview.changes} />}
    </FormDialog>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="panel-quiet">{PACKAGE_WORDS.nothing}</p>;
  const bytes = changes.reduce((sum, change) => sum + (change.bytes ?? 0), 0);
  return (
    <>
      <ul className="plain-list package-changes" aria-label={PACKAGE_WORDS.changes}>
        {changes.map((change) => (
          <li key={change.name} data-change={change.name}>
            <code>{change.name}</code>
            <span className={change.to === null ? 'tone-error' : 'tone-quiet'}>{wordsOf(change)}</span>
          </li>
        ))}
      </ul>
      {bytes === 0 ? null : <p className="panel-quiet">{PACKAGE_WORDS.fetch(bytes)}</p>}
      <p className="panel-quiet">{PACKAGE_WORDS.stays}</p>
    </>
  );
}

function wordsOf({ from, to }: Change): string {
  if (from === null) return PACKAGE_WORDS.comes(to ?? '');
  return to === null ? PACKAGE_WORDS.goes(from) : PACKAGE_WORDS.moves(from, to);
}

function titleOf(wish: PackageWish): string {
  switch (wish.kind) {
    case 'add':
      return PACKAGE_WORDS.addTitle(wish.requirement);
    case 'remove':
      return PACKAGE_WORDS.removeTitle(wish.name);
    case 'python':
      return PACKAGE_WORDS.pythonTitle(wish.minor);
  }
}
