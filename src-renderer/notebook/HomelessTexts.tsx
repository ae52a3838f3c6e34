import { copyText } from '../outputs/copyText.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toast } from '../ui/toastStore.ts';
import { EDITING_WORDS } from '../words/editing.ts';
import { useSession, useView } from './context.ts';

/** Texts whose cells another person deleted and that have no new cell yet, each with the actions available for it. */
export function HomelessTexts() {
  const session = useSession();
  const texts = useView((view) => view.homeless);
  const copy = async (source: string): Promise<void> => {
    toast((await copyText(source)) ? EDITING_WORDS.homelessCopied : EDITING_WORDS.homelessNotCopied);
  };
  return texts
    .filter(({ state }) => state === 'refused')
    .map(({ cellId, name, source }) => (
      <Notice
        key={cellId}
        tone="warn"
        actions={
          <>
            <Button kind="primary" onClick={() => session.homeless.tryAgain()}>
              {EDITING_WORDS.homelessAgain}
            </Button>
            <Button onClick={() => void copy(source)}>{EDITING_WORDS.homelessCopy}</Button>
            <Button onClick={() => session.homeless.letGo(cellId)}>{EDITING_WORDS.homelessDrop}</Button>
          </>
        }
      >
        <span data-homeless={cellId}>{EDITING_WORDS.homeless(name)}</span>
      </Notice>
    ));
}
