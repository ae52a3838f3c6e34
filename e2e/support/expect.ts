/** Playwright's `expect` with more frequent polls. */

import { expect as base } from '@playwright/test';

/** Waits between the attempts of a poll, in ms. Playwright's grow to a second, most of which would be wasted. */
const INTERVALS = [50, 50, 100, 100, 200];

type Poll = (typeof base)['poll'];

const poll = ((actual: Parameters<Poll>[0], options?: Parameters<Poll>[1]) =>
  base.poll(actual, {
    intervals: INTERVALS,
    ...(typeof options === 'string' ? { message: options } : options),
  })) as Poll;

/** Playwright's `expect`, whose `expect.poll` waits for at most 0.2 s between attempts. */
export const expect = new Proxy(base, {
  get: (target, name, receiver) => (name === 'poll' ? poll : Reflect.get(target, name, receiver)),
});
