/**
 * Types of the result store, which keeps the results of cells: a stored version, the store's interface, its errors. The
 * store does not know cells: ids are opaque.
 */

/** Identifies one version. */
export interface RowRef {
  readonly id: string;
  readonly version: number;
}

/**
 * A stored version and when it was last written, read or promoted, in milliseconds, rounded to LAST_USE_MS.
 */
export interface UsedRow {
  readonly row: ArtifactRow;
  readonly lastUsedAt: number;
}

export type ArtifactState = 'building' | 'ready' | 'superseded' | 'failed';

/** One version of one artifact (docs/spec/provenance-and-cache.md, 2). Immutable except for `state`. */
export interface ArtifactRow {
  readonly id: string;
  /** Counts from 1 per id. */
  readonly version: number;
  readonly state: ArtifactState;
  readonly provenanceHash: string;
  /** The early cut-off key: what would produce these bytes, by content of the inputs. Null never matches. */
  readonly contentKey: string | null;
  readonly contentType: string;
  /** SHA-256 hex of the blob. */
  readonly contentSha256: string;
  readonly byteSize: number;
  readonly rowCount: number | null;
  readonly schemaJson: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly params: Readonly<Record<string, string>>;
  readonly inputVersions: Readonly<Record<string, string>>;
}

/**
 * The bytes of a new artifact. A `file` is moved into the store (copied from another file system) and no
 * longer exists at its place once `publish` resolves; its `sha256`, if given, is accepted now and verified in
 * the background. `mayBeLost`: it need not survive a power failure; its row is then found without its bytes.
 */
export type NewBlob =
  | { readonly file: string; readonly sha256?: string; readonly mayBeLost?: boolean }
  | { readonly bytes: Uint8Array };

export interface NewArtifact {
  readonly id: string;
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  readonly contentType: string;
  readonly params: Readonly<Record<string, string>>;
  readonly inputVersions: Readonly<Record<string, string>>;
  readonly rowCount: number | null;
  readonly schemaJson: string | null;
  readonly blob: NewBlob;
}

/**
 * A stored version that becomes current again under a new provenance, without running
 * (docs/spec/provenance-and-cache.md, 3).
 */
export interface Promotion {
  readonly id: string;
  readonly fromVersion: number;
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  /** Replaces the params of the old version; absent: they are unchanged. */
  readonly params?: Readonly<Record<string, string>>;
  readonly inputVersions?: Readonly<Record<string, string>>;
}

export type BlobReadResult =
  | { readonly kind: 'ok'; readonly path: string }
  | { readonly kind: 'missing' | 'corrupt'; readonly message: string };

/** The result of a removal. `bytes`: of the blobs deleted with the rows. */
export interface RemovalResult {
  readonly refs: readonly RowRef[];
  readonly bytes: number;
}

/**
 * The interface of a result store. `openStore` returns the real one, `openMemoryStore` the fake; one contract suite
 * runs on both.
 */
export interface ArtifactStore {
  /** A notice for the user about the store's place (a file system without safe WAL), or null. */
  readonly notice: string | null;
  /**
   * Ready and superseded rows whose id starts with `idPrefix`: by id, newest version first. @param without
   * skips ids that contain this text
   */
  current(idPrefix: string, options?: { readonly without: string }): readonly ArtifactRow[];
  /** The ready and superseded versions of one id, newest first. */
  versions(id: string): readonly ArtifactRow[];
  /**
   * All items become current together or none does. Resolves once they are safe from a kill. @throws
   * StoreError invalid (a duplicate id, a bad id or digest), blob_missing, busy
   */
  publish(items: readonly NewArtifact[]): Promise<readonly ArtifactRow[]>;
  /** New versions with the old bytes, in one transaction. @throws StoreError unknown_version, blob_missing, busy */
  promote(items: readonly Promotion[]): readonly ArtifactRow[];
  /** The blob's file, with verified bytes: verified once per start and again when the file changed. */
  readable(row: ArtifactRow): Promise<BlobReadResult>;
  /** The row a `svc://artifact/<id>@v=<n>` names, in any state; null when unknown or not such a uri. */
  rowByUri(uri: string): ArtifactRow | null;
  /**
   * Every finished version with its last use, by id and version; read in slices, so that nothing is blocked.
   */
  uses(): Promise<readonly UsedRow[]>;
  /**
   * Deletes versions, except those used after `unusedSince` (milliseconds), and the blobs that no version
   * refers to any more. Missing versions are skipped. @throws StoreError busy, unreadable
   */
  remove(refs: readonly RowRef[], unusedSince: number): Promise<RemovalResult>;
  /** Idempotent. Waits for running verifications and publications. */
  close(): Promise<void>;
}

type StoreErrorCode =
  | 'invalid'
  | 'unknown_version'
  | 'blob_missing'
  | 'busy'
  | 'newer_schema'
  | 'unreadable'
  | 'unsupported_runtime'
  | 'closed';

/** A refusal of the store, with a message a user can act on. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** A SHA-256 in this store's format: 64 lower-case hex digits. */
export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * Refuses items that could name a file outside the store or break a URI (docs/spec/core-services.md, 3). @throws
 * StoreError invalid
 */
export function checkItems(items: readonly NewArtifact[]): void {
  const ids = new Set<string>();
  for (const { id, blob } of items) {
    if (id === '' || /[/\\\0]/.test(id) || id.includes('..')) {
      throw new StoreError('invalid', `not an artifact id: ${JSON.stringify(id)}`);
    }
    if (ids.has(id)) throw new StoreError('invalid', `artifact ${id} is published twice at once`);
    ids.add(id);
    if ('file' in blob && blob.sha256 !== undefined && !isDigest(blob.sha256)) {
      throw new StoreError('invalid', `artifact ${id} claims a digest that is not SHA-256 hex`);
    }
  }
}
