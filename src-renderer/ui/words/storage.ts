import { bytesText, countText } from '../strings.ts';

const results = (count: number): string => (count === 1 ? '1 result' : `${countText(count)} results`);

/** Words of what the kept results take. */
export const STORAGE_WORDS = {
  title: 'Kept results',
  none: 'Nothing is kept yet. What cells make is, from their first run on.',
  size: (bytes: number, limit: number | null): string =>
    limit === null ? bytesText(bytes) : `${bytesText(bytes)} of ${bytesText(limit)}`,
  spare: (bytes: number): string => `${bytesText(bytes)} is no longer needed`,
  bar: (bytes: number, spare: number): string =>
    `${bytesText(bytes)} kept, ${bytesText(spare)} of it no longer needed`,
  free: 'Free up space…',
  dialogTitle: 'Free up space',
  dialogText:
    'Everything the notebook shows and uses now stays. What goes can be made again by running its cells.',
  held: 'What stays, and why',
  go: (bytes: number): string => (bytes === 0 ? 'Nothing to free' : `Free ${bytesText(bytes)}`),
  going: 'Freeing…',
  freed: (bytes: number, count: number): string => `Freed ${bytesText(bytes)}: ${results(count)} removed.`,
  policy: (days: number | null, bytes: number | null): string => {
    const rules = [
      days === null ? '' : `what nobody used for ${countText(days)} days`,
      bytes === null ? '' : `the least recently used beyond ${bytesText(bytes)}`,
    ].filter((rule) => rule !== '');
    return rules.length === 0
      ? 'Nothing is removed by itself.'
      : `Of what is no longer needed, Cellar removes by itself ${rules.join(' and ')}.`;
  },
  group: (count: number, bytes: number): string => `${results(count)}, ${bytesText(bytes)}`,
  copies: 'Copies and environment',
  copy: {
    mount: 'Copies of mounts',
    fetch: 'Fetched files',
    environment: 'Environment the notebook runs with',
  },
  copyGroup: (bytes: number, spare: number): string =>
    spare === 0 ? bytesText(bytes) : `${bytesText(bytes)}, ${bytesText(spare)} named by no cell any more`,
  freedCopies: (bytes: number): string => `Freed ${bytesText(bytes)}.`,
  reason: {
    current: 'What the cells have now',
    shown: 'What is shown',
    iteration: 'Iterations of the last loops',
    restorable: 'Of deleted cells that can come back',
    input: 'What those were made from',
    recent: 'Used within the last hour',
    numbering: 'Newer than a version that stays',
    spare: 'No longer needed',
  },
} as const;
