import { expect, it } from 'vitest';
import { createDoor } from './door.ts';

it('[RC-11] requests keep their order behind an edit that waits; a stop overtakes them', async () => {
  const door = createDoor();
  const order: string[] = [];
  const went = (name: string) => () => void order.push(name);
  let open = () => {};
  const learned = new Promise<void>((resolve) => {
    open = resolve;
  });
  door.enter(null, went('before'));
  door.enter(learned, went('edit'));
  door.enter(null, went('run'));
  door.enter(Promise.resolve(), went('second edit'));
  door.enter('now', went('stop'));
  expect(order).toEqual(['before', 'stop']);
  open();
  await expect.poll(() => order).toEqual(['before', 'stop', 'edit', 'run', 'second edit']);
  door.enter(null, went('after'));
  expect(order.at(-1)).toBe('after');
});
