/** Client of Iceberg catalogs with a REST interface: lists, loads and changes their tables. */

import { exactJsonText, parseExactJson } from '../exactJson.ts';
import { conflict, IcebergError } from '../icebergError.ts';
import { isObject } from '../metadata/avroRecord.ts';
import { type AwsSigner, awsIdentity, createAwsSigner } from './awsSignature.ts';
import { boundedText } from './boundedText.ts';
import { type Catalog, type CatalogTable, noNamespace, noTable } from './catalog.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Maximum number of pages of a list to request. */
const MAX_PAGES = 1000;
/** Joins the parts of a nested namespace in a URL. */
const UNIT_SEPARATOR = '\u001f';

/**
 * A catalog with Iceberg's REST interface; it logs in with a token, as an OAuth2 client, with requests signed
 * for AWS, or not at all.
 */
export class RestCatalog implements Catalog {
  readonly #uri: string;
  #properties: Properties;
  #prepared: Promise<void> | null = null;
  #token: string | null = null;
  #signer: AwsSigner | null = null;

  constructor(uri: string, properties: Properties) {
    this.#uri = uri.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#properties = properties;
  }

  async listNamespaces(signal: AbortSignal): Promise<readonly string[]> {
    const names: string[] = [];
    const ask = async (parent: readonly string[]): Promise<void> => {
      const query = parent.length === 0 ? {} : { parent: parent.join(UNIT_SEPARATOR) };
      for (const namespace of await this.#pages('namespaces', 'namespaces', query, signal)) {
        if (!Array.isArray(namespace)) continue;
        const parts = namespace.map(String);
        // Catalogs without nested namespaces return the same list for any parent.
        if (parts.length !== parent.length + 1) continue;
        names.push(parts.join('.'));
        await ask(parts);
      }
    };
    await ask([]);
    return names.sort();
  }

