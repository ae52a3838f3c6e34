/** The window in the document of a test, which talks to a fake server by the real protocol. */
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';
import { setMedia } from './dom.ts';
import { forgetPerson, user } from './keyboard.ts';
import { type Locator, type Narrowing, PAGE, type RoleOptions } from './locator.ts';
import type { TextPattern } from './text.ts';

export class Page {
  #root: Root | null = null;

  readonly keyboard = {
    press: (chord: string): Promise<void> => user().press(chord),
    type: (text: string): Promise<void> => user().write(text),
    insertText: (text: string): Promise<void> => user().write(text),
  };

  /** Opens the window at a URL. */
  async goto(url: string): Promise<void> {
    this.#leave();
    jsdom.reconfigure({ url });
    // As in a browser, a newly loaded window knows nothing of an earlier one.
    vi.resetModules();
    const { App } = await import('../App.tsx');
    const container = document.createElement('div');
    container.id = 'root';
    document.body.replaceChildren(container);
    this.#root = createRoot(container);
    this.#root.render(<App />);
  }

  async reload(): Promise<void> {
    await this.goto(window.location.href);
  }

  url(): string {
    return window.location.href;
  }

  async title(): Promise<string> {
    return document.title;
  }

  /** Runs a function; the page is in the same process. */
  async evaluate<T, A = undefined>(task: (argument: A) => T, argument?: A): Promise<T> {
    return task(argument as A);
  }

  /** Sets the window width, which only affects media queries: there is no layout. */
  async setViewportSize({ width }: { readonly width: number; readonly height: number }): Promise<void> {
    setMedia({ width });
  }

  locator(selector: string, narrowing: Narrowing = {}): Locator {
    return PAGE.locator(selector, narrowing);
  }

  getByRole(role: string, options: RoleOptions = {}): Locator {
    return PAGE.getByRole(role, options);
  }

  getByText(text: TextPattern, options: { readonly exact?: boolean } = {}): Locator {
    return PAGE.getByText(text, options);
  }

  getByLabel(text: TextPattern, options: { readonly exact?: boolean } = {}): Locator {
    return PAGE.getByLabel(text, options);
  }

  /** Closes the window and deletes what it stored, so that the next test starts with a new browser. */
  close(): void {
    this.#leave();
    document.body.replaceChildren();
    document.documentElement.removeAttribute('style');
    localStorage.clear();
    sessionStorage.clear();
    setMedia({ dark: false, reducedMotion: false, width: 1280 });
    forgetPerson();
  }

  #leave(): void {
    this.#root?.unmount();
    this.#root = null;
  }
}
