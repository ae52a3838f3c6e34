/** The commands that read the artifact store: `svc artifact list`, `show`, `lineage`, `audit` and `pending`. */

import { listEntry } from '../../../registry/storeFigures.ts';
import { uriOf, type VersionState } from '../../../registry/versionRow.ts';
import { UsageError } from '../../arguments.ts';
import {
  bytesText,
  noArgument,
  numberOption,
  onlyArgument,
  resolveVersion,
  storeCommand,
  textOption,
  timeText,
} from './storeCommand.ts';

const STATES: readonly string[] = ['building', 'ready', 'superseded', 'failed'] satisfies VersionState[];

export const artifactList = storeCommand({
  usage: '',
  options: {
    state: {
      type: 'string',
      takes: 'STATE',
      says: 'Only versions in this state: building, ready, superseded or failed.',
    },
    limit: { type: 'string', takes: 'N', says: 'Maximum number of entries. Default: 50.' },
  },
  async run(on) {
    noArgument(on);
    const { registry, party, values } = on;
    const state = textOption(values, 'state') ?? null;
    if (state !== null && !STATES.includes(state)) {
      throw new UsageError(`--state must be one of ${STATES.join(', ')}, not ${state}`);
    }
    const rows = registry.list(
      {
        limit: Math.floor(numberOption(values, 'limit', 1) ?? 50),
        offset: 0,
        namePrefix: null,
        since: null,
        state: state as VersionState | null,
        sort: 'created_at',
        order: 'desc', // checked above
      },
      party,
    );
    const names = new Map(
      registry.names.all(party).map((one) => [`${one.artifact_id}@v=${one.version}`, one.name]),
    );
    const human = rows.map((row) => {
      const name = names.get(`${row.id}@v=${row.version}`);
      const facts = [timeText(row.createdAt), row.state.padEnd(10), bytesText(row.byteSize).padStart(10)];
      return `${facts.join('  ')}  ${row.id}@v=${row.version}${name === undefined ? '' : `  (${name})`}`;
    });
    return {
      answer: { artifacts: rows.map(listEntry) },
      human: human.join('\n') || 'No matching versions.',
    };
  },
});

export const artifactShow = storeCommand({
  usage: 'REF',
  async run(on) {
    const { registry, party } = on;
    const row = resolveVersion(on, onlyArgument(on, 'artifact'));
    const names = registry.names
      .all(party)
      .filter((one) => one.artifact_id === row.id && one.version === row.version)
      .map(({ name }) => name);
    const tags = registry.tags.of(row, party);
    const answer = {
      ...listEntry(row),
      content_type: row.contentType,
      content_sha256: row.contentSha256,
      provenance_hash: row.provenanceHash,
      principal: row.principal,
      input_versions: row.inputVersions,
      names,
      tags,
      superseded_by: row.supersededBy,
    };
    const lines: readonly (readonly [string, string])[] = [
      ['address', uriOf(row)],
      ['state', row.state],
      ['kind', row.contentType],
      ['size', bytesText(row.byteSize)],
      ['rows', row.rowCount === null ? '-' : String(row.rowCount)],
      ['created', timeText(row.createdAt)],
      ['by', row.principal ?? '-'],
      ['sha256', row.contentSha256 ?? '-'],
      ['names', names.join(', ') || '-'],
      [
        'tags',
        Object.entries(tags)
          .map(([key, value]) => `${key}=${value}`)
          .join(', ') || '-',
      ],
      ['inputs', Object.keys(row.inputVersions).join(', ') || '-'],
    ];
    return { answer, human: lines.map(([key, value]) => `${key.padEnd(8)} ${value}`).join('\n') };
  },
});

export const artifactLineage = storeCommand({
  usage: 'REF',
  options: {
    'max-depth': { type: 'string', takes: 'N', says: 'Number of levels, at most 100. Default: 10.' },
  },
  async run(on) {
    const { registry, party, values } = on;
    const row = resolveVersion(on, onlyArgument(on, 'artifact'));
    const depth = Math.min(100, Math.floor(numberOption(values, 'max-depth', 1) ?? 10));
    const lineage = registry.lineage(row, depth, party);
    const human = lineage.edges.map(({ from_uri, to_uri }) => `${from_uri} -> ${to_uri}`);
    return { answer: lineage, human: human.join('\n') || `${uriOf(row)} has no stored inputs.` };
  },
});

export const artifactAudit = storeCommand({
  usage: '[NAME]',
  options: { limit: { type: 'string', takes: 'N', says: 'Maximum number of entries. Default: 50.' } },
  async run({ registry, party, values, positionals }) {
    const [name = null, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`unexpected argument \`${more[0]}\``);
    const limit = Math.floor(numberOption(values, 'limit', 1) ?? 50);
    const entries = registry.audit.entries({ name, artifactId: null, limit }, party);
    const human = entries.map((entry) => {
      const what = [entry.name, entry.alias, entry.key].filter((part) => part !== null).join(' ');
      return `${timeText(entry.at)}  ${entry.action}  ${what}  ${entry.actor ?? '-'}`;
    });
    return { answer: { entries }, human: human.join('\n') || 'There are no changes.' };
  },
});

export const artifactPending = storeCommand({
  usage: '',
  async run(on) {
    noArgument(on);
    const pending = on.registry.names.pending(on.party);
    const human = pending.map(
      ({ name, alias, action, requested_by }) => `${name}@${alias}  ${action}  by ${requested_by ?? '-'}`,
    );
    return { answer: { pending }, human: human.join('\n') || 'No changes wait for approval.' };
  },
});