  async listTables(namespace: string, signal: AbortSignal): Promise<readonly string[]> {
    const tables = await this.#pages(
      `namespaces/${pathOf(namespace)}/tables`,
      'identifiers',
      {},
      signal,
      () => noNamespace(namespace),
    );
    return tables.flatMap((one) => (isObject(one) ? [String(one['name'])] : [])).sort();
  }

  async loadTable(namespace: string, table: string, signal: AbortSignal): Promise<CatalogTable> {
    await this.#prepare(signal);
    const path = `${this.#prefix()}namespaces/${pathOf(namespace)}/tables/${encodeURIComponent(table)}`;
    const answer = await this.#get(path, {}, signal, () => noTable(namespace, table));
    const location = answer['metadata-location'];
    if (!isObject(answer['metadata'])) throw unusable('it returned a table without metadata');
    return {
      metadataLocation: typeof location === 'string' ? location : String(answer['metadata']['location']),
      metadata: answer['metadata'],
      config: isObject(answer['config']) ? answer['config'] : {},
    };
  }

  /**
   * Sends a change.
   * @param missing the error for a 404 response
   * @throws IcebergError `conflict` for a 409 response
   */
  async send(
    path: string,
    body: unknown,
    signal: AbortSignal,
    missing?: () => IcebergError,
  ): Promise<Properties> {
    await this.#prepare(signal);
    const url = `${this.#uri}/v1/${this.#prefix()}${path}`;
    const text = exactJsonText(body);
    const headers = { ...this.#headers(), 'Content-Type': 'application/json' };
    const signedHeaders = (await this.#signer?.sign({ method: 'POST', url, headers, body: text })) ?? headers;
    return this.#ask(url, { method: 'POST', headers: signedHeaders, body: text, signal }, missing);
  }

  async #pages(
    path: string,
    key: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
    missing?: () => IcebergError,
  ): Promise<readonly unknown[]> {
    await this.#prepare(signal);
    const items: unknown[] = [];
    let pageToken = '';
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const pageQuery = pageToken === '' ? query : { ...query, pageToken };
      const answer = await this.#get(`${this.#prefix()}${path}`, pageQuery, signal, missing);
      const some = answer[key];
      if (Array.isArray(some)) items.push(...some);
      const next = answer['next-page-token'];
      if (typeof next !== 'string' || next === '') return items;
      pageToken = next;
    }
    throw unusable('its list does not end');
  }

  #prefix(): string {
    const prefix = this.#properties['prefix'];
    return typeof prefix === 'string' && prefix !== '' ? `${prefix}/` : '';
  }

  /** Logs in and requests the configuration for clients, once. */
  async #prepare(signal: AbortSignal): Promise<void> {
    this.#prepared ??= this.#start(signal);
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = null;
      throw error;
    }
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { 'rest.sigv4-enabled': isSigned, 'rest.signing-region': region } = this.#properties;
    if (String(isSigned) === 'true') {
      const { 'rest.signing-name': name = 'execute-api' } = this.#properties;
      const properties = region === undefined ? {} : { 'rest.region': region };
      const identity = awsIdentity(
        { ...this.#properties, ...properties },
        { prefix: 'rest', service: String(name) },
      );
      this.#signer = createAwsSigner(identity);
    }
    this.#token = typeof this.#properties['token'] === 'string' ? this.#properties['token'] : null;
    if (this.#token === null && typeof this.#properties['credential'] === 'string') {
      this.#token = await this.#login(this.#properties['credential'], signal);
    }
    const { warehouse } = this.#properties;
    const config = await this.#get('config', typeof warehouse === 'string' ? { warehouse } : {}, signal);
    const of = (key: string) => (isObject(config[key]) ? config[key] : {});
    this.#properties = { ...of('defaults'), ...this.#properties, ...of('overrides') };
  }

  async #login(credential: string, signal: AbortSignal): Promise<string> {
    const at = credential.indexOf(':');
    const server = this.#properties['oauth2-server-uri'];
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(at === -1 ? {} : { client_id: credential.slice(0, at) }),
      client_secret: credential.slice(at + 1),
      scope: typeof this.#properties['scope'] === 'string' ? this.#properties['scope'] : 'catalog',
    });
    const answer = await this.#ask(typeof server === 'string' ? server : `${this.#uri}/v1/oauth/tokens`, {
      method: 'POST',
      body: form,
      signal,
    });
    const token = answer['access_token'];
    if (typeof token !== 'string') throw unusable('its login response contains no token');
    return token;
  }

  async #get(
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
    missing?: () => IcebergError,
  ): Promise<Properties> {
    const search = new URLSearchParams(query).toString();
    const headers = this.#headers();
    const url = `${this.#uri}/v1/${path}${search === '' ? '' : `?${search}`}`;
    const signedHeaders = (await this.#signer?.sign({ method: 'GET', url, headers })) ?? headers;
    return this.#ask(url, { headers: signedHeaders, signal }, missing);
  }

  #headers(): Record<string, string> {
    const headers: Record<string, string> = { 'X-Iceberg-Access-Delegation': 'vended-credentials' };
    for (const [key, value] of Object.entries(this.#properties)) {
      if (key.startsWith('header.')) headers[key.slice('header.'.length)] = String(value);
    }
    if (this.#token !== null) headers['Authorization'] = `Bearer ${this.#token}`;
    return headers;
  }

  async #ask(url: string, init: RequestInit, missing?: () => IcebergError): Promise<Properties> {
    try {
      const response = await fetch(url, init);
      if (response.status === 404 && missing !== undefined) throw missing();
      if (response.status === 409) throw conflict();
      if (response.status === 401 || response.status === 403)
        throw unusable(`it rejected the login (${response.status})`);
      if (!response.ok) throw unusable(`it answers ${response.status}`);
      const answer = parseExactJson(await boundedText(response, () => unusable('its answer is too long')));
      if (!isObject(answer)) throw unusable('its answer is not valid');
      return answer;
    } catch (error) {
      init.signal?.throwIfAborted();
      if (error instanceof IcebergError) throw error;
      if (error instanceof SyntaxError) throw unusable('its answer is not JSON', error);
      throw unusable('it cannot be reached', error);
    }
  }

  async close(): Promise<void> {
    this.#token = null;
    this.#signer = null;
    this.#prepared = null;
  }
}

/** A nested namespace as a path segment of a URL. */
export function pathOf(namespace: string): string {
  return encodeURIComponent(namespace.split('.').join(UNIT_SEPARATOR));
}

function unusable(why: string, cause?: unknown): IcebergError {
  return new IcebergError('unavailable', `The REST catalog cannot be used: ${why}.`, { cause });
}
