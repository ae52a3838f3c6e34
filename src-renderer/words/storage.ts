/** UI texts about stored results: their size, how to free space, and the reasons why results are kept. */

import { bytesText, countText } from './strings.ts';

const results = (count: number): string => (count === 1 ? '1 result' : `${countText(count)} results`);

export const STORAGE_WORDS = {
  title: 'Stored results',
  none: 'No results stored yet. A cell’s results are stored when it runs.',
  size: (bytes: number, limit: number | null): string =>
    limit === null ? bytesText(bytes) : `${bytesText(bytes)} of ${bytesText(limit)}`,
  spare: (bytes: number): string => `${bytesText(bytes)} no longer needed`,
  bar: (bytes: number, spare: number): string =>
    `${bytesText(bytes)} stored, ${bytesText(spare)} no longer needed`,
  free: 'Free up space…',
  dialogTitle: 'Free up space',
  dialogText:
    'Deletes results that the notebook no longer shows or uses. You can compute them again by running their cells.',
  held: 'What is kept, and why',
  go: (bytes: number): string => (bytes === 0 ? 'Nothing to free' : `Free ${bytesText(bytes)}`),
  going: 'Freeing…',
  freed: (bytes: number, count: number): string => `Freed ${bytesText(bytes)}: ${results(count)} deleted.`,
  policy: (days: number | null, bytes: number | null): string => {
    const rules = [
      days === null ? '' : `after ${countText(days)} days`,
      bytes === null ? '' : `above ${bytesText(bytes)} in total, least recently used first`,
    ].filter((rule) => rule !== '');
    return rules.length === 0
      ? 'Unused results are not deleted automatically.'
      : `Unused results are deleted ${rules.join(' and ')}.`;
  },
  group: (count: number, bytes: number): string => `${results(count)}, ${bytesText(bytes)}`,
  copies: 'Copies and environment',
  copy: {
    mount: 'Copies of mounts',
    fetch: 'Downloaded files',
    environment: 'Notebook environment',
  },
  copyGroup: (bytes: number, spare: number): string =>
    spare === 0 ? bytesText(bytes) : `${bytesText(bytes)}, ${bytesText(spare)} no longer used by any cell`,
  freedCopies: (bytes: number): string => `Freed ${bytesText(bytes)}.`,
  reason: {
    current: 'Current results of cells',
    shown: 'Shown in the notebook',
    iteration: 'Iterations of the latest loop runs',
    restorable: 'Results of deleted cells that can be restored',
    input: 'Inputs of these results',
    recent: 'Used within the last hour',
    numbering: 'Newer than a version that is kept',
    spare: 'No longer needed',
  },
} as const;
