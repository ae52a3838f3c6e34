/** Handlers of the routes that publish versions of the artifact store, credit their authors and withdraw them. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { PUBLICATION_ROUTES } from '../../../src-shared/wire/routes/publications.ts';
import type { RegistryService } from '../../registry/registryService.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { CLAIMS, publicationBody, publicUrl, viewOfToken } from '../publication/publicationView.ts';
import { metadataOf, partyOf, refOf } from './registryParty.ts';

/** The handlers of the routes about publications; one reads a publication by its token. */
export function publicationHandlers({
  registry: service,
}: {
  readonly registry: RegistryService;
}): HandlersOf<typeof PUBLICATION_ROUTES> {
  return {
    async publishArtifact({ params, body, caller }) {
      const { publications } = await service.open();
      const { publication, token } = publications.publish(
        refOf(params),
        {
          title: body.title ?? null,
          authors: body.authors ?? [],
          externalIds: body.external_ids ?? [],
        },
        partyOf(caller),
      );
      return publicationBody(publication, token);
    },
    async listPublications({ query, caller }) {
      const { publications } = await service.open();
      return publications
        .list(query.include_revoked, partyOf(caller))
        .map((publication) => publicationBody(publication, null));
    },
    async publishedArtifact({ params: { token } }) {
      const view = await viewOfToken(service, token);
      const { publication } = view;
      if (view.row === null) {
        const { title, publishedAt, revokedAt } = publication;
        return {
          publication: {
            token,
            url: publicUrl(token),
            title,
            published_at: publishedAt,
            revoked_at: revokedAt ?? publishedAt,
          },
        };
      }
      return {
        publication: publicationBody(publication, token),
        artifact: metadataOf(view.row),
        content_sha256: publication.contentSha256,
        lineage: { ...view.lineage },
        claims: CLAIMS,
      };
    },
    async editPublication({ params, body, caller }) {
      if ('artifact_id' in body || 'version' in body) {
        throw new AppError(
          'bad_request',
          'A publication stays with its version. Publish the other version instead.',
        );
      }
      const { publications } = await service.open();
      const change = { authors: body.authors ?? null, externalIds: body.external_ids ?? null };
      return publicationBody(publications.edit(params.token, change, partyOf(caller)), null);
    },
    async withdrawPublication({ params, caller }) {
      (await service.open()).publications.withdraw(params.token, partyOf(caller));
      return { revoked: true, token: params.token };
    },
  };
}
