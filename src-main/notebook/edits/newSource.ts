import type { Language } from '../../../src-shared/wire/cell.ts';

/**
 * The initial source of a new cell: for a widget cell a sample control (widgets-and-app-view), otherwise
 * empty.
 */
export function newSourceOf(language: Language): string {
  return language === 'widget' ? 'alpha = slider(0, 1, step=0.01, default=0.5)' : '';
}
