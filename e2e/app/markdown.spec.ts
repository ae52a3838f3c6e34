/**
 * Markdown cells in a browser: formulas, tasks, footnotes, diagrams, links to cells, and hostile text that must neither
 * run code nor load anything. Against a fake server.
 */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longOnly } from '../support/longOnly.ts';

const text = (id: string, source: string) => fakeCell({ id, language: 'markdown', source, status: 'ready' });
const notebook = (source: string) =>
  fakeBody({
    name: 'Text',
    cells: [text('t', source), fakeCell({ id: 'code', source: 'x = 1', defines: ['x'] })],
  });

/** Records what the page's policy blocks, and requests to other hosts. */
async function watchPage(page: Page): Promise<{ readonly refused: string[]; readonly external: string[] }> {
  const refused: string[] = [];
  const requests: string[] = [];
  await page.exposeFunction('noteRefused', (words: string) => refused.push(words));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      (window as unknown as { noteRefused: (words: string) => void }).noteRefused(
        `${event.violatedDirective} ${event.blockedURI}`,
      ),
    );
  });
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1|data:|blob:)/.test(request.url())) requests.push(request.url());
  });
  return { refused, external: requests };
}

/** Violations other than two attempts to compile code, which libraries try and do not need. */
function beyondProbes(refused: readonly string[]): readonly string[] {
  const others = refused.filter((words) => words !== 'script-src eval');
  return refused.length - others.length <= 2 ? others : refused;
}

test('[WI-170] done and open tasks have their check boxes at the same height', async ({ page, serve }) => {
  const { url } = await serve(notebook('- [ ] open\n- [x] done'));
  await openPage(page, url);
  const heights = page
    .locator('.task')
    .evaluateAll((tasks) =>
      tasks.map(
        (task) =>
          (task.querySelector('.task-mark')?.getBoundingClientRect().top ?? 0) -
          task.getBoundingClientRect().top,
      ),
    );
  const [open, done] = await heights;
  expect(done).toBe(open);
});

test('[WI-170] formulas, tasks and footnotes are rendered', async ({ page, serve }) => {
  const reports = await watchPage(page);
  const source = [
    'Euler: $e^{i\\pi} + 1 = 0$, and it costs $5 or $6 a day.',
    '$$\n\\int_0^1 x^2\\,dx = \\frac{1}{3}\n$$',
    '- [x] bread\n- [ ] milk\n- a plain one',
    'A claim[^1].\n\n[^1]: Its ground.',
    'A broken one: $\\frac{1}$',
  ].join('\n\n');
  const { url } = await serve(notebook(source));
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=t] .markdown');
  await expect(cell.locator('.katex')).toHaveCount(2);
  await expect(cell.locator('.katex-display')).toHaveCount(1);
  await expect(cell).toContainText('it costs $5 or $6 a day');
  await expect(cell.getByRole('img', { name: 'done' })).toHaveCount(1);
  await expect(cell.getByRole('img', { name: 'to do' })).toHaveCount(1);
  await expect(cell.locator('.math-wrong')).toContainText('render this formula');
  await cell.locator('.footnote-ref a').click();
  await expect(cell.locator('.footnotes')).toContainText('Its ground.');
  await expect(cell.locator('.footnotes')).toBeInViewport();
  expect(new URL(page.url()).hash).toContain('#/notebook/');
  const font = await page.evaluate(async () => (await document.fonts.load('16px KaTeX_Main')).length);
  expect(font).toBeGreaterThan(0);
  expect({ ...reports, refused: beyondProbes(reports.refused) }).toEqual({ refused: [], external: [] });
});

test('[WI-171] diagrams are images, in the colours of the page; an invalid one shows an error', async ({
  page,
  serve,
}) => {
  const reports = await watchPage(page);
  const source =
    '```mermaid\nflowchart LR\n  A[Start] --> B[End]\n```\n\n```mermaid\nflowchart LR\n  A[[[ --> \n```';
  const { url } = await serve(notebook(source));
  await page.emulateMedia({ colorScheme: 'light' });
  await openPage(page, url);
  const picture = page.getByRole('img', { name: /^Diagram: flowchart LR A\[Start\]/ });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(50);
  await expect(page.locator('.diagram-why')).toContainText('Couldn’t render this diagram.');
  const light = await picture.getAttribute('src');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(picture).not.toHaveAttribute('src', light ?? '');
  expect({ ...reports, refused: beyondProbes(reports.refused) }).toEqual({ refused: [], external: [] });
});

