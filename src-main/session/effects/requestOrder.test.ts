import { expect, it } from 'vitest';
import { createRequestOrder } from './requestOrder.ts';

it('[RC-11] requests keep their order after an edit that waits; a stop overtakes them', async () => {
  const requestOrder = createRequestOrder();
  const order: string[] = [];
  const went = (name: string) => () => void order.push(name);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  requestOrder.enter(null, went('before'));
  requestOrder.enter(gate, went('edit'));
  requestOrder.enter(null, went('run'));
  requestOrder.enter(Promise.resolve(), went('second edit'));
  requestOrder.enter('now', went('stop'));
  expect(order).toEqual(['before', 'stop']);
  open();
  await expect.poll(() => order).toEqual(['before', 'stop', 'edit', 'run', 'second edit']);
  requestOrder.enter(null, went('after'));
  expect(order.at(-1)).toBe('after');
});
