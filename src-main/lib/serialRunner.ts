/** Runs a piece of work after all earlier ones and returns its result. */
export type RunSerially = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs work one piece at a time, in the order of the calls. A failure goes to its caller only: the next piece
 * starts all the same.
 */
export function createSerialRunner(): RunSerially {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.then(nothing, nothing);
    return result;
  };
}

function nothing(): void {}
