import { expect, test } from 'vitest';
import { createFolderDeadline } from './folderDeadline.ts';

const never = (): Promise<never> => new Promise(() => undefined);

test('[SG-48] a folder that does not answer is refused after a timeout, and immediately while it is still being read', async () => {
  const { within } = createFolderDeadline(20);
  expect(await within('/good', async () => 'there')).toBe('there');
  await expect(within('/good', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  let answer: (found: string) => void = () => undefined;
  const late = within('/slow', () => new Promise<string>((resolve) => (answer = resolve)));
  await expect(late).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is not responding'),
  });
  let requestCount = 0;
  const count = async (): Promise<void> => {
    requestCount += 1;
  };
  await expect(within('/slow', count)).rejects.toThrow('is not responding');
  expect(requestCount).toBe(0);
  // Other folders are served as long as threads are available.
  await within('/good', count);
  await expect(within('/dead', never)).rejects.toThrow('is not responding');
  await expect(within('/good', count)).rejects.toThrow('Another folder is not responding:');
  answer('after all');
  await expect.poll(() => within('/slow', count)).toBeUndefined();
  expect(requestCount).toBe(2);
});
