/** The desktop app installs packages through the system's proxy, from a package index that only the proxy reaches. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpIndex } from '../../src-main/environment/testing/testHttpIndex.ts';
import { createTestIndex } from '../../src-main/environment/testing/testIndex.ts';
import { expect, statusOf, test } from './desktopApp.ts';

test('[DK-30] packages are fetched by the system’s proxy', async ({ person, start }) => {
  const packages = await createTestIndex();
  await packages.wheel({ name: 'apple', version: '1.0' });
  const index = await createHttpIndex(packages);
  try {
    const dir = await person.notebook('by proxy', [
      { id: 'answer', source: 'import apple\nprint(apple.VERSION)' },
    ]);
    const project = join(dir, 'pyproject.toml');
    const text = await readFile(project, 'utf8');
    await writeFile(project, text.replace('dependencies = []', 'dependencies = ["apple"]'));
    const uv = Object.fromEntries(
      Object.entries(index.behindProxy).filter(([name]) => name.startsWith('UV_')),
    ) as Record<string, string>;
    // Replaces Chromium's lookup of the system's proxy: for external hosts it returns this proxy.
    const proxy = new URL(index.proxy).host;
    const { page } = await start({ args: [`--proxy-server=${proxy}`, dir], env: uv });
    await expect(statusOf(page, 'answer')).toBeVisible();
    await page.locator('[data-cell-id=answer]').getByRole('button', { name: /^Run/ }).first().click();
    await expect(page.locator('[data-cell-id=answer]')).toContainText('1.0', { timeout: 60_000 });
    expect(index.requestCount()).toBeGreaterThan(0);
  } finally {
    await index.close();
    await packages.close();
  }
});
