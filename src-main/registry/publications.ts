/** Publishes versions of the artifact store: anyone with the secret token of a publication may read its version. */

import { createHash, randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { AuditLog } from './auditLog.ts';
import { immediate } from './names.ts';
import { RegistryError } from './registryError.ts';
import { killPoint } from './storeSteps.ts';
import { type Party, uriOf, type VersionRef } from './versionRow.ts';
import type { Versions } from './versions.ts';

interface Author {
  readonly name: string;
  readonly orcid?: string | undefined;
  readonly affiliation?: string | undefined;
}

interface ExternalId {
  readonly scheme: 'doi' | 'zenodo' | 'arxiv' | 'url';
  readonly value: string;
}

interface Credits {
  readonly authors: readonly Author[];
  readonly externalIds: readonly ExternalId[];
}

/** A version that anyone with its token may read. `id` is the SHA-256 of the token, which the store does not have. */
export interface Publication extends VersionRef {
  readonly publicationId: string;
  readonly tenant: string;
  readonly title: string | null;
  /** Epoch seconds. */
  readonly publishedAt: number;
  readonly publishedBy: string | null;
  readonly contentSha256: string | null;
  readonly revokedAt: number | null;
  readonly authors: readonly Author[];
  readonly externalIds: readonly ExternalId[];
}

export interface Publications {
  /** Publishing a published version again returns the same publication, without a token. @throws RegistryError */
  publish(
    ref: VersionRef,
    credits: Credits & { readonly title: string | null },
    party: Party,
  ): { readonly publication: Publication; readonly token: string | null };
  /** The publications, newest first. */
  list(includeRevoked: boolean, party: Party): readonly Publication[];
  /**
   * Changes the credits of a publication, given its token or id; null fields are unchanged.
   * @throws RegistryError not_found
   */
  edit(key: string, change: { readonly [K in keyof Credits]: Credits[K] | null }, party: Party): Publication;
  /** Withdraws a publication, given its token or id. @throws RegistryError not_found */
  withdraw(key: string, party: Party): Publication;
  /** Finds a publication by its token alone, withdrawn ones too. @throws RegistryError not_found */
  byToken(token: string): Publication;
}

/** The length of a token: 32 random bytes, or 43 characters of URL-safe base64. */
const TOKEN_BYTES = 32;

export function createPublications(
  database: Database,
  { versions, audit, now }: { versions: Versions; audit: AuditLog; now: () => number },
): Publications {
  const byHash = database.prepare<[string], Stored>(
    'SELECT * FROM artifact_publications WHERE token_hash = ?',
  );
  const find = (id: string): Publication => {
    const stored = byHash.get(id);
    if (stored === undefined) throw new RegistryError('not_found', 'Publication not found');
    return publicationOf(stored);
  };
  /** Finds a publication for an editor by its id or its secret token. */
  const findFor = (key: string, party: Party): Publication => {
    const stored = byHash.get(key) ?? byHash.get(hashOf(key));
    if (stored === undefined || !(party.isAdmin || stored.tenant === party.tenant)) {
      throw new RegistryError('not_found', 'Publication not found');
    }
    return publicationOf(stored);
  };
  return {
    publish: immediate(
      database,
      (ref: VersionRef, credits: Credits & { title: string | null }, party: Party) => {
        const row = versions.get(ref, party);
        if (row.state !== 'ready' && row.state !== 'superseded') {
          throw new RegistryError(
            'conflict',
            `${uriOf(row)} cannot be published: its state is ${row.state}.`,
          );
        }
        const active = database
          .prepare<unknown[], Stored>(
            'SELECT * FROM artifact_publications WHERE tenant = ? AND artifact_id = ? AND version = ? AND revoked_at IS NULL',
          )
          .get(party.tenant, row.id, row.version);
        if (active !== undefined) return { publication: publicationOf(active), token: null };
        const token = randomBytes(TOKEN_BYTES).toString('base64url');
        const id = hashOf(token);
        database
          .prepare('INSERT INTO artifact_publications VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)')
          .run(
            ...[id, row.id, row.version, party.tenant, credits.title, now(), party.principal],
            ...[row.contentSha256, JSON.stringify(credits.authors), JSON.stringify(credits.externalIds)],
          );
        // In the transaction: killed here, nothing is published.
        killPoint('publication_written');
        audit.add('publish', { artifact_id: row.id, to_version: row.version }, party);
        return { publication: find(id), token };
      },
    ),
    list: (includeRevoked, party) =>
      database
        .prepare<unknown[], Stored>(
          `SELECT * FROM artifact_publications WHERE (? OR tenant = ?) AND (? OR revoked_at IS NULL)
           ORDER BY published_at DESC, token_hash`,
        )
        .all(party.isAdmin ? 1 : 0, party.tenant, includeRevoked ? 1 : 0)
        .map(publicationOf),
    edit: immediate(
      database,
      (
        key: string,
        change: { authors: Credits['authors'] | null; externalIds: Credits['externalIds'] | null },
        party: Party,
      ) => {
        const publication = findFor(key, party);
        database
          .prepare('UPDATE artifact_publications SET authors = ?, external_ids = ? WHERE token_hash = ?')
          .run(
            JSON.stringify(change.authors ?? publication.authors),
            JSON.stringify(change.externalIds ?? publication.externalIds),
            publication.publicationId,
          );
        audit.add('credit', { artifact_id: publication.id, to_version: publication.version }, party);
        return find(publication.publicationId);
      },
    ),
    withdraw: immediate(database, (key: string, party: Party) => {
      const publication = findFor(key, party);
      if (publication.revokedAt !== null) throw new RegistryError('not_found', 'Publication not found');
      database
        .prepare('UPDATE artifact_publications SET revoked_at = ? WHERE token_hash = ?')
        .run(now(), publication.publicationId);
      audit.add('withdraw', { artifact_id: publication.id, to_version: publication.version }, party);
      return find(publication.publicationId);
    }),
    // The digest is looked up, so the response time reveals nothing about a token.
    byToken: (token) => find(hashOf(token)),
  };
}

interface Stored {
  readonly token_hash: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly tenant: string;
  readonly title: string | null;
  readonly published_at: number;
  readonly published_by: string | null;
  readonly content_sha256: string | null;
  readonly revoked_at: number | null;
  readonly authors: string;
  readonly external_ids: string;
}

function publicationOf(stored: Stored): Publication {
  return {
    publicationId: stored.token_hash,
    id: stored.artifact_id,
    version: stored.version,
    tenant: stored.tenant,
    title: stored.title,
    publishedAt: stored.published_at,
    publishedBy: stored.published_by,
    contentSha256: stored.content_sha256,
    revokedAt: stored.revoked_at,
    // JSON that this store wrote
    authors: JSON.parse(stored.authors) as Author[],
    externalIds: JSON.parse(stored.external_ids) as ExternalId[],
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
