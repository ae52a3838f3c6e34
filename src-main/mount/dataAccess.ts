import type { HarnessManifest } from '../../src-shared/wire/harness.ts';
import type { DataFact, DataWant } from './want.ts';

/** A thing a step uses, with what was last seen of it. */
export interface DataUse {
  readonly want: DataWant;
  readonly fact: DataFact | null;
}

/** Why things are looked at: a run may make requests and downloads, a status only what costs nobody anything. */
export type LookPurpose = 'run' | 'status';

/** What a cell's process gets of the outside, or why it cannot start. */
export type Prepared =
  | {
      readonly kind: 'ready';
      readonly mounts: NonNullable<HarnessManifest['mounts']>;
      readonly tables: NonNullable<HarnessManifest['tables']>;
      readonly inputs: Readonly<Record<string, { readonly content_type: string; readonly file: string }>>;
      /** Recorded with what the run stores: `https://…` → `sha256:…`. */
      readonly versions: Readonly<Record<string, string>>;
      /** Parameters of what is stored, such as `fetched_at` (provenance-and-cache 2). */
      readonly params: Readonly<Record<string, string>>;
      /** After the cell succeeded: what it wrote goes to where the mounts lead. Words where it could not. */
      writeBack(signal: AbortSignal): Promise<string | null>;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly errorCode?: 'fetch_pin_mismatch' };

/**
 * The outside of one notebook: looks at what its cells declare, and brings it to where a cell's process can open it.
 * Nothing here throws for what a disk, a network or a store can do: those are facts and words.
 */
export interface DataAccess {
  look(
    wants: readonly DataWant[],
    options: { readonly purpose: LookPurpose; readonly signal: AbortSignal },
  ): Promise<readonly DataFact[]>;
  prepare(
    uses: readonly DataUse[],
    options: { readonly scratchDir: string; readonly signal: AbortSignal },
  ): Promise<Prepared>;
}
