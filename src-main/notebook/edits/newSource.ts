import type { Language } from '../../../src-shared/wire/cell.ts';

/** What a new cell begins with: a widget cell with a control to change (widgets-and-app-view), every other with nothing. */
export function newSourceOf(language: Language): string {
  return language === 'widget' ? 'alpha = slider(0, 1, step=0.01, default=0.5)' : '';
}
