import { useEffect } from 'react';
import { useSession } from '../../notebook/context.ts';
import { isShown, layoutStore } from '../../state/layout.ts';
import { toast } from '../../ui/toastStore.ts';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';

/**
 * Shows a message when the assistant waits for an answer in a panel that is not visible, with a button that shows it.
 */
export function useQuestionToast(): void {
  const { assistant } = useSession();
  useEffect(() => {
    let announcedId: string | null = null;
    let dismiss = (): void => undefined;
    return assistant.store.subscribe(({ turns, view }) => {
      const request = turns.at(-1)?.question?.request ?? null;
      if ((request?.request_id ?? null) === announcedId) return;
      announcedId = request?.request_id ?? null;
      dismiss();
      const isSeen = isShown(layoutStore.getState(), 'assistant') && view === 'talk';
      if (request === null || isSeen) return;
      const show = (): void => {
        layoutStore.getState().showPanel('assistant');
        assistant.focus();
      };
      dismiss = toast(W.asks(request.summary), { action: { label: W.show, run: show } });
    });
  }, [assistant]);
}
