/** How long a condition may take: short enough to end a test that hangs, long enough for a busy machine. */
export const patience = { ms: 60_000 };

/** Tries until it does not throw, at every change of the page and every few milliseconds. @throws what the last try threw */
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

/** The page has changed, or a few milliseconds have passed. */
async function nextChange(): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      // Not while React is updating the page.
      setTimeout(resolve, 0);
    };
    const observer = new MutationObserver(done);
    const timer = setTimeout(done, 10);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
