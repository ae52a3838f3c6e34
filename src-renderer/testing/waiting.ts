/** Waits for conditions in component tests. */

/** How long a condition may take: long enough for a busy machine, but ends a test that hangs. */
export const patience = { ms: 60_000 };

/**
 * Tries until `attempt` does not throw, at every change of the page and every few milliseconds.
 * @throws the error of the last attempt
 */
export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + patience.ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await nextChange();
    }
  }
}

/** Resolves when the page has changed or a few milliseconds have passed. */
async function nextChange(): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      // As a new task, so that React has finished its update.
      setTimeout(resolve, 0);
    };
    const observer = new MutationObserver(done);
    const timer = setTimeout(done, 10);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
