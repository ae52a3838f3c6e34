/** Handlers of the routes about names in the artifact store: their aliases, approvals of changes, and the audit log. */

import type { REGISTRY_ROUTES } from '../../../src-shared/wire/routes/registry.ts';
import { artifactUri, nameUri } from '../../artifacts/uri.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import { changedInputs, ERROR_MARK, staleReason } from '../../dataPlane/changedInputs.ts';
import type { PendingChange } from '../../registry/names.ts';
import type { Registry } from '../../registry/registry.ts';
import type { RegistryService } from '../../registry/registryService.ts';
import type { Party } from '../../registry/versionRow.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { partyOf, refOf } from './registryParty.ts';

/** Tags that notebooks set themselves, which the summary leaves out. */
const NOTEBOOK_TAG = /^nb_/;

/** The handlers of the routes about names of artifacts. */
export function registryHandlers({
  registry: service,
  dataPlane,
}: {
  readonly registry: RegistryService;
  readonly dataPlane: Pick<DataPlane, 'inputVersions' | 'moveTableTags'>;
}): HandlersOf<typeof REGISTRY_ROUTES> {
  return {
    async listNames({ caller }) {
      const rows = (await service.open()).names.all(partyOf(caller));
      return {
        names: rows.map(({ name, artifact_id, version, updated_at }) => ({
          name,
          artifact_uri: artifactUri(artifact_id, version),
          updated_at,
        })),
      };
    },
    async setName({ body, caller }) {
      const ref = refOf(body);
      (await service.open()).names.set(body.name, ref, partyOf(caller));
      return { name_uri: nameUri(body.name), artifact_uri: artifactUri(ref.id, ref.version) };
    },
    async nameStatus({ params, caller, wanted: signalOf }) {
      const registry = await service.open();
      const party = partyOf(caller);
      const { artifact_id, version } = registry.names.get(params.name, party);
      const { inputVersions } = registry.get({ id: artifact_id, version }, party);
      const now = await dataPlane.inputVersions(Object.keys(inputVersions), party, signalOf());
      return statusOfName(registry, params.name, { party, now });
    },
    async listAliases({ params, caller }) {
      const aliases = (await service.open()).names.aliases(params.name, partyOf(caller));
      return { name: params.name, aliases: [...aliases] };
    },
    async getAlias({ params, caller }) {
      const registry = await service.open();
      const party = partyOf(caller);
      const { artifact_id, version } = registry.names.alias(params.name, params.alias, party);
      const { state } = registry.get({ id: artifact_id, version }, party);
      return { ...params, artifact_uri: artifactUri(artifact_id, version), artifact_id, version, state };
    },
    async setAlias({ params: { name, alias }, body, caller, wanted: signalOf }) {
      const ref = refOf(body);
      const party = partyOf(caller);
      const status = (await service.open()).names.setAlias({ name, alias, ref }, party);
      // Also when the alias was there already: a table that could not be reached then is tried again.
      if (status !== 'pending') await dataPlane.moveTableTags(alias, ref, party, signalOf());
      return status === 'pending'
        ? { status, name, alias, detail: `The alias "${alias}" is protected. The change waits for approval.` }
        : { status, name, alias, artifact_uri: artifactUri(ref.id, ref.version) };
    },
    async deleteAlias({ params: { name, alias }, caller }) {
      return { status: (await service.open()).names.removeAlias(name, alias, partyOf(caller)), name, alias };
    },
    async getName({ params, caller }) {
      const { artifact_id, version, updated_at } = (await service.open()).names.get(
        params.name,
        partyOf(caller),
      );
      return { artifact_uri: artifactUri(artifact_id, version), version, updated_at };
    },
    async deleteName({ params, caller }) {
      (await service.open()).names.remove(params.name, partyOf(caller));
      return { status: 'deleted', name: params.name };
    },
    async registrySummary({ caller }) {
      const registry = await service.open();
      const party = partyOf(caller);
      return { names: registry.names.all(party).map((row) => summaryOf(registry, row, party)) };
    },
    async registryArtifacts({ query, caller }) {
      const registry = await service.open();
      const party = partyOf(caller);
      const tagged = registry.tags.find({ key: query.tag_key, value: query.tag_value ?? null }, party);
      const names = registry.names.all(party);
      return {
        artifacts: tagged.map(({ id, version, value }) => ({
          artifact_id: id,
          version,
          uri: artifactUri(id, version),
          tag_value: value,
          names: names
            .filter((row) => row.artifact_id === id && row.version === version)
            .map(({ name }) => name),
          tags: registry.tags.of({ id, version }, party),
        })),
      };
    },
    async registryPending({ caller }) {
      return { pending: [...(await service.open()).names.pending(partyOf(caller))] };
    },
    async approvePending({ body, caller, wanted: signalOf }) {
      const party = partyOf(caller);
      const change = (await service.open()).names.approve(body.name, body.alias, party);
      const { action, alias, artifact_id, version } = change;
      if (action === 'set' && artifact_id !== null && version !== null) {
        await dataPlane.moveTableTags(alias, { id: artifact_id, version }, party, signalOf());
      }
      return { status: 'approved', applied: decided(change) };
    },
    async rejectPending({ body, caller }) {
      const change = (await service.open()).names.reject(body.name, body.alias, partyOf(caller));
      return { status: 'rejected', rejected: decided(change) };
    },
    async registryAudit({ query, caller }) {
      const { name = null, artifact_id = null, limit } = query;
      const entries = (await service.open()).audit.entries(
        { name, artifactId: artifact_id, limit },
        partyOf(caller),
      );
      return { entries: [...entries] };
    },
    async registryEvents({ query, caller }) {
      const { events, next } = (await service.open()).audit.events(query, partyOf(caller));
      return { events: [...events], next };
    },
  };
}

