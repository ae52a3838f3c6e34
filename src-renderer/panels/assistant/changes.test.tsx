import { open, send, type World } from '../../testing/assistantWorld.ts';
import { expect, test } from '../../testing/fixture.ts';

/** An agent's change as the server reports it, with the notebook as it is then. */
function agentChanges(
  { fake }: World,
  of: { readonly id: string; readonly by?: string; readonly source: Readonly<Record<string, string>> },
): void {
  const { id, by, source } = of;
  const changes = Object.entries(source).map(([cellId, after]) => ({
    kind: 'source' as const,
    cellId,
    before: fake.cell(cellId).source,
    after,
  }));
  for (const [cellId, after] of Object.entries(source)) fake.setCell(cellId, { source: after });
  fake.broadcastState();
  fake.send('undo_recorded', {
    ...(by === undefined ? { id: `assistant-${id}`, deed: 'assistant' } : { id: `mcp-${id}`, deed: 'edit' }),
    changes,
    ...(by === undefined ? {} : { origin: { by, at: new Date().toISOString() } }),
  });
}

async function showChanges({ panel }: World): Promise<void> {
  await panel.getByRole('tab', { name: /^Changes/ }).click();
}

/** What was done before the message. */
const CHANGED = [{ kind: 'source', cellId: 'b', before: 'fit = x', after: 'fit = x +' }];
const sizeOf = (changes: object): number => JSON.stringify(changes).length;

test('[AG-87] a job and a burst of an agent are checkpoints, with before and after by cell', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel } = world;
  await showChanges(world);
  await expect(panel).toContainText('No changes yet');
  agentChanges(world, { id: 'job1', source: { a: 'trips = 1' } });
  agentChanges(world, { id: '1', by: 'claude-code', source: { a: 'trips = 2' } });
  agentChanges(world, { id: '2', by: 'claude-code', source: { b: 'fit = 2', a: 'trips = 3' } });
  await expect(panel.locator('[data-checkpoint]')).toHaveCount(2);
  const [burst, job] = [
    panel.locator('[data-checkpoint]').first(),
    panel.locator('[data-checkpoint]').last(),
  ];
  await expect(burst).toContainText('claude-code');
  await expect(burst.locator('[data-change]')).toHaveCount(2);
  await expect(burst.locator('[data-change=a] .diff')).toHaveText('−trips = 1 +trips = 3');
  await expect(burst.locator('[data-change=b]')).toContainText('+fit = 2');
  await expect(job).toContainText('Assistant');
  await expect(job.locator('[data-change=a]')).toContainText('Changed since');
  await expect(panel.getByRole('tab', { name: /^Changes\s*2$/ })).toBeVisible();
});

test('[AG-88] each cell is accepted or reverted, and all changes are undone in one step', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, fake } = world;
  await showChanges(world);
  agentChanges(world, { id: '1', by: 'codex', source: { a: 'trips = 2' } });
  agentChanges(world, { id: '2', by: 'codex', source: { b: 'fit = 2' } });
  const row = (id: string) => panel.locator(`[data-change=${id}]`);
  await panel.getByRole('button', { name: 'Revert the change to trips' }).click();
  await expect.poll(() => fake.cell('a').source).toBe('trips = load()');
  await expect(row('a')).toHaveAttribute('data-state', 'reverted');
  expect(fake.cell('b').source).toBe('fit = 2');
  await panel.getByRole('button', { name: 'Accept the change to fit' }).click();
  await expect(row('b')).toHaveAttribute('data-state', 'accepted');
  await expect(row('b').locator('.diff')).toHaveCount(0);
  // Reverting is a separate action.
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => fake.cell('a').source).toBe('trips = 2');
  await expect(row('a')).toHaveAttribute('data-state', 'there');
  await panel.getByRole('button', { name: 'Revert all' }).click();
  await expect
    .poll(() => [fake.cell('a').source, fake.cell('b').source])
    .toEqual(['trips = load()', 'fit = x +']);
  await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => [fake.cell('a').source, fake.cell('b').source]).toEqual(['trips = 2', 'fit = 2']);
});

test('[AG-89] rewinding to a message lists what would be lost, and is one undo step', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await send(world, 'explain');
  await expect.poll(() => ai.chats.length).toBe(1);
  ai.last.delta('It loads.');
  ai.last.done();
  agentChanges(world, { id: 'job1', source: { a: 'trips = 1' } });
  await expect(page.locator('[data-cell-id=a]')).toContainText('trips = 1');
  await page.locator('[data-cell-id=b] .code').click();
  await expect(page.locator('[data-editor]')).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' 7');
  await expect.poll(() => fake.cell('b').source).toBe('fit = x + 7');
  const rewind = panel.getByRole('button', { name: 'Rewind to before this message' });
  const dialog = page.getByRole('dialog', { name: 'Rewind the notebook?' });
  await rewind.click();
  await expect(dialog.getByRole('list', { name: 'Your later changes that will be reverted' })).toHaveText(
    'typing: fit',
  );
  await expect(dialog.getByRole('list', { name: 'What changes' })).toContainText(
    '−trips = 1 +trips = load()',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(fake.cell('a').source).toBe('trips = 1');
  await rewind.click();
  await dialog.getByRole('button', { name: 'Rewind' }).click();
  await expect
    .poll(() => [fake.cell('a').source, fake.cell('b').source])
    .toEqual(['trips = load()', 'fit = x +']);
  await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(() => [fake.cell('a').source, fake.cell('b').source])
    .toEqual(['trips = 1', 'fit = x + 7']);
});

