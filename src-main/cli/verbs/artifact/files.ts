/** The commands `svc artifact pull` and `svc artifact archive`: save stored versions as files. */

import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hashFile } from '../../../lib/hashFile.ts';
import type { Publication } from '../../../registry/publications.ts';
import { RegistryError } from '../../../registry/registryError.ts';
import { uriOf } from '../../../registry/versionRow.ts';
import { writeArchive } from '../../../server/publication/archive.ts';
import { publicationPage } from '../../../server/publication/page.ts';
import type { PublicationView } from '../../../server/publication/publicationView.ts';
import { shownResult } from '../../../server/publication/shownResult.ts';
import { createTableService } from '../../../table/service/tableService.ts';
import { UsageError } from '../../arguments.ts';
import { writeOut } from '../../writeOut.ts';
import {
  bytesText,
  noArgument,
  onlyArgument,
  resolveVersion,
  type StoreCommandContext,
  storeCommand,
  textOption,
} from './storeCommand.ts';

const TARGET_OPTIONS = {
  to: { type: 'string', takes: 'FILE', says: 'The file to write.' },
  force: { type: 'boolean', default: false, says: 'Overwrite an existing file.' },
} as const;

/** @throws UsageError */
function targetOf({ values }: StoreCommandContext): string {
  const to = textOption(values, 'to');
  if (to === undefined) throw new UsageError('name the file to write: --to FILE');
  const path = resolve(to);
  if (existsSync(path) && values['force'] !== true) {
    throw new UsageError(`${path} already exists; use --force to overwrite it`);
  }
  return path;
}

/** Verifies that bytes that leave the store are those that were recorded. @throws RegistryError */
async function checked(
  path: string,
  version: { readonly id: string; readonly version: number },
  sha256: string | null,
) {
  if (sha256 !== null && (await hashFile(path)) !== sha256) {
    throw new RegistryError(
      'conflict',
      `${uriOf(version)} has other bytes than were stored. Run svc artifact verify.`,
    );
  }
}

export const artifactPull = storeCommand({
  usage: 'REF',
  options: TARGET_OPTIONS,
  async run(on) {
    const row = resolveVersion(on, onlyArgument(on, 'artifact'));
    const target = targetOf(on);
    const { path, row: current } = on.registry.dataFile(row, on.party);
    await checked(path, current, current.contentSha256);
    const bytes = await writeOut(createReadStream(path), target);
    return {
      answer: {
        artifact_uri: uriOf(row),
        path: target,
        byte_size: bytes,
        content_sha256: current.contentSha256,
      },
      human: `${target} (${bytesText(bytes)})`,
    };
  },
});

export const artifactArchive = storeCommand({
  usage: '[REF]',
  options: {
    ...TARGET_OPTIONS,
    token: { type: 'string', takes: 'TOKEN', says: 'The token of a publication, instead of REF.' },
  },
  async run(on) {
    const { registry, party } = on;
    const token = textOption(on.values, 'token');
    if (token !== undefined) noArgument(on);
    const publication =
      token === undefined
        ? unpublished(on, onlyArgument(on, 'artifact or --token TOKEN'))
        : registry.publications.byToken(token);
    if (publication.revokedAt !== null)
      throw new RegistryError('conflict', 'This publication was withdrawn.');
    const target = targetOf(on);
    const { path, row } = registry.dataFile(publication, party);
    await checked(path, row, row.contentSha256);
    const view: PublicationView = {
      token: token ?? '',
      publication,
      row,
      path,
      lineage: registry.lineage(publication, 25, party),
    };
    const tables = createTableService();
    try {
      const html = publicationPage(view, await shownResult(view, tables));
      const archive = await writeArchive(view, { tables, html });
      try {
        const bytes = await writeOut(createReadStream(archive.path), target);
        return {
          answer: { path: target, byte_size: bytes, digest: archive.digest },
          human: `${target} (${bytesText(bytes)})`,
        };
      } finally {
        await archive.dispose();
      }
    } finally {
      await tables.close();
    }
  },
});

/** A version in the form of a publication, with the one it has, if any. */
function unpublished(on: StoreCommandContext, ref: string): Publication {
  const row = resolveVersion(on, ref);
  const own = on.registry.publications
    .list(false, on.party)
    .find((one) => one.id === row.id && one.version === row.version);
  return (
    own ?? {
      id: row.id,
      version: row.version,
      publicationId: '',
      tenant: row.tenant,
      title: null,
      publishedAt: row.createdAt,
      publishedBy: row.principal,
      contentSha256: row.contentSha256,
      revokedAt: null,
      authors: [],
      externalIds: [],
    }
  );
}
