import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds serious or critical in the page, or in a part of it, as one line each. */
export async function seriousFaults(page: Page, part?: string): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
    .filter((fault) => !isCodeAtRest(fault));
}

/**
 * A long line of a cell that is not edited scrolls by the pointer only. By keys it is read where it is edited (Enter):
 * a stop of Tab at every cell with a long line would be in the way of everybody.
 */
function isCodeAtRest(fault: string): boolean {
  return fault.startsWith('scrollable-region-focusable:') && fault.endsWith('.code-text');
}
