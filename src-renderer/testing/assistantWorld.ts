/**
 * Support for tests of the assistant panel: a notebook with failed cells, opened in a window with a fake server and
 * assistant.
 */

import { FakeAssistant } from '../../e2e/support/fakeAssistant.ts';
import type { FakeServer } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import { expect, openPage, type Serve } from './fixture.ts';
import type { Page } from './page.tsx';

export const TRACE =
  'Traceback (most recent call last):\n  File "<cell a>", line 1, in <module>\nKeyError: "km"';

/** A notebook with a failed cell and one with a syntax error. */
export function notebook(more: Partial<NotebookBody> = {}): NotebookBody {
  const cells = [
    fakeCell({ id: 'a', defines: ['trips'], source: 'trips = load()', status: 'error', error: TRACE }),
    fakeCell({
      id: 'b',
      defines: ['fit'],
      source: 'fit = x +',
      annotation_diagnostics: [
        { severity: 'error', code: 'syntax_error', message: 'invalid syntax', line: 1 },
      ],
    }),
  ];
  return { ...fakeBody({ name: 'Trips', cells }), ...more };
}

export interface World {
  readonly page: Page;
  readonly fake: FakeServer;
  readonly ai: FakeAssistant;
  readonly panel: ReturnType<Page['locator']>;
  readonly field: ReturnType<Page['locator']>;
}

/** Opens a page with the panel of the assistant, over a fake server. */
export async function open(
  page: Page,
  serve: Serve,
  options: { readonly body?: NotebookBody; readonly before?: (world: World) => void } = {},
): Promise<World> {
  const { fake, url } = await serve(options.body ?? notebook());
  const ai = new FakeAssistant(fake);
  const panel = page.locator('[data-panel=assistant]');
  const world = { page, fake, ai, panel, field: panel.getByRole('textbox', { name: 'Message' }) };
  options.before?.(world);
  await openPage(page, url);
  await page.keyboard.press('Control+Shift+A');
  await expect(panel).toBeVisible();
  return world;
}

/** Types a message and sends it. */
export async function send(
  { page, field }: World,
  message: string,
  mode: 'Ask' | 'Agent' = 'Ask',
): Promise<void> {
  if (mode === 'Agent') await page.getByRole('radio', { name: 'Agent' }).click();
  await field.focus();
  await page.keyboard.type(message);
  await page.keyboard.press('Enter');
}