const MARKED: readonly [
  what: string,
  mark: object | undefined,
  expected: 'rewinds' | 'gone' | 'not offered',
][] = [
  ['its mark is in the record', { done: [{ id: 'w1', size: sizeOf(CHANGED) }], forgotten: 0 }, 'rewinds'],
  ['an action before it was undone', { done: [{ id: 'gone', size: 2 }], forgotten: 0 }, 'gone'],
  ['it has no mark', undefined, 'not offered'],
];

for (const [what, mark, expected] of MARKED) {
  test(`[AG-106] a message from before the window opened, when ${what}: ${expected}`, async ({
    page,
    serve,
  }) => {
    const { panel, fake } = await open(page, serve, {
      before: ({ fake: server, ai }) => {
        server.cell('a').source = 'trips = 1';
        server.answers.notebookUndo = {
          done: [
            { id: 'w1', deed: 'edit', changes: CHANGED },
            {
              id: 'assistant-old',
              deed: 'assistant',
              changes: [{ kind: 'source', cellId: 'a', before: 'trips = load()', after: 'trips = 1' }],
            },
          ],
          undone: [],
          forgotten: 0,
          problem: null,
        };
        ai.status = {
          ...ai.status,
          history: [
            { role: 'user', content: 'Simplify it', ...(mark === undefined ? {} : { mark: mark as never }) }, // of the rows
            { role: 'assistant', content: 'Done.' },
          ],
        };
      },
    });
    await expect(panel).toContainText('Simplify it');
    const rewind = panel.getByRole('button', { name: 'Rewind to before this message' });
    if (expected === 'not offered') return void (await expect(rewind).toHaveCount(0));
    await rewind.click();
    const dialog = page.getByRole('dialog', { name: 'Rewind the notebook?' });
    const confirm = dialog.getByRole('button', { name: 'Rewind' });
    if (expected === 'gone') {
      await expect(dialog).toContainText('cannot be rewound');
      await expect(confirm).toBeDisabled();
      return;
    }
    await confirm.click();
    await expect.poll(() => fake.cell('a').source).toBe('trips = load()');
    await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => fake.cell('a').source).toBe('trips = 1');
  });
}

test('[AG-106] a job is sent with the actions before it', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { ai, fake } = world;
  await page.locator('[data-cell-id=b] .code').click();
  await expect(page.locator('[data-editor]')).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' 7');
  await expect.poll(() => fake.cell('b').source).toBe('fit = x + 7');
  await send(world, 'explain', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  expect(ai.jobs[0]?.mark).toEqual({
    done: [{ id: expect.any(String), size: expect.any(Number) }],
    forgotten: 0,
  });
});

test('[AG-90] the page follows the agent until the person scrolls, and never while they write', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel } = world;
  const shown: string[] = [];
  const scroll = Element.prototype.scrollIntoView;
  Element.prototype.scrollIntoView = function into(this: Element) {
    shown.push(this.getAttribute('data-cell-id') ?? '');
  };
  try {
    const follow = panel.getByRole('button', { name: 'Follow the agent' });
    await expect(follow).toHaveAttribute('aria-pressed', 'true');
    agentChanges(world, { id: '1', by: 'codex', source: { b: 'fit = 2' } });
    await expect.poll(() => shown.at(-1)).toBe('b');
    await page.evaluate(() => {
      document.querySelector('[data-scroll-root]')?.dispatchEvent(new Event('wheel', { bubbles: true }));
    });
    await expect(follow).toHaveAttribute('aria-pressed', 'false');
    agentChanges(world, { id: '2', by: 'codex', source: { a: 'trips = 2' } });
    await expect(page.locator('[data-cell-id=a]')).toContainText('trips = 2');
    expect(shown).toEqual(['b']);
    await follow.click();
    agentChanges(world, { id: '3', by: 'codex', source: { a: 'trips = 3' } });
    await expect.poll(() => shown.at(-1)).toBe('a');
    await page.locator('[data-cell-id=a] .code').click();
    await expect(page.locator('[data-editor]')).toBeFocused();
    shown.length = 0;
    agentChanges(world, { id: '4', by: 'codex', source: { b: 'fit = 4' } });
    await expect(page.locator('[data-cell-id=b]')).toContainText('fit = 4');
    expect(shown).not.toContain('b');
  } finally {
    Element.prototype.scrollIntoView = scroll;
  }
});
