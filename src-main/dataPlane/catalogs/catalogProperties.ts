/** Finds secrets in the properties of an Iceberg catalog, and fills in their variables. */

import type { CatalogProperties } from '../../iceberg/catalog/openCatalog.ts';

/** Properties as a user enters them: all are text. */
export type TypedProperties = Readonly<Record<string, string>>;

const SECRET = /secret|password|token|credential|access-key|account-key|sas|connection-string|^header\./i;
const REFERENCE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;
/** Matches `scheme://user:password@`. */
const PASSWORD = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/@:]*:)([^@]*)@/;

/** Whether a property is a secret, which no file or reply may contain. `oauth2-server-uri` and the like are not. */
export function isSecret(key: string): boolean {
  return SECRET.test(key) && !/(?:uri|endpoint|anonymous)$/i.test(key);
}

/** Whether a text is one variable, `${NAME}`, which refers to the value without containing it. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** Whether a URL contains a password that is not a variable. */
export function hasPassword(value: string): boolean {
  const [, , password = ''] = PASSWORD.exec(value) ?? [];
  return password !== '' && !isReference(password);
}

/** The properties without secrets, and the names of the omitted ones. */
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
 * The properties with every `${NAME}` replaced by its variable; in a URL the value is percent-encoded.
 * @returns the names of variables without a value instead, if there are any
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
