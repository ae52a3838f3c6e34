import { layoutStore } from '../../state/layout.ts';
import { Button } from '../../ui/Button.tsx';
import { PROMPT_WORDS } from '../../words/prompts.ts';

/** Below a prompt that failed: the panel where a model is chosen and a key is given. */
export function ModelActions() {
  return (
    <div className="error-acts">
      <Button onClick={() => layoutStore.getState().showPanel('environment')}>
        {PROMPT_WORDS.modelAndKeys}
      </Button>
    </div>
  );
}
