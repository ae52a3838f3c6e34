import { layoutStore } from '../../state/layout.ts';
import { Button } from '../../ui/Button.tsx';
import { PROMPT_WORDS } from '../../words/prompts.ts';

/** A button below a failed prompt that opens the panel where a model and a key are set. */
export function ModelActions() {
  return (
    <div className="error-acts">
      <Button onClick={() => layoutStore.getState().showPanel('environment')}>
        {PROMPT_WORDS.modelAndKeys}
      </Button>
    </div>
  );
}
