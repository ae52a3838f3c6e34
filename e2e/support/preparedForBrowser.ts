import { setup, teardown } from './preparedEnvironment.ts';

/** Playwright calls it before the first test, and what it returns after the last. */
// biome-ignore lint/style/noDefaultExport: Playwright takes a set-up file's default export
export default async function prepare(): Promise<() => Promise<void>> {
  await setup();
  return teardown;
}
