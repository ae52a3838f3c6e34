import { expect, test } from 'vitest';
import { findStore } from './findStore.ts';

test('[WI-278] each notebook has its own find bar, and its state is restored when returning', () => {
  const find = () => findStore.getState();
  find().enter('/a');
  find().show({ replace: true, query: 'trips' });
  find().step(1);
  find().enter('/b');
  expect(find()).toMatchObject({ open: false, replacing: false, query: '', steps: { nth: 0 } });
  find().show({ replace: false, query: 'rides' });
  find().enter('/b');
  expect(find()).toMatchObject({ open: true, query: 'rides' });
  find().enter('/a');
  expect(find()).toMatchObject({ open: true, replacing: true, query: 'trips', steps: { nth: 1 } });
  find().enter('/b');
  expect(find()).toMatchObject({ open: true, query: 'rides' });
});
