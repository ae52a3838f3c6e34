import { copyText } from '../outputs/copyText.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toast } from '../ui/toastStore.ts';
import { EDITING_WORDS } from '../words/editing.ts';
import { useSession, useView } from './context.ts';

/**
 * Lists texts that were typed into cells deleted elsewhere and that have no new cell yet, each with buttons to move,
 * copy or discard it.
 */
export function OrphanTexts() {
  const session = useSession();
  const texts = useView((view) => view.orphanTexts);
  const copy = async (source: string): Promise<void> => {
    toast((await copyText(source)) ? EDITING_WORDS.orphanCopied : EDITING_WORDS.orphanNotCopied);
  };
  return texts
    .filter(({ state }) => state === 'refused')
    .map(({ cellId, name, source }) => (
      <Notice
        key={cellId}
        tone="warn"
        actions={
          <>
            <Button kind="primary" onClick={() => session.orphanTexts.tryAgain()}>
              {EDITING_WORDS.orphanToNewCell}
            </Button>
            <Button onClick={() => void copy(source)}>{EDITING_WORDS.orphanCopy}</Button>
            <Button onClick={() => session.orphanTexts.discard(cellId)}>{EDITING_WORDS.orphanDiscard}</Button>
          </>
        }
      >
        <span data-orphan={cellId}>{EDITING_WORDS.orphanTexts(name)}</span>
      </Notice>
    ));
}
