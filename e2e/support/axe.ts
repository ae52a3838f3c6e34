import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Asks axe about the page as it stands: nothing serious or critical, by WCAG 2.2 AA and axe's own best practices.
 * What was found is in the message: rule, element, why.
 */
export async function expectAccessible(page: Page, options: { exclude?: string } = {}): Promise<void> {
  // Colours in the middle of a fade are nobody's colours; a spinner turns for ever and is not waited for.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
        .map((one) => one.finished.catch(() => undefined)),
    ),
  );
  const builder = new AxeBuilder({ page }).withTags([
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
  const { violations } = await (options.exclude === undefined
    ? builder
    : builder.exclude(options.exclude)
  ).analyze();
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
    );
  expect(found).toEqual([]);
}