test(
  '[WI-171] a diagram is drawn completely with reduced motion',
  longOnly('e2e/app/markdown.spec.ts'),
  async ({ page, serve }) => {
    const { url } = await serve(notebook('```mermaid\nflowchart LR\n  A --> B --> C\n```'));
    const picture = page.getByRole('img', { name: /^Diagram: flowchart LR A/ });
    const drawn: (string | null)[] = [];
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion });
      await openPage(page, url);
      await page.reload();
      drawn.push(await picture.getAttribute('src'));
    }
    expect(drawn[1]).toBe(drawn[0]);
  },
);

test('[WI-172] a link goes to a cell by its name or id, and reports a missing one', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook('[by name](#x) [for certain](#cell:code) [nowhere](#cell:nobody)'));
  await openPage(page, url);
  const code = page.locator('[data-cell-id=code]');
  for (const link of ['by name', 'for certain']) {
    await page.locator('[data-cell-id=t]').click();
    await expect(code).not.toHaveAttribute('aria-current', 'true');
    await page.getByRole('link', { name: link }).click();
    await expect(code).toBeFocused();
  }
  await page.getByRole('link', { name: 'nowhere' }).click();
  await expect(page.getByText('No cell or heading named “nobody”').first()).toBeVisible();
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ['a script', '<script>window.hit = 1</script><img src=x onerror="window.hit = 1">'],
  ['links with scripts', '[a](javascript:window.hit=1) <javascript:window.hit=1> [b](data:text/html,x)'],
  ['a formula with a link', '$\\href{javascript:window.hit=1}{x}$ $\\url{javascript:window.hit=1}$'],
  [
    'a formula with a picture and HTML',
    '$\\includegraphics{http://evil.example/x.png}$ $\\htmlData{x=y}{z}$',
  ],
  [
    'macros without end',
    '$\\def\\x{\\x\\x}\\x$ $\\edef\\a{xxxxxxxxxx}\\edef\\a{\\a\\a\\a\\a\\a\\a\\a\\a\\a\\a}\\a$',
  ],
  ['sizes without end', '$\\rule{99999em}{99999em}$'],
  ['a formula as long as a book', `$${'x+ '.repeat(4_000)}x$`],
  ['text in a formula', '$\\text{<img src=x onerror="window.hit=1">}$ $<b>$'],
  [
    'a diagram with click actions',
    '```mermaid\nflowchart LR\n  A-->B\n  click A href "javascript:window.hit=1"\n  click B call hit()\n```',
  ],
  [
    'a diagram with HTML',
    '```mermaid\nflowchart LR\n  A["<img src=x onerror=window.hit=1>"] --> B["<script>window.hit=1</script>"]\n```',
  ],
  [
    'a diagram that configures itself',
    '```mermaid\n%%{init: {"securityLevel": "loose", "themeCSS": "@import url(http://evil.example/x.css);", "htmlLabels": true}}%%\nflowchart LR\n  A["<a href=\'javascript:window.hit=1\'>x</a>"] --> B\n```',
  ],
];

test('[WI-173] hostile text runs no code and sends no request', async ({ page, serve }) => {
  const reports = await watchPage(page);
  const { fake, url } = await serve(notebook('Nothing yet.'));
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=t] .markdown');
  for (const [at, [what, source]] of HOSTILE.entries()) {
    await test.step(what, async () => {
      // Each text has a different end, so that the checks below never see the previous text.
      const end = `The end of text ${at}.`;
      fake.setCell('t', { source: `${source}\n\n${end}` });
      fake.broadcastState();
      await expect(cell).toContainText(end);
      // Every formula and diagram is drawn or shows an error.
      await expect(cell.locator('[data-math]:not([data-typeset])')).toHaveCount(0);
      await expect(cell.locator('[data-diagram]:not(:has(> *))')).toHaveCount(0);
      for (const link of await cell.locator('a').all()) {
        expect(await link.getAttribute('href')).not.toMatch(/^(?:javascript|data):/i);
      }
      expect(await cell.locator('script, iframe, form, object, [onerror], [onclick]').count()).toBe(0);
      expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit ?? null)).toBe(null);
      expect(reports.external).toEqual([]);
      // The page has not become wider and still responds.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  }
});
