/** Properties of a catalog: variables filled in, secrets recognized. */

import type { CatalogProperties } from '../../iceberg/catalog/openCatalog.ts';

/** Properties as a person types them: each a text. */
export type TypedProperties = Readonly<Record<string, string>>;

const SECRET = /secret|password|token|credential|access-key|account-key|sas|connection-string|^header\./i;
const REFERENCE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;
/** `scheme://user:password@`. */
const PASSWORD = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/@:]*:)([^@]*)@/;

/** Whether a property holds something that no file and no answer may have. `oauth2-server-uri` and the like do not. */
export function isSecret(key: string): boolean {
  return SECRET.test(key) && !/(?:uri|endpoint|anonymous)$/i.test(key);
}

/** Whether a text is one variable, `${NAME}`, which says where the value comes from and not what it is. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** The password in an address, where it has one that is no variable. */
export function hasPassword(value: string): boolean {
  const [, , password = ''] = PASSWORD.exec(value) ?? [];
  return password !== '' && !isReference(password);
}

/** The properties without what is secret, and the names of those that were left out. */
export function withoutSecrets(properties: CatalogProperties): {
  readonly properties: TypedProperties;
  readonly secrets: readonly string[];
} {
  const shownProperties: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [key, value] of Object.entries(properties)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (isSecret(key) && !isReference(text)) secrets.push(key);
    else shownProperties[key] = hasPassword(text) ? text.replace(PASSWORD, '$1…@') : text;
  }
  return { properties: shownProperties, secrets };
}

/**
 * The properties with every `${NAME}` replaced by its variable; in an address the value is percent-encoded.
 * @returns the names without a value instead, where there are some
 */
export function withVariables(
  properties: TypedProperties,
  env: Readonly<Record<string, string | undefined>>,
): { readonly properties: TypedProperties } | { readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const filled = Object.entries(properties).map(([key, text]) => {
    const value = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const setting = env[name];
      if (setting === undefined || setting === '') missing.add(name);
      return key === 'uri' ? encodeURIComponent(setting ?? '') : (setting ?? '');
    });
    return [key, value] as const;
  });
  return missing.size > 0 ? { missing: [...missing] } : { properties: Object.fromEntries(filled) };
}
