/** Serves the public pages of publications, to everyone who has a publication's token (docs/spec/core-services.md). */

import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashFile } from '../../lib/hashFile.ts';
import { RegistryError } from '../../registry/registryError.ts';
import type { RegistryService } from '../../registry/registryService.ts';
import type { TableService } from '../../table/service/tableService.ts';
import { attachment } from '../streamedBytes.ts';
import { writeArchive } from './archive.ts';
import {
  badgeSvg,
  embedPage,
  escapeHtml,
  fileNameOf,
  PAGE_POLICY,
  publicationPage,
  type ShownResult,
  withdrawnPage,
} from './page.ts';
import { fileTypeOf, type PublicationView, publicUrl, viewOfToken } from './publicationView.ts';
import { roCrate } from './roCrate.ts';
import { shownResult } from './shownResult.ts';

const BADGE_SECONDS = 300;
const OEMBED = { width: 480, height: 420 };

interface PublicationPages {
  readonly registry: RegistryService;
  readonly tables: Pick<TableService, 'page' | 'export'>;
  readonly basePath: string;
}

/**
 * The public pages of publications (docs/spec/core-services.md). The token is the credential; the publication's id is
 * not accepted.
 */
export function servePublications(
  http: FastifyInstance,
  { registry: service, tables, basePath }: PublicationPages,
): void {
  const open = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string }; // a parameter of the route
    return viewOfToken(service, token);
  };
  /** @returns null after it answered 410 because the publication was withdrawn */
  const openActive = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PublicationView | null> => {
    const view = await open(request);
    if (view.row !== null) return view;
    await reply.code(410).send({ detail: 'This publication was withdrawn.' });
    return null;
  };
  const showResult = (view: PublicationView): Promise<ShownResult> => shownResult(view, tables);

  http.get('/p/:token', async (request, reply) => {
    const view = await open(request);
    const { title, revokedAt, publishedAt } = view.publication;
    const html =
      view.row === null
        ? withdrawnPage(title, revokedAt ?? publishedAt)
        : publicationPage(view, await showResult(view));
    return sendPage(reply, html);
  });
  http.get('/p/:token/embed', async (request, reply) => {
    const view = await openActive(request, reply);
    if (view === null) return reply;
    return sendPage(reply, embedPage(view, await showResult(view)), '; frame-ancestors *');
  });
  http.get('/p/:token/data', async (request, reply) => {
    const view = await openActive(request, reply);
    if (view === null) return reply;
    return reply
      .headers({
        'Content-Type': fileTypeOf(view.row.contentType).mediaType,
        'Content-Disposition': attachment(fileNameOf(view)),
        'Content-Security-Policy': 'sandbox',
        ...(view.row.byteSize === null ? {} : { 'Content-Length': view.row.byteSize }),
        ...(view.row.rowCount === null ? {} : { 'X-Arrow-Row-Count': String(view.row.rowCount) }),
      })
      .send(createReadStream(view.path));
  });
  http.get('/p/:token/archive.zip', async (request, reply) => {
    const view = await openActive(request, reply);
    if (view === null) return reply;
    const html = publicationPage(view, await showResult(view));
    const archive = await writeArchive(view, { tables, html });
    reply.raw.once('close', () => void archive.dispose());
    return reply
      .headers({
        'Content-Type': 'application/zip',
        'Content-Disposition': attachment('archive.zip'),
        'Content-Digest': archive.digest,
      })
      .send(createReadStream(archive.path));
  });
  http.get('/p/:token/verify', async (request, reply) => {
    const view = await openActive(request, reply);
    if (view === null) return reply;
    const recorded = view.publication.contentSha256;
    if (recorded === null)
      throw new RegistryError('conflict', 'No digest was recorded for this publication.');
    const actual = await hashFile(view.path);
    const { sha256 } = request.query as { sha256?: string }; // Fastify's parser returns an object
    const digest = sha256?.toLowerCase();
    const isStored = actual === recorded;
    const isGiven = digest === undefined || digest === recorded;
    return {
      matches: isStored && isGiven,
      recorded_sha256: recorded,
      actual_sha256: actual,
      checks: [
        { name: 'stored bytes', passed: isStored },
        ...(digest === undefined ? [] : [{ name: 'given digest', passed: isGiven }]),
      ],
      ...(digest === undefined ? {} : { sha256: digest, file: fileNameOf(view) }),
    };
  });
  http.get('/p/:token/ro-crate', async (request, reply) => {
    const view = await openActive(request, reply);
    if (view === null) return reply;
    return reply.type('application/ld+json').send(JSON.stringify(roCrate(view)));
  });
  http.get('/p/:token/badge.svg', async (request, reply) => {
    const { publication } = await open(request);
    return reply
      .headers({
        'Content-Type': 'image/svg+xml',
        'Cache-Control': `public, max-age=${BADGE_SECONDS}`,
        'Content-Security-Policy': "default-src 'none'",
      })
      .send(badgeSvg(publication.revokedAt !== null));
  });
  http.get('/oembed', async (request, reply) => {
    const { url = '', format = 'json' } = request.query as { url?: string; format?: string }; // the same
    if (format !== 'json') return reply.code(501).send({ detail: 'Only format=json is available.' });
    const token = /\/p\/([^/?#]+)/.exec(url)?.[1];
    const view = token === undefined ? null : await viewOfToken(service, token);
    if (view === null || view.row === null) throw new RegistryError('not_found', 'Publication not found');
    const provider = `${request.protocol}://${request.host}${basePath}`;
    const title = view.publication.title ?? view.row.id;
    const src = `${provider}${publicUrl(view.token)}/embed`;
    return {
      version: '1.0',
      type: 'rich',
      provider_name: 'Cellar',
      provider_url: provider,
      title,
      ...OEMBED,
      html: `<iframe src="${escapeHtml(src)}" width="${OEMBED.width}" height="${OEMBED.height}" title="${escapeHtml(title)}" sandbox></iframe>`,
    };
  });
}

function sendPage(reply: FastifyReply, html: string, more = ''): FastifyReply {
  return reply
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${PAGE_POLICY}${more}`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    })
    .send(html);
}
