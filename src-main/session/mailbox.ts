/**
 * Handles the events of a session one at a time, in order of arrival: events sent while one is handled wait for its
 * end. Handling is synchronous, so between two events the state is always consistent.
 */
export function createMailbox<T>(handle: (item: T) => void): { readonly send: (item: T) => void } {
  const waiting: T[] = [];
  let busy = false;
  return {
    send(item) {
      waiting.push(item);
      if (busy) return;
      busy = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) handle(next);
      } finally {
        busy = false;
      }
    },
  };
}
