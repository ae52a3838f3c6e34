import type { ServerProcess } from './serverProcess.ts';

export interface SeedsTried {
  readonly server: ServerProcess;
  readonly seeds: readonly number[];
  /** What is wrong with how this seed's bad input is treated; empty where all is well. */
  readonly faults: (seed: number) => Promise<readonly string[]>;
}

/**
 * Gives a server bad input of one seed after another and says what was wrong, and with which.
 * @throws Error where a seed ended the server
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

/** `count` seeds from the first, after those that once found a fault. */
export function seedsFrom(kept: readonly number[], first: number, count: number): readonly number[] {
  return [...kept, ...Array.from({ length: count }, (_, at) => first + at)];
}

/** Log lines that only a bug of the program produces. */
export const FAULTS_LOGGED = /TypeError|RangeError|ReferenceError|"level":"(error|fatal)"/;
