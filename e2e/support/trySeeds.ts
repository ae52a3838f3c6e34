/** Sends a server bad input made from many seeds, and reports the faults with their seeds. */

import type { ServerProcess } from './serverProcess.ts';

export interface SeedsTried {
  readonly server: ServerProcess;
  readonly seeds: readonly number[];
  /** The faults in how the server handles this seed's bad input; empty if there are none. */
  readonly faults: (seed: number) => Promise<readonly string[]>;
}

/**
 * Gives a server the bad input of one seed after another; returns the faults, each with its seed.
 * @throws Error if a seed ended the server
 */
export async function trySeeds({ server, seeds, faults }: SeedsTried): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const seed of seeds) {
    const problems = await faults(seed).catch((error: unknown) => [String(error)]);
    broken.push(...problems.map((fault) => `seed ${seed}: ${fault}`));
    if (server.exitCode() !== null)
      throw new Error(`seed ${seed} ended the server: ${server.stderr().slice(-2_000)}`);
  }
  return broken;
}

/** The seeds that found a fault before, then `count` seeds from `first` on. */
export function seedsFrom(kept: readonly number[], first: number, count: number): readonly number[] {
  return [...kept, ...Array.from({ length: count }, (_, at) => first + at)];
}

/** Log lines that only a bug of the program produces. */
export const FAULTS_LOGGED = /TypeError|RangeError|ReferenceError|"level":"(error|fatal)"/;
