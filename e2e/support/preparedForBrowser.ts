import { setup, teardown } from './preparedEnvironment.ts';

/** Playwright calls this function before the first test, and the returned function after the last one. */
// biome-ignore lint/style/noDefaultExport: Playwright uses the default export of a set-up file
export default async function prepare(): Promise<() => Promise<void>> {
  await setup();
  return teardown;
}
