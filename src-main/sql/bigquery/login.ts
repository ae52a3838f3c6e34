import { type AuthClient, JWT, UserRefreshClient } from 'google-auth-library';
import { SqlError } from '../sqlError.ts';
import type { KeyFile } from './settings.ts';

const SCOPES = ['https://www.googleapis.com/auth/bigquery'];

/**
 * Who a key file speaks for. Only the two kinds whose content is all there is to them: other kinds name files,
 * addresses and programs of the machine that read them, which a notebook shall not have run. Those belong into the
 * surroundings' own credentials.
 * @throws SqlError for another kind, or half a key
 */
export function loginOf(key: KeyFile): AuthClient {
  if (key['type'] === 'service_account') {
    const jwt = new JWT({ email: text(key, 'client_email'), key: text(key, 'private_key'), scopes: SCOPES });
    // It signs its tokens itself: no request to another server before the first query.
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
