/** Contract of the route that changes the layout of a notebook's app view. */

import { appEdit, appLayout } from '../appLayout.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

/** The route about the layout of the app view (docs/apps.md). */
export const APP_ROUTES = {
  setAppLayout: {
    method: 'PUT',
    path: '/v1/notebooks/{sid}/x/app',
    summary: 'Change values of the app view’s layout in notebook.toml; null removes one, an absent one stays',
    scope: 'notebook:write',
    params: sessionParams,
    body: appEdit,
    response: appLayout,
    errors: [403, 404, 409],
  },
} as const satisfies Record<string, RouteContract>;
