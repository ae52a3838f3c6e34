import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, storeBefore, test } from '../support/fakeServerFixture.ts';
import { fakeBody } from '../support/fakeServerNotebook.ts';
import { longUnless } from '../support/longOnly.ts';

// axe checks a long page several times in each test, which takes long.

const LOOKS = {
  light: { theme: 'light' },
  dark: { theme: 'dark' },
  'high contrast': { theme: 'light', contrast: 'more' },
  'dark, high contrast': { theme: 'dark', contrast: 'more' },
};

async function goToGallery(page: Page, url: string, preferences: object): Promise<void> {
  await storeBefore(page, url, { 'cellar.preferences': JSON.stringify(preferences) });
  await page.goto(`${new URL(url).origin}/#/gallery`);
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeAttached();
}

for (const [name, preferences] of Object.entries(LOOKS)) {
  test(
    `every primitive in every state is accessible: ${name}`,
    // src-renderer/theme/tokens.test.ts tests the contrast of the colours in every theme.
    longUnless(name === 'light', 'e2e/app/gallery.spec.ts'),
    async ({ page, serve }) => {
      const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
      await goToGallery(page, url, preferences);
      const coloursOnly = name !== 'light';
      await expectAccessible(page, { coloursOnly });
      await page.getByRole('button', { name: 'Actions' }).click();
      await expect(page.getByRole('menu', { name: 'Actions' })).toBeVisible();
      await expectAccessible(page, { coloursOnly });
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Python' }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await expectAccessible(page, { coloursOnly });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'error', exact: true }).click();
      await page.getByRole('button', { name: 'Dialog m' }).click();
      await expect(page.getByRole('dialog', { name: 'Attach worker' })).toBeVisible();
      await expectAccessible(page, { coloursOnly });
    },
  );
}

test('menus, tabs, selects and dialogs work with the keyboard, and return the focus', async ({
  page,
  serve,
}) => {
  const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
  await goToGallery(page, url, { theme: 'light' });
  const actions = page.getByRole('button', { name: 'Actions' });
  await actions.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('d');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  // The key skips the disabled entry.
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Run on' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('menuitem', { name: 'this computer' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(actions).toBeFocused();

  const opener = page.getByRole('button', { name: 'Dialog s' });
  await opener.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Address' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  await page.getByRole('tab', { name: 'Rows' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tabpanel')).toHaveText('Summary.');

  await page.getByRole('combobox', { name: 'Python' }).press('Enter');
  await expect(page.getByRole('option', { name: '3.13' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('option', { name: '3.12' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Python' })).toHaveText('3.12');

  await page.getByRole('button', { name: 'Press the right mouse button' }).click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Wide column' }).click();
  await page.getByRole('button', { name: 'Press the right mouse button' }).click({ button: 'right' });
  await expect(page.getByRole('menuitemcheckbox', { name: 'Wide column' })).not.toBeChecked();
});

test('a tooltip opens on hover and focus, shows its shortcut, and closes with Escape', async ({
  page,
  serve,
}) => {
  const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
  await goToGallery(page, url, { theme: 'light' });
  const button = page.getByRole('button', { name: 'Rest here' });
  // Scrolling closes a tooltip, so the button is scrolled into view first.
  await button.scrollIntoViewIfNeeded();
  await button.hover();
  const tip = page.getByRole('tooltip');
  await expect(tip).toContainText('Runs the cell and goes to the next');
  await expect(tip).toContainText('Shift+Enter');
  await expect(button).toHaveAttribute('aria-describedby', 'tooltip');
  // The tooltip stays open while the pointer is on it.
  await tip.hover();
  await expect(tip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await page.getByRole('button', { name: 'Dialog l' }).focus();
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await expect(tip).toBeVisible();
  await expect(button).not.toHaveAttribute('title', /./);
});

test('a toast’s button works, and the same toast is not shown twice', async ({ page, serve }) => {
  const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
  await goToGallery(page, url, { theme: 'light' });
  await page.getByRole('button', { name: 'ok', exact: true }).click();
  await page.getByRole('button', { name: 'ok', exact: true }).click();
  await page.getByRole('button', { name: 'warn', exact: true }).click();
  await expect(page.locator('.toast')).toHaveText([/A message, ok/, /A message, warn/]);
  await page.locator('.toast').first().getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.toast')).toHaveText([/A message, warn/]);
  await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.locator('.toast')).toHaveCount(0);
});
