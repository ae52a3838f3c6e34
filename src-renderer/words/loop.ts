import { clockText, countText } from './strings.ts';

/** UI texts of loops: how far one is, and its iterations. */
export const LOOP_WORDS = {
  ofLoop: (name: string): string => `Iterations of ${name}`,
  look: 'Show iterations',
  hide: 'Hide iterations',
  /** `3 of 100`, `3 of at most 100`. */
  done: (finished: number, max: number, hasUntil: boolean): string =>
    `${countText(finished)} of ${hasUntil ? 'at most ' : ''}${countText(max)}`,
  left: (ms: number, hasUntil: boolean): string => `${hasUntil ? 'at most' : 'about'} ${clockText(ms)} left`,
  progress: 'Iterations done',
  none: 'No finished iterations yet.',
  pick: 'Iteration',
  picked: (iteration: number, count: number): string =>
    `Iteration ${countText(iteration)}${count === 1 ? '' : ` (0 to ${countText(count - 1)})`}`,
  previous: 'Previous iteration',
  next: 'Next iteration',
  ended: 'stop condition met',
  carried: (name: string): string => `${name} after this iteration`,
  shown: 'Output',
  printed: 'Console',
  startHere: 'Continue from here in a new cell',
  startHint: (iteration: number): string =>
    `Adds a loop below that starts with the values after iteration ${iteration}`,
  needsLoop: 'the cell is not a loop',
  loop: 'Loop',
  facts: (carry: string, max: number, until: string | null): string =>
    until === null
      ? `${carry}, ${countText(max)} ${max === 1 ? 'time' : 'times'}`
      : `${carry}, until ${until}, at most ${countText(max)} ${max === 1 ? 'time' : 'times'}`,
  running: (done: string): string => `${done} iterations done.`,
} as const;
