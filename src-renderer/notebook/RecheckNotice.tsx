/** Notice, shown once, about cells whose results an older release stored and that may be wrong. */

import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../words/strings.ts';
import { useViewParts } from './context.ts';

/** The storage key that records that the notice of a notebook was read. */
const keyOf = (notebook: string): string => `cellar.recheck.${notebook}`;

function wasRead(notebook: string): boolean {
  try {
    return localStorage.getItem(keyOf(notebook)) !== null;
  } catch (_forbidden) {
    return false;
  }
}

function keepRead(notebook: string): void {
  try {
    localStorage.setItem(keyOf(notebook), 'read');
  } catch (error) {
    console.warn('that the notice was read cannot be stored in this browser', error);
  }
}

/** Lists once the cells whose results an older release stored and that may be wrong. */
export function RecheckNotice() {
  const { notebook, words } = useViewParts((view) => ({
    notebook: view.model.meta?.id ?? '',
    words: view.model.meta?.recheck_notice ?? null,
  }));
  const [closed, setClosed] = useState<string | null>(null);
  if (words === null || closed === notebook || wasRead(notebook)) return null;
  const close = (): void => {
    keepRead(notebook);
    setClosed(notebook);
  };
  return (
    <Notice tone="info" actions={<Button onClick={close}>{WORDS.dismiss}</Button>}>
      <span data-recheck>{words}</span>
    </Notice>
  );
}
