import { Sparkles } from 'lucide-react';
import { askToFixError } from '../live/assistant/preparedQuestions.ts';
import { Button } from '../ui/Button.tsx';
import { ASSISTANT_WORDS } from '../words/assistant.ts';
import { useCell, useSession } from './context.ts';

/** A button below an error that opens the assistant with a message about it. Nothing is sent yet. */
export function FixWithAssistant({ cellId, error }: { cellId: string; error: string }) {
  const session = useSession();
  const isTrusted = useCell(cellId, (view) => view.model.meta?.untrusted === undefined);
  if (!isTrusted) return null;
  return (
    <div className="error-acts">
      <Button icon={<Sparkles aria-hidden="true" />} onClick={() => askToFixError(session, cellId, error)}>
        {ASSISTANT_WORDS.fix}
      </Button>
    </div>
  );
}
