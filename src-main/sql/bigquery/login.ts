/** Makes the credentials of a BigQuery connection from a key file. */

import { type AuthClient, JWT, UserRefreshClient } from 'google-auth-library';
import { SqlError } from '../sqlError.ts';
import type { KeyFile } from './settings.ts';

const SCOPES = ['https://www.googleapis.com/auth/bigquery'];

/**
 * The account of a key file. Only two kinds are accepted, whose content is complete: other kinds name files, URLs
 * and programs of the machine that reads them, which a notebook must not be able to use. Those kinds belong in the
 * credentials of the server's environment.
 * @throws SqlError for another kind, or an incomplete key
 */
export function loginOf(key: KeyFile): AuthClient {
  if (key['type'] === 'service_account') {
    const jwt = new JWT({ email: text(key, 'client_email'), key: text(key, 'private_key'), scopes: SCOPES });
    // It signs its tokens itself, so no request to another server is needed before the first query.
    jwt.useJWTAccessWithScope = true;
    return jwt;
  }
  if (key['type'] === 'authorized_user') {
    return new UserRefreshClient({
      clientId: text(key, 'client_id'),
      clientSecret: text(key, 'client_secret'),
      refreshToken: text(key, 'refresh_token'),
    });
  }
  throw new SqlError(
    'The key file is not of type service_account or authorized_user. Set GOOGLE_APPLICATION_CREDENTIALS on the server to it, and remove credentials_path.',
  );
}

function text(key: KeyFile, name: string): string {
  const value = key[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new SqlError(`The key file has no ${name}.`);
}
