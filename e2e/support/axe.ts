import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Asks axe about the page as it stands: nothing serious or critical, by WCAG 2.2 AA and axe's own best practices.
 * What was found is in the message: rule, element, why.
 */
export async function expectAccessible(
  page: Page,
  options: {
    /** A selector: what lies in it alone is asked about. */
    readonly only?: string;
    readonly exclude?: string;
    /** An app’s window opens no other page, in which axe would collect what frames of other origins found. */
    readonly inElectron?: boolean;
  } = {},
): Promise<void> {
  // Colours in the middle of a fade are nobody's colours. Ended, not waited for: what is out of sight fades for ever.
  await page.evaluate(() => {
    for (const one of document.getAnimations()) {
      if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish();
    }
  });
  const builder = new AxeBuilder({ page })
    .setLegacyMode(options.inElectron === true)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  if (options.only !== undefined) builder.include(options.only);
  if (options.exclude !== undefined) builder.exclude(options.exclude);
  const { violations } = await builder.analyze();
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
    );
  expect(found).toEqual([]);
}
