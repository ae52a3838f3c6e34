/** The permissions (scopes) that routes and frames require of a client. */

/**
 * Who may call what (docs/spec/rest-core.md, 4). `none` marks routes that need no credential; `any` accepts every
 * credential.
 */
export type Scope =
  | 'none'
  | 'any'
  | 'notebook:read'
  | 'notebook:write'
  | 'notebook:execute'
  | 'artifacts:write'
  | 'artifacts:publish'
  | 'artifacts:pin'
  | 'admin:cache'
  | 'admin:registry'
  | 'admin:notebooks'
  | 'admin:notebook-workers'
  | 'admin:*';
