import { createTestIndex, indexSettings } from '../../src-main/environment/testing/testIndex.ts';
import { test as base } from './realServerFixture.ts';

/** Playwright fixture: a folder of tiny packages, and the server settings that point to it. */
export const test = base.extend<{ packages: Readonly<Record<string, string>> }>({
  // Playwright requires a destructured first argument, also if no fixture is used.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  packages: async ({}, use) => {
    const index = await createTestIndex();
    await index.wheel({ name: 'apple', version: '1.0' });
    await index.wheel({ name: 'apple', version: '2.0' });
    await index.wheel({ name: 'pear', version: '1.0' });
    await index.wheel({ name: 'pyyaml', version: '6.0', module: 'yaml' });
    await index.wheel({ name: 'numpy', version: '2.0' });
    await index.wheel({ name: 'pandas', version: '2.2', requires: ['numpy>=1.26'] });
    await use(indexSettings(index));
    await index.close();
  },
});
