import { describe, expect, it } from 'vitest';
import { AskThread } from './askThread.ts';

const code = `
function answer(question) {
  if (question === 'end') process.exit(3);
  if (question === 'fail') throw Object.assign(new Error('no such thing'), { code: 'ENOENT' });
  return question * 2;
}`;
const thread = () => new AskThread<number | 'end' | 'fail', number>({ name: 'doubling', code });

describe('a thread that answers requests', () => {
  it('returns to each request its own reply', async () => {
    const one = thread();
    expect(await Promise.all([1, 2, 3].map((n) => one.ask(n)))).toEqual([2, 4, 6]);
  });

  it('passes a failure on with its code, and continues', async () => {
    const one = thread();
    await expect(one.ask('fail')).rejects.toMatchObject({ message: 'no such thing', code: 'ENOENT' });
    expect(await one.ask(4)).toBe(8);
  });

  it('that ends fails all waiting callers with a message, and is started again for the next', async () => {
    const one = thread();
    const lost = await Promise.allSettled([one.ask('end'), one.ask(5)]);
    expect(lost.map((each) => each.status === 'rejected' && String(each.reason))).toEqual([
      'Error: the doubling thread ended (3)',
      'Error: the doubling thread ended (3)',
    ]);
    expect(await one.ask(5)).toBe(10);
  });
});
