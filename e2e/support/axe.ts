/** Checks the accessibility of a page with axe, for browser tests. */

import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The axe that AxeBuilder loads into pages; its public types lack the impact of a rule's violations. */
const axe: {
  readonly source: string;
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
} = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))('axe-core');

const FAILS: ReadonlySet<string> = new Set(['serious', 'critical']);

/** Leaves out rules that cannot fail the check and the list of passes, which would take half of the time. */
const ONLY_WHAT_FAILS = {
  resultTypes: ['violations' as const],
  rules: Object.fromEntries(
    axe._audit.rules.filter(({ impact }) => !FAILS.has(impact)).map(({ id }) => [id, { enabled: false }]),
  ),
};

/** Rules about colours. All others give the same result in every theme and are checked in only one. */
const COLOUR_RULES = {
  resultTypes: ['violations' as const],
  runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] },
};
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * An axe builder for this page. For a page without frames, axe is loaded once for all checks, because parsing its half
 * megabyte takes longer than most checks, and no second page is opened to collect the results of frames.
 */
async function askerOf(
  page: Page,
  { frameless, inElectron }: { readonly frameless: boolean; readonly inElectron: boolean },
): Promise<AxeBuilder> {
  if (!frameless) return new AxeBuilder({ page }).setLegacyMode(inElectron);
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  return new AxeBuilder({ page, axeSource: 'void 0' }).setLegacyMode();
}

/** Whether the checked part of the page has no frames, which axe would have to check too. */
async function isFrameless(page: Page, only: string | undefined): Promise<boolean> {
  if (page.frames().length === 1) return true;
  if (only === undefined) return false;
  return (await page.locator(only).locator('iframe').count()) === 0;
}

/**
 * Finishes fades, because colours during a fade are not meaningful. Waiting would not help: off-screen fades never end.
 * Repeats until no fade starts. Call it right before axe, so that no fade starts in between.
 */
async function endFades(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const fades = document
        .getAnimations()
        .filter(
          (one) => one.playState !== 'finished' && Number.isFinite(one.effect?.getComputedTiming().endTime),
        );
      for (const one of fades) one.finish();
      await new Promise((resolve) => setTimeout(resolve, 40));
      if (turn > 0 && fades.length === 0) return;
    }
  });
}

/**
 * Checks the page as it is with axe: no serious or critical finding, by WCAG 2.2 AA and axe's best practices. The error
 * message lists the findings: rule, element, reason.
 */
export async function expectAccessible(
  page: Page,
  options: {
    /** A selector of the part to check. */
    readonly only?: string;
    readonly exclude?: string;
    /** Checks only colours: for another theme of a page that was already checked. */
    readonly coloursOnly?: boolean;
    /** Set in Electron, where axe cannot open another page to collect the findings of frames of other origins. */
    readonly inElectron?: boolean;
  } = {},
): Promise<void> {
  const frameless = options.exclude === 'iframe' || (await isFrameless(page, options.only));
  const asker = await askerOf(page, { frameless, inElectron: options.inElectron === true });
  const builder =
    options.coloursOnly === true
      ? asker.options({ ...COLOUR_RULES })
      : asker.options({ ...ONLY_WHAT_FAILS }).withTags([...TAGS]);
  if (options.only !== undefined) builder.include(options.only);
  if (options.exclude !== undefined) builder.exclude(options.exclude);
  await endFades(page);
  const { violations } = await builder.analyze();
  const findings = violations
    .filter(({ impact }) => FAILS.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
    );
  expect(findings).toEqual([]);
}
