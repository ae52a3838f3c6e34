import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The axe that AxeBuilder brings into pages; what a rule's violations weigh is not in its public words. */
const axe: {
  readonly source: string;
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
} = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))('axe-core');

const FAILS: ReadonlySet<string> = new Set(['serious', 'critical']);

/** Rules that could fail nothing are left out, and what passes is not written up: half of the time went there. */
const ONLY_WHAT_FAILS = {
  resultTypes: ['violations' as const],
  rules: Object.fromEntries(
    axe._audit.rules.filter(({ impact }) => !FAILS.has(impact)).map(({ id }) => [id, { enabled: false }]),
  ),
};

/** What a page's colours decide. Everything else is the same in each look, and is asked about in one of them. */
const COLOUR_RULES = {
  resultTypes: ['violations' as const],
  runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] },
};
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * An asker of this page. One without frames is asked by itself: axe is brought once for all stops, for its half
 * megabyte takes longer to read than most pages to judge, and no second page is opened to collect what frames found.
 */
async function askerOf(
  page: Page,
  { frameless, inElectron }: { readonly frameless: boolean; readonly inElectron: boolean },
): Promise<AxeBuilder> {
  if (!frameless) return new AxeBuilder({ page }).setLegacyMode(inElectron);
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  return new AxeBuilder({ page, axeSource: 'void 0' }).setLegacyMode();
}

/**
 * Colours in the middle of a fade are nobody's colours. Ended, not waited for: what is out of sight fades for ever.
 * Until none begins any more: the last thing before axe looks, which does not take long enough for one to end by itself.
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
 * Asks axe about the page as it stands: nothing serious or critical, by WCAG 2.2 AA and axe's own best practices.
 * What was found is in the message: rule, element, why.
 */
export async function expectAccessible(
  page: Page,
  options: {
    /** A selector: what lies in it alone is asked about. */
    readonly only?: string;
    readonly exclude?: string;
    /** Asks about colours alone: for a further look of a page that was asked about in another. */
    readonly coloursOnly?: boolean;
    /** An app’s window opens no other page, in which axe would collect what frames of other origins found. */
    readonly inElectron?: boolean;
  } = {},
): Promise<void> {
  const frameless = page.frames().length === 1 || options.exclude === 'iframe';
  const asker = await askerOf(page, { frameless, inElectron: options.inElectron === true });
  const builder =
    options.coloursOnly === true
      ? asker.options({ ...COLOUR_RULES })
      : asker.options({ ...ONLY_WHAT_FAILS }).withTags([...TAGS]);
  if (options.only !== undefined) builder.include(options.only);
  if (options.exclude !== undefined) builder.exclude(options.exclude);
  await endFades(page);
  const { violations } = await builder.analyze();
  const found = violations
    .filter(({ impact }) => FAILS.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
    );
  expect(found).toEqual([]);
}
