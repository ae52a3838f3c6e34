/** Lists and loads the Iceberg tables of an AWS Glue data catalog. */

import { parseExactJson } from '../exactJson.ts';
import { IcebergError } from '../icebergError.ts';
import { isObject } from '../metadata/avroRecord.ts';
import { type AwsSigner, awsIdentity, createAwsSigner } from './awsSignature.ts';
import { boundedText } from './boundedText.ts';
import { type Catalog, type CatalogTable, noNamespace, noTable } from './catalog.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Maximum number of pages of a list to request. */
const MAX_PAGES = 1000;

/** The tables of an AWS Glue data catalog. A namespace is a database; only Iceberg tables are listed. */
export class GlueCatalog implements Catalog {
  readonly #endpoint: string;
  readonly #signer: AwsSigner;
  readonly #catalogId: string | null;

  /** @throws IcebergError without a region */
  constructor(properties: Properties) {
    const identity = awsIdentity(properties, { prefix: 'glue', service: 'glue' });
    const { 'glue.endpoint': endpoint, 'glue.id': id } = properties;
    const domain = identity.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    this.#endpoint =
      typeof endpoint === 'string' && endpoint !== ''
        ? endpoint
        : `https://glue.${identity.region}.${domain}/`;
    this.#signer = createAwsSigner(identity);
    this.#catalogId = typeof id === 'string' && id !== '' ? id : null;
  }

  async listNamespaces(signal: AbortSignal): Promise<readonly string[]> {
    const databases = await this.#pages('GetDatabases', 'DatabaseList', {}, signal);
    return databases.map(({ Name }) => String(Name)).sort();
  }

  async listTables(namespace: string, signal: AbortSignal): Promise<readonly string[]> {
    const missing = () => noNamespace(namespace);
    const tables = await this.#pages('GetTables', 'TableList', { DatabaseName: namespace }, signal, missing);
    return tables
      .flatMap((table) => (metadataLocation(table) === null ? [] : [String(table['Name'])]))
      .sort();
  }

  async loadTable(namespace: string, table: string, signal: AbortSignal): Promise<CatalogTable> {
    const missing = () => noTable(namespace, table);
    const { Table } = await this.#ask('GetTable', { DatabaseName: namespace, Name: table }, signal, missing);
    if (!isObject(Table)) throw unusable('its answer has no table');
    const location = metadataLocation(Table);
    if (location === null) {
      throw new IcebergError(
        'not_found',
        `${namespace}.${table} is in the catalog, but is not an Iceberg table.`,
      );
    }
    return { metadataLocation: location, metadata: null, config: {} };
  }

  async #pages(
    action: string,
    key: string,
    request: Properties,
    signal: AbortSignal,
    missing?: () => IcebergError,
  ): Promise<readonly Properties[]> {
    const items: Properties[] = [];
    let token: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const body: Properties = token === null ? request : { ...request, NextToken: token };
      const answer: Properties = await this.#ask(action, body, signal, missing);
      const some = answer[key];
      if (Array.isArray(some)) items.push(...some.filter(isObject));
      const { NextToken: next } = answer;
      if (typeof next !== 'string' || next === '') return items;
      token = next;
    }
    throw unusable('its list does not end');
  }

  async #ask(
    action: string,
    request: Properties,
    signal: AbortSignal,
    missing?: () => IcebergError,
  ): Promise<Properties> {
    const body = JSON.stringify(
      this.#catalogId === null ? request : { ...request, CatalogId: this.#catalogId },
    );
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSGlue.${action}` };
    const signed = await this.#signer.sign({ method: 'POST', url: this.#endpoint, headers, body });
    try {
      // A redirect would send the signature to another server.
      const response = await fetch(this.#endpoint, {
        method: 'POST',
        headers: signed,
        body,
        signal,
        redirect: 'manual',
      });
      const text = await boundedText(response, () => unusable('its answer is too long'));
      if (response.ok) {
        const answer = parseExactJson(text);
        if (isObject(answer)) return answer;
        throw unusable('its answer is not valid');
      }
      const error = errorOf(text);
      if (error.name === 'EntityNotFoundException' && missing !== undefined) throw missing();
      const isRefused = response.status === 401 || response.status === 403;
      throw unusable(`it ${isRefused ? 'refuses the keys:' : 'answers'} ${response.status}${error.text}`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof IcebergError) throw error;
      if (error instanceof SyntaxError) throw unusable('its answer is not JSON', error);
      throw unusable('it cannot be reached', error);
    }
  }

  async close(): Promise<void> {}
}

/** The location of a table's metadata; null for a table that is not an Iceberg table. */
function metadataLocation({ Parameters: parameters }: Properties): string | null {
  if (!isObject(parameters)) return null;
  const { table_type: type, metadata_location: location } = parameters;
  return typeof type === 'string' && type.toUpperCase() === 'ICEBERG' && typeof location === 'string'
    ? location
    : null;
}

/** The name and message of an AWS error. */
function errorOf(text: string): { readonly name: string; readonly text: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { name: '', text: '' };
  }
  if (!isObject(body)) return { name: '', text: '' };
  const { __type: type, message, Message } = body;
  const name = typeof type === 'string' ? (type.split('#').at(-1) ?? '') : '';
  const messageText = typeof message === 'string' ? message : typeof Message === 'string' ? Message : '';
  return { name, text: ` ${[name, messageText].filter((part) => part !== '').join(': ')}`.trimEnd() };
}

function unusable(why: string, cause?: unknown): IcebergError {
  return new IcebergError('unavailable', `The Glue catalog cannot be used: ${why}.`, { cause });
}
