/** Describes a publication as RO-Crate 1.1 metadata, a standard form of JSON-LD for research data. */

import { fileNameOf } from './page.ts';
import { fileTypeOf, type PublicationView } from './publicationView.ts';

/** A publication as RO-Crate 1.1 metadata. `files`: the other files of an archive. */
export function roCrate(view: PublicationView, files: readonly { path: string; mediaType: string }[] = []) {
  const { publication, row, lineage } = view;
  const published = new Date(publication.publishedAt * 1000).toISOString();
  const people = publication.authors.map(({ name, orcid, affiliation }, at) => ({
    '@id': orcid === undefined ? `#author-${at + 1}` : `https://orcid.org/${orcid}`,
    '@type': 'Person',
    name,
    ...(affiliation === undefined ? {} : { affiliation }),
  }));
  const data = fileNameOf(view);
  const parts = [{ path: data, mediaType: fileTypeOf(row.contentType).mediaType }, ...files];
  return {
    '@context': 'https://w3id.org/ro/crate/1.1/context',
    '@graph': [
      {
        '@id': 'ro-crate-metadata.json',
        '@type': 'CreativeWork',
        conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
        about: { '@id': './' },
      },
      {
        '@id': './',
        '@type': 'Dataset',
        name: publication.title ?? `${row.id}, version ${row.version}`,
        description: `Version ${row.version} of the artifact ${row.id}, with its lineage.`,
        datePublished: published,
        license: 'No license was stated by the publisher.',
        ...(people.length === 0 ? {} : { author: people.map((person) => ({ '@id': person['@id'] })) }),
        ...(publication.externalIds.length === 0
          ? {}
          : { identifier: publication.externalIds.map(({ scheme, value }) => `${scheme}:${value}`) }),
        hasPart: parts.map(({ path }) => ({ '@id': path })),
        mentions: lineage.nodes
          .filter(({ uri }) => uri !== lineage.artifact_uri)
          .map(({ uri }) => ({ '@id': uri })),
      },
      ...parts.map(({ path, mediaType }) => ({
        '@id': path,
        '@type': 'File',
        name: path,
        encodingFormat: mediaType,
        ...(path === data && publication.contentSha256 !== null ? { sha256: publication.contentSha256 } : {}),
        ...(path === data && row.byteSize !== null ? { contentSize: String(row.byteSize) } : {}),
      })),
      ...people,
      ...lineage.nodes
        .filter(({ uri }) => uri !== lineage.artifact_uri)
        .map(({ uri, transform_ref, created_at }) => ({
          '@id': uri,
          '@type': 'CreativeWork',
          name: transform_ref ?? uri,
          ...(created_at === undefined ? {} : { dateCreated: new Date(created_at * 1000).toISOString() }),
        })),
    ],
  };
}
