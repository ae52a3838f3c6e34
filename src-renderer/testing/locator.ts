/**
 * Elements of the page in component tests, looked up again at every use, with the names that Playwright gives the same
 * things: a test can move between a real browser (e2e/app) and here by changing its imports. Roles and names come from
 * Testing Library.
 */
import { queries } from '@testing-library/dom';
import { user } from './keyboard.ts';
import { isVisible, matchesText, type TextPattern, textOf } from './text.ts';
import { eventually } from './waiting.ts';

type Root = Element | Document;
type Lookup = (root: Root) => readonly Element[];

/** Narrows a lookup, as in Playwright. */
export interface Narrowing {
  readonly has?: Locator;
  readonly hasText?: TextPattern;
}

export interface RoleOptions {
  readonly name?: TextPattern;
  readonly exact?: boolean;
  readonly level?: number;
}

export class Locator {
  /** The name of the lookup in messages. */
  readonly description: string;
  readonly #lookup: Lookup;

  constructor(lookup: Lookup, description: string) {
    this.#lookup = lookup;
    this.description = description;
  }

  /** The elements below a root that match now. */
  below(root: Root): readonly Element[] {
    return this.#lookup(root);
  }

  /** The elements in the page that match now. */
  elements(): readonly Element[] {
    return this.#lookup(document);
  }

  locator(selector: string, narrowing: Narrowing = {}): Locator {
    const inner = new Locator((root) => [...root.querySelectorAll(selector)], selector);
    return this.#within(inner).filter(narrowing);
  }

  getByRole(role: string, { name, exact = false, level }: RoleOptions = {}): Locator {
    const accepts = (given: string): boolean => name === undefined || matchesText(given, name, exact);
    const lookup: Lookup = (root) =>
      queries
        .queryAllByRole(root instanceof Document ? root.body : (root as HTMLElement), role, {
          // Otherwise Testing Library would compute the style of each ancestor. `isVisible` reads attributes, which is
          // enough without CSS.
          hidden: true,
          ...(name === undefined ? {} : { name: accepts }),
          ...(level === undefined ? {} : { level }),
        })
        .filter((element) => isVisible(element) && element.closest('[aria-hidden=true], [inert]') === null);
    return this.#within(new Locator(lookup, name === undefined ? role : `${role} ${String(name)}`));
  }

  /** The innermost elements with this text. */
  getByText(text: TextPattern, { exact = false } = {}): Locator {
    const has = (element: Element): boolean => matchesText(textOf(element), text, exact);
    const lookup: Lookup = (root) =>
      [...root.querySelectorAll('*')].filter(
        (element) =>
          !['SCRIPT', 'STYLE', 'HEAD', 'TITLE'].includes(element.tagName) &&
          has(element) &&
          ![...element.children].some(has),
      );
    return this.#within(new Locator(lookup, `text ${String(text)}`));
  }

  getByLabel(text: TextPattern, { exact = false } = {}): Locator {
    const lookup: Lookup = (root) =>
      queries.queryAllByLabelText(
        root instanceof Document ? root.body : (root as HTMLElement),
        (given: string) => matchesText(given, text, exact),
      );
    return this.#within(new Locator(lookup, `label ${String(text)}`));
  }

  filter({ has, hasText }: Narrowing): Locator {
    if (has === undefined && hasText === undefined) return this;
    const accepts = (element: Element): boolean =>
      (has === undefined || has.below(element).length > 0) &&
      (hasText === undefined || matchesText(textOf(element), hasText, false));
    return new Locator((root) => this.#lookup(root).filter(accepts), `${this.description} (narrowed)`);
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return this.nth(-1);
  }

  nth(index: number): Locator {
    const pick = (all: readonly Element[]): readonly Element[] => {
      const one = all.at(index);
      return one === undefined ? [] : [one];
    };
    return new Locator((root) => pick(this.#lookup(root)), `${this.description} [${index}]`);
  }

  async count(): Promise<number> {
    return this.elements().length;
  }

  async all(): Promise<readonly Locator[]> {
    return this.elements().map((_element, index) => this.nth(index));
  }

  /**
   * The matching element, after waiting for it.
   * @throws if several elements match
   */
  async element(): Promise<HTMLElement> {
    return eventually(() => {
      const [element, second] = this.elements();
      if (element === undefined) throw new Error(`${this.description}: no such element`);
      if (second !== undefined) throw new Error(`${this.description}: ${this.elements().length} elements`);
      return element as HTMLElement; // SVG elements have everything that the tests use
    });
  }

  async waitFor(): Promise<void> {
    await this.element();
  }

  async click({ button = 'left' }: { readonly button?: 'left' | 'right' } = {}): Promise<void> {
    const target = await this.#usable();
    if (button === 'left') await user().click(target);
    else await user().pointer([{ keys: '[MouseRight]', target }]);
  }

  async dblclick(): Promise<void> {
    await user().dblClick(await this.#usable());
  }

  async hover(): Promise<void> {
    await user().hover(await this.element());
  }

  async focus(): Promise<void> {
    (await this.element()).focus();
  }

  /** Puts a value into a field in one step. */
  async fill(value: string): Promise<void> {
    const field = await this.#usable();
    await user().clear(field);
    if (value !== '') await user().type(field, value.replaceAll(/[{[]/g, '$&$&'));
  }

  async press(chord: string): Promise<void> {
    await this.focus();
    await user().press(chord);
  }

  async evaluate<T>(read: (element: HTMLElement) => T): Promise<T> {
    return read(await this.element());
  }

  async evaluateAll<T>(read: (elements: readonly Element[]) => T): Promise<T> {
    return read(this.elements());
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.element()).getAttribute(name);
  }

  async textContent(): Promise<string | null> {
    return (await this.element()).textContent;
  }

  async allTextContents(): Promise<readonly string[]> {
    return this.elements().map((element) => element.textContent ?? '');
  }

  #within(inner: Locator): Locator {
    return new Locator(
      (root) => [...new Set(this.#lookup(root).flatMap((element) => inner.below(element)))],
      this.description === '' ? inner.description : `${this.description} > ${inner.description}`,
    );
  }

  /** The element, after waiting until a user could press it. */
  async #usable(): Promise<HTMLElement> {
    return eventually(async () => {
      const element = await this.element();
      if (!isVisible(element)) throw new Error(`${this.description}: hidden`);
      if (element.matches(':disabled')) throw new Error(`${this.description}: disabled`);
      return element;
    });
  }
}

/** The complete page. */
export const PAGE = new Locator((root) => [root instanceof Document ? root.documentElement : root], '');
