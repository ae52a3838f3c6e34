/** Buttons that add a cell between two cells or at the end. */

import './addCell.css';
import { ChevronDown, Plus } from 'lucide-react';
import { memo } from 'react';
import { LanguageIcon } from '../editor/LanguageMark.tsx';
import type { NotebookSession } from '../live/notebookSession.ts';
import { CELL_LANGUAGES, OTHER_LANGUAGES } from '../state/cellLanguages.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Menu, type MenuItems } from '../ui/Menu.tsx';
import { WORDS } from '../words/strings.ts';
import { useSession } from './context.ts';

/** The thin line between two cells, which shows an add button while it is hovered or has the focus. */
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
      <Menu
        label={WORDS.addOther}
        items={otherLanguages(session, afterId)}
        trigger={
          <button type="button" className="between-btn" aria-label={WORDS.addOther}>
            <ChevronDown aria-hidden="true" />
          </button>
        }
      />
    </div>
  );
});

/** Buttons that add a cell at the end. */
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
      <Menu
        label={WORDS.addOther}
        items={otherLanguages(session, null)}
        trigger={
          <IconButton label={WORDS.addOther}>
            <ChevronDown aria-hidden="true" />
          </IconButton>
        }
      />
    </div>
  );
}

function otherLanguages(session: NotebookSession, afterId: string | null): MenuItems {
  return OTHER_LANGUAGES.map((language) => ({
    kind: 'item',
    label: CELL_LANGUAGES[language].name,
    icon: <LanguageIcon language={language} />,
    onSelect: () => void session.shape.addCell({ afterId, language }),
  }));
}
