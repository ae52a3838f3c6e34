/**
 * Tests a job of the assistant in a browser, by keyboard alone, with a real server and a fake AI provider: it plots
 * data, asks for confirmation before each step, and reads the figure.
 */

import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type AiReply, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openLive, test } from '../support/realServerFixture.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

/** A cell that reads the data of the penguins example without packages. */
const LOAD = `import csv
from collections import Counter

with open("data/penguins.csv") as file:
    birds = Counter(row["island"] for row in csv.DictReader(file))
birds`;
/** A cell that draws a bar chart without a library, so that the notebook needs no packages. */
const PLOT = `import struct, zlib

class Bars:
    def __init__(self, counts):
        self.counts = counts

    def _repr_png_(self):
        wide, high, top = 60, 120, max(self.counts.values())
        rows = b""
        for y in range(high):
            bars = [b"\\x30\\x60\\xc0" if (high - y) * top <= n * high else b"\\xff\\xff\\xff" for n in self.counts.values()]
            rows += b"\\0" + b"".join(colour * wide for colour in bars)
        def part(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        head = struct.pack(">IIBBBBB", wide * len(self.counts), high, 8, 2, 0, 0, 0)
        return b"\\x89PNG\\r\\n\\x1a\\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")

chart = Bars(birds)
chart`;

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Moves to a button by Tab and presses Enter. */
async function press(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true });
  for (let tries = 0; tries < 20; tries += 1) {
    if (await wanted.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
  await page.keyboard.press('Enter');
}

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });

test(
  '[AG-74, AG-109] a job draws a chart, each step is confirmed, and the model gets the figure, by keyboard alone',
  longOnly('src-renderer/panels/assistant/assistantJobs.test.tsx', 'e2e/contract/aiAgent.test.ts'),
  async ({ page, serveReal }) => {
    const ai = await startAiServer();
    const env = {
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'server-key-0123456789',
      SVC_AI_MODEL: 'small-1',
    };
    const { url } = await serveReal([], {
      server: { env },
      async folder(root) {
        const dir = await writeNotebook(join(root, 'penguins'), {
          cells: [{ id: 'load0001', source: LOAD }],
        });
        await mkdir(join(dir, 'data'));
        const from = join(PROJECT_ROOT, 'examples/penguins/data/penguins.csv');
        await cp(from, join(dir, 'data/penguins.csv'));
        return dir;
      },
    });
    const replies: readonly AiReply[] = [
      {
        kind: 'tools',
        text: '',
        calls: [call('c1', 'create_cell', { source: PLOT, after_variable: 'birds' })],
      },
      { kind: 'tools', text: '', calls: [call('c2', 'run_cell', { variable_name: 'chart' })] },
      { kind: 'tools', text: '', calls: [call('c3', 'look_at_figure', { variable_name: 'chart' })] },
      { kind: 'text', text: 'Biscoe has most birds.' },
    ];
    ai.next(...replies);
    await openLive(page, url);
    const panel = page.locator('[data-panel=assistant]');
    await page.keyboard.press('Control+Shift+A');
    await expect(panel.getByRole('textbox', { name: 'Message' })).toBeFocused();
    // The choice of Ask or Agent precedes the field in the tab order.
    const agent = panel.getByRole('radio', { name: 'Agent' });
    for (let tries = 0; tries < 20; tries += 1) {
      await page.keyboard.press('Shift+Tab');
      if (await panel.getByRole('radio', { name: 'Ask' }).evaluate((one) => one === document.activeElement))
        break;
    }
    await page.keyboard.press('ArrowRight');
    await expect(agent).toBeChecked();
    for (const _ of [1, 2]) await page.keyboard.press('Control+Shift+A');
    await expect(panel.getByRole('textbox', { name: 'Message' })).toBeFocused();
    await page.keyboard.insertText('Plot the birds by island');
    await page.keyboard.press('Enter');

    const adding = panel.getByRole('group', { name: /Add a python cell after birds/ });
    await expect(adding).toBeFocused();
    await expect(adding).toContainText('class Bars');
    await expectAccessible(page, { only: '[data-panel=assistant]' });
    await shoot(page, 'plot-question');
    await press(page, 'Allow');
    const running = panel.getByRole('group', { name: /Run cell chart/ });
    await expect(running).toBeVisible();
    await running.focus();
    await press(page, 'Allow');
    await expect(panel).toContainText('Biscoe has most birds.');
    await expect(panel).toContainText('Looked at the figure of chart');
    await expect(page.locator('[data-results] img').last()).toBeVisible();
    // The figure was sent to the model.
    const last = JSON.stringify(ai.asked.at(-1)?.body?.messages.at(-1));
    expect(last).toContain('data:image/png;base64,');
    await expectAccessible(page, { only: '[data-panel=assistant]' });
    await shoot(page, 'plot-done');
    await ai.close();
  },
);
