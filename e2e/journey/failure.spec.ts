/** The error of a run in a browser, against a real server: it stays visible through edits, a reload and a restart. */

import { dirname } from 'node:path';
import { expect } from '@playwright/test';
import { editCell, openLive, statusOf, test } from '../support/realServerFixture.ts';
import { startServerProcess } from '../support/serverProcess.ts';

test('[WI-73] the error of a run stays visible through edits, a reload and a restart until it is fixed', async ({
  page,
  serveReal,
}) => {
  const { url, dir, server } = await serveReal([{ id: 'one', source: 'rides = {}\nrides["2025"]' }], {
    own: true,
  });
  await openLive(page, url);
  const card = page.locator('[data-cell-id=one]');
  const reason = card.locator('.error-summary');
  const outdatedNote = card.getByText('before the code changed');
  await card.getByRole('button', { name: /^Run cell/ }).click();
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'error');
  await expect(reason).toContainText("KeyError: '2025'");
  await expect(outdatedNote).toHaveCount(0);

  await editCell(page, 'one', 'rides = {"2025": 4}\nrides["2025"] ');
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'idle');
  await expect(outdatedNote).toBeVisible();
  await expect(reason).toContainText("KeyError: '2025'");
  await page.reload();
  await expect(outdatedNote).toBeVisible();

  await server.stop();
  const { port, storageDir } = server;
  const again = await startServerProcess({ port, storageDir, grants: [dirname(dir)] });
  try {
    await page.getByRole('button', { name: 'Reopen' }).click();
    await expect(page.locator('[data-link=live]')).toBeVisible();
    await expect(outdatedNote).toBeVisible();
    await editCell(page, 'one', 'rides = {"2025": 4}\nrides["2025"]');
    await expect(page.locator('[data-saved=true]')).toBeVisible();
    await expect(outdatedNote).toBeVisible();
    await expect(reason).toContainText("KeyError: '2025'");
    await card.getByRole('button', { name: /^Run cell/ }).click();
    await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'ready');
    await expect(reason).toHaveCount(0);
    await expect(outdatedNote).toHaveCount(0);
  } finally {
    await again.stop();
  }
});
