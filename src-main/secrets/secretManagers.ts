/** The secret managers that the server supports, for notebooks that name one in `[secret_manager]`. */

import { plainUrl } from './infisical.ts';
import type { FetchedSecrets, SecretProvider } from './secretProvider.ts';

/** The `[secret_manager]` table of a notebook. */
type SecretManagerConfig = Readonly<Record<string, string>>;

/** The secret managers this server supports, for the requests of notebooks. */
export interface SecretManagers {
  /**
   * Why a notebook may not have this configuration, or null: it names a manager or a host that this server does not
   * have.
   */
  whyRefused(config: SecretManagerConfig): string | null;
  fetch(
    config: SecretManagerConfig,
    signal: AbortSignal,
  ): Promise<FetchedSecrets & { readonly provider: string }>;
}

/** The default environment in a manager (docs/spec/rest-notebooks.md, 7). */
const DEFAULT_ENVIRONMENT = 'dev';
const DEFAULT_PATH = '/';

export function createSecretManagers(providers: readonly SecretProvider[]): SecretManagers {
  const ids = providers.map(({ id }) => `"${id}"`).join(', ');
  const providerOf = ({ provider }: SecretManagerConfig): SecretProvider | undefined =>
    providers.find(({ id }) => id === provider);

  function whyRefused(config: SecretManagerConfig): string | null {
    const provider = providerOf(config);
    if (provider === undefined) {
      return config['provider'] === undefined
        ? `No secret manager is named. This server supports ${ids}.`
        : `This server does not support the secret manager "${config['provider']}", only ${ids}.`;
    }
    const { base_url: baseUrl } = config;
    if (baseUrl === undefined || sameUrl(baseUrl, provider.baseUrl)) return null;
    return `The address ${shown(baseUrl)} is not the one this server is configured for (${provider.baseUrl}). Leave it out, or start the server with that address.`;
  }

  return {
    whyRefused,
    async fetch(config, signal) {
      const provider = providerOf(config);
      const about = { provider: provider?.id ?? '' };
      const refused = whyRefused(config);
      if (refused !== null || provider === undefined) {
        return { kind: 'problem', problem: refused ?? '', ...about };
      }
      const projectId = config['project_id'];
      if (projectId === undefined) {
        return { kind: 'problem', problem: 'No project is named: set project_id.', ...about };
      }
      const { environment = DEFAULT_ENVIRONMENT, path = DEFAULT_PATH } = config;
      return { ...(await provider.fetch({ projectId, environment, path }, signal)), ...about };
    },
  };
}

/** Whether two URLs are equal in any notation: case of the host, default port, trailing slash. */
function sameUrl(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const [one, other] = [new URL(plainUrl(a)), new URL(plainUrl(b))];
  return one.href === other.href;
}

/** A URL without the user name and password in it. */
function shown(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return `"${baseUrl}"`;
  const url = new URL(baseUrl);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
