/** The icon of a cell's language, and the badge with icon and word beside a cell's name. */

import {
  ChartScatter,
  CodeXml,
  Database,
  type LucideIcon,
  SlidersHorizontal,
  Sparkles,
  Type,
} from 'lucide-react';
import type { Language } from '../../src-shared/wire/cell.ts';
import { CELL_LANGUAGES } from '../state/cellLanguages.ts';

const ICON: Record<Language, LucideIcon> = {
  python: CodeXml,
  sql: Database,
  r: ChartScatter,
  prompt: Sparkles,
  widget: SlidersHorizontal,
  markdown: Type,
};

/** The icon of a cell's language. */
export function LanguageIcon({ language }: { language: Language }) {
  const Icon = ICON[language];
  return <Icon aria-hidden="true" />;
}

/** The language of a cell, beside the cell's name: icon and word. */
export function LanguageBadge({ language }: { language: Language }) {
  return (
    <span className="cell-language" data-language={language}>
      <LanguageIcon language={language} />
      {CELL_LANGUAGES[language].name}
    </span>
  );
}
