import './addCell.css';
import { Plus } from 'lucide-react';
import { memo } from 'react';
import { Button } from '../ui/Button.tsx';
import { WORDS } from '../ui/strings.ts';
import { useSession } from './context.ts';

/** The thin line between two cells; on hover or focus it offers a new one. */
export const AddBetween = memo(function AddBetween({ afterId }: { afterId: string }) {
  const session = useSession();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own look and legend
    <div className="between" role="group" aria-label={WORDS.addBelow}>
      <button
        type="button"
        className="between-btn"
        onClick={() => void session.shape.addCell({ afterId, language: 'python' })}
      >
        + {WORDS.addPython}
      </button>
      <button
        type="button"
        className="between-btn"
        onClick={() => void session.shape.addCell({ afterId, language: 'markdown' })}
      >
        + {WORDS.addMarkdown}
      </button>
    </div>
  );
});

/** The ways to add a cell at the end. */
export function AddAtEnd() {
  const session = useSession();
  return (
    <div className="add-end">
      <Button
        icon={<Plus aria-hidden="true" />}
        onClick={() => void session.shape.addCell({ afterId: null, language: 'python' })}
      >
        {WORDS.addPython}
      </Button>
      <Button
        icon={<Plus aria-hidden="true" />}
        onClick={() => void session.shape.addCell({ afterId: null, language: 'markdown' })}
      >
        {WORDS.addMarkdown}
      </Button>
      <Button
        icon={<Plus aria-hidden="true" />}
        onClick={() => void session.shape.addCell({ afterId: null, language: 'widget' })}
      >
        {WORDS.addControls}
      </Button>
    </div>
  );
}