function decided({ name, alias, action, artifact_id, version, requested_by }: PendingChange) {
  return { name, alias, action, artifact_id, version, requested_by };
}

function summaryOf(
  registry: Registry,
  {
    name,
    artifact_id,
    version,
  }: { readonly name: string; readonly artifact_id: string; readonly version: number },
  party: Party,
) {
  const tags = Object.entries(registry.tags.of({ id: artifact_id, version }, party));
  const aliases = registry.names.aliases(name, party);
  return {
    tenant: party.tenant,
    name,
    artifact_id,
    version,
    uri: artifactUri(artifact_id, version),
    aliases: Object.fromEntries(aliases.map((row) => [row.alias, row.version])),
    tags: Object.fromEntries(tags.filter(([key]) => !NOTEBOOK_TAG.test(key))),
    // Only the notebooks know the cells that read a name.
    readers: [],
  };
}

/** An input that cannot be resolved counts as changed. */
function statusOfName(
  registry: Registry,
  name: string,
  { party, now }: { readonly party: Party; readonly now: Readonly<Record<string, string>> },
) {
  const { artifact_id, version, updated_at } = registry.names.get(name, party);
  const row = registry.get({ id: artifact_id, version }, party);
  const entries = Object.entries(now).map(([uri, errorText]) => [
    uri,
    errorText.startsWith(ERROR_MARK) ? '<unavailable>' : errorText,
  ]);
  const changed = changedInputs(row, Object.fromEntries(entries)).map(
    ({ input_uri, old_version, new_version }) => ({
      input_uri,
      old_version: old_version ?? '',
      new_version: new_version ?? '<unavailable>',
    }),
  );
  const isStale = changed.length > 0;
  return {
    name,
    artifact_uri: artifactUri(artifact_id, version),
    artifact_id,
    version,
    state: row.state,
    updated_at,
    input_versions: row.inputVersions,
    is_stale: isStale,
    stale_reason: staleReason(changed),
    changed_inputs: isStale ? changed : null,
  };
}
