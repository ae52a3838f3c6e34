/** Runs a piece of work after those that were asked for before it, and answers with what came of it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Work of one kind, one after another in the order it was asked for. A failure is that of whoever asked: the next one
 * starts whatever came of it.
 */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.then(nothing, nothing);
    return done;
  };
}

function nothing(): void {}
