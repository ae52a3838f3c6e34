/** Gathers everything that the pages and REST answers of a publication show: its version, lineage and credits. */

import type { Lineage } from '../../registry/lineage.ts';
import type { Publication } from '../../registry/publications.ts';
import { RegistryError } from '../../registry/registryError.ts';
import type { RegistryService } from '../../registry/registryService.ts';
import type { Party, VersionRow } from '../../registry/versionRow.ts';

/** Levels of lineage that a publication shows (docs/spec/core-services.md). */
const LINEAGE_DEPTH = 25;

/** A publication with all data for its pages. */
export interface PublicationView {
  readonly token: string;
  readonly publication: Publication;
  /** The version whose bytes are served. */
  readonly row: VersionRow;
  /** The file with the bytes. */
  readonly path: string;
  readonly lineage: Lineage;
}

/** Reads the publication of a token; `row` is null if it was withdrawn. @throws RegistryError not_found */
export async function viewOfToken(
  service: RegistryService,
  token: string,
): Promise<
  PublicationView | { readonly token: string; readonly publication: Publication; readonly row: null }
> {
  if (!service.isConfigured) throw new RegistryError('not_found', 'Publication not found');
  const registry = await service.open();
  const publication = registry.publications.byToken(token);
  if (publication.revokedAt !== null) return { token, publication, row: null };
  // A token grants access to what its tenant published, for everyone who has it.
  const party: Party = { tenant: publication.tenant, principal: null, isAdmin: false };
  const { path, row } = registry.dataFile(publication, party);
  return { token, publication, row, path, lineage: registry.lineage(publication, LINEAGE_DEPTH, party) };
}

/** The path of a publication's page. */
export function publicUrl(token: string): string {
  return `/p/${token}`;
}

export const CLAIMS = {
  transparency: 'The lineage lists every input this result was computed from, as recorded when it was made.',
  integrity:
    'The SHA-256 digest was recorded when the result was stored. Compare it with the digest of your download.',
  reproduction:
    'Each step names its transform and inputs. Running them again on the same inputs should give this result.',
} as const;

/** A publication as REST answers show it. `token` is null except in the answer that creates it. */
export function publicationBody(publication: Publication, token: string | null) {
  return {
    id: publication.publicationId,
    token,
    url: token === null ? null : publicUrl(token),
    artifact_id: publication.id,
    version: publication.version,
    title: publication.title,
    published_at: publication.publishedAt,
    published_by: publication.publishedBy,
    revoked_at: publication.revokedAt,
    authors: publication.authors.map(({ name, orcid, affiliation }) => ({
      name,
      ...(orcid === undefined ? {} : { orcid }),
      ...(affiliation === undefined ? {} : { affiliation }),
    })),
    external_ids: publication.externalIds.map(({ scheme, value }) => ({ scheme, value })),
  };
}

/** The file extension and media type of a stored content type. */
export function fileTypeOf(contentType: string): { readonly extension: string; readonly mediaType: string } {
  switch (contentType) {
    case 'arrow/ipc':
      return { extension: 'arrow', mediaType: 'application/vnd.apache.arrow.stream' };
    case 'json/object':
      return { extension: 'json', mediaType: 'application/json' };
    case 'image/png':
      return { extension: 'png', mediaType: 'image/png' };
    case 'text/markdown':
      return { extension: 'md', mediaType: 'text/markdown' };
    default:
      return { extension: 'bin', mediaType: 'application/octet-stream' };
  }
}
