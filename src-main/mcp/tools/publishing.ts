/** MCP tools about lineage, promotion and publication of results. */

import { createReadStream } from 'node:fs';
import * as z from 'zod';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { openToRead } from '../../lib/guardedFolder/read.ts';
import { RegistryError } from '../../registry/registryError.ts';
import { uriOf, type VersionRow } from '../../registry/versionRow.ts';
import type { Session } from '../../session/api.ts';
import { lineageSteps, storedVariable } from '../lineage.ts';
import { ToolRefusal } from '../mcpCaller.ts';
import { cellId, defineTool, notifyWindows, readCell, sid, type Tool, type ToolCall } from '../tool.ts';

const text = z.string().nullable();
const variable = z.string().describe('Name of a variable that the cell has stored.');

const step = z.object({
  uri: z.string(),
  type: z.enum(['artifact', 'table', 'fetch']),
  artifact_id: text,
  version: z.int().nullable(),
  transform: text,
  source: text,
  build_env: text,
  principal: text,
  content_sha256: text,
});

/** Levels of lineage on the page of a publication. */
const SHOWN_DEPTH = 25;

/** Tools for the lineage of stored results, and for sharing them. */
export const PUBLISHING_TOOLS: Readonly<Record<string, Tool>> = {
  lineage: defineTool({
    scope: 'notebook:read',
    title: 'Trace a result',
    description:
      'Trace what a stored variable was made from: results of other cells, their sources, files and tables.',
    input: z.object({
      session_id: sid,
      cell_id: cellId,
      variable,
      max_depth: z.int().min(1).max(100).default(10),
    }),
    output: z.object({
      artifact_id: z.string(),
      version: z.int(),
      provenance_hash: z.string(),
      content_sha256: z.string(),
      steps: z.array(step),
    }),
    async run(call, { session_id, cell_id, variable: name, max_depth }) {
      const { row, session } = await stored(call, session_id, cell_id, name);
      const steps = lineageSteps((uri) => session.views.results.storage.record(uri), row, max_depth);
      const { id, version, provenanceHash, contentSha256 } = row;
      return {
        result: {
          artifact_id: id,
          version,
          provenance_hash: provenanceHash,
          content_sha256: contentSha256,
          steps: steps.map((one) => ({
            ...one,
            source: one.source === null ? null : session.views.notebook.redactor().text(one.source),
          })),
        },
      };
    },
  }),
  publish_preflight: defineTool({
    scope: 'notebook:read',
    title: 'Look before publishing',
    description:
      'Say what publishing a stored variable would show to everyone with the link. Publishes nothing.',
    input: z.object({ session_id: sid, cell_id: cellId, variable }),
    output: z.object({
      artifact_id: z.string(),
      version: z.int(),
      exposes: z.array(z.string()),
      step_count: z.int(),
      reads_source_of: z.array(z.string()),
      note: z.string(),
    }),
    async run(call, { session_id, cell_id, variable: name }) {
      const { row, session } = await stored(call, session_id, cell_id, name);
      const steps = lineageSteps((uri) => session.views.results.storage.record(uri), row, SHOWN_DEPTH);
      const size = row.rowCount === null ? '' : `, ${row.rowCount} rows`;
      return {
        result: {
          artifact_id: row.id,
          version: row.version,
          exposes: [
            `the value of ${name} (${row.contentType}${size}, ${row.byteSize} bytes)`,
            'the digests of the value and of its provenance',
          ],
          step_count: steps.length,
          // Only the value is copied to the artifact store; its sources stay in the notebook.
          reads_source_of: [],
          note: 'Everyone who has the link can read this. A published value cannot be changed; the publication can be withdrawn.',
        },
      };
    },
  }),
  promote: defineTool({
    scope: 'notebook:write',
    title: 'Promote a result to the team store',
    description: 'Give a stored variable a name in the team store.',
    input: z.object({
      session_id: sid,
      cell_id: cellId,
      variable,
      name: z.string().min(1).max(512),
      alias: z.string().max(128).nullish(),
      tags: z.record(z.string(), z.string()).nullish(),
    }),
    output: z.object({
      status: z.enum(['pending', 'applied']),
      name: z.string(),
      artifact_uri: z.string(),
      copied: z.int(),
      alias: text,
      store: z.string(),
    }),
    destructive: true,
    async run(call, { session_id, cell_id, variable: name }) {
      await stored(call, session_id, cell_id, name);
      throw new ToolRefusal('This server has no team store, so results cannot be promoted.', 'conflict');
    },
  }),
  publish: defineTool({
    scope: 'artifacts:publish',
    title: 'Publish a result',
    description:
      'Copy a stored variable to the artifact store and publish it: everyone with the token can read it. Call publish_preflight first and ask the person. The token is shown only once.',
    input: z.object({
      session_id: sid,
      cell_id: cellId,
      variable,
      title: z.string().trim().max(512).nullish(),
    }),
    output: z.object({
      token: z.string(),
      id: z.string(),
      artifact_uri: z.string(),
      title: text,
      content_sha256: text,
      copied: z.int(),
    }),
    destructive: true,
    async run(call, { session_id, cell_id, variable: name, title }) {
      const { row, session } = await stored(call, session_id, cell_id, name);
      try {
        const { artifact, copied } = await copyToStore(call, session, { row, name });
        const { publications } = await call.registry.open();
        const description = { title: title ?? null, authors: [], externalIds: [] };
        const { publication, token } = publications.publish(artifact, description, call.caller.party);
        if (token !== null) await notifyWindows(call, session_id, `published ${name}`);
        return {
          result: {
            token: token ?? '',
            id: publication.publicationId,
            artifact_uri: uriOf(artifact),
            title: publication.title,
            content_sha256: publication.contentSha256,
            copied,
          },
        };
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error;
        throw new ToolRefusal(error.message, error.code);
      }
    },
  }),
};

async function stored(call: ToolCall, session_id: string, cell_id: string, name: string) {
  const session = call.session(session_id);
  return { session, row: storedVariable(session, await readCell(call, session_id, cell_id), name) };
}

/**
 * Copies the bytes under their provenance; existing ones are reused.
 * @throws RegistryError, ToolRefusal
 */
async function copyToStore(
  { registry: service, caller: { party } }: ToolCall,
  session: Session,
  { row, name }: { readonly row: ArtifactRow; readonly name: string },
): Promise<{ readonly artifact: VersionRow; readonly copied: number }> {
  const registry = await service.open();
  const there = registry.readyByProvenance(row.provenanceHash, party);
  if (there !== null) return { artifact: there, copied: 0 };
  const file = await session.views.results.artifactFile(`svc://artifact/${row.id}@v=${row.version}`);
  if (file.kind !== 'file') throw new ToolRefusal('The stored result no longer exists. Run the cell again.');
  const fd = openToRead(file.path, { maxBytes: Number.POSITIVE_INFINITY });
  const blob = await registry.receive(createReadStream(file.path, { fd }), Number.POSITIVE_INFINITY);
  try {
    const artifact = await registry.putByProvenance(
      {
        provenanceHash: row.provenanceHash,
        contentType: row.contentType,
        artifactId: null,
        rowCount: row.rowCount,
        schemaJson: row.schemaJson,
        details: {
          variable_name: name,
          ...(row.params['build_env'] === undefined ? {} : { build_env: row.params['build_env'] }),
        },
        blob,
      },
      party,
    );
    return { artifact, copied: 1 };
  } finally {
    registry.discard(blob);
  }
}
