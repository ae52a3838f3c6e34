/** Contracts of the routes that add a variant to a group and choose the active one. */

import * as z from 'zod';
import { cell, variantGroup } from '../cell.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const PREFIX = '/v1/notebooks/{sid}/variant-groups/{group_id}';
const groupParams = sessionParams.extend({ group_id: z.string() });
const groups = { variant_groups: z.array(variantGroup), cells: z.array(cell) };

export const VARIANT_ROUTES = {
  addVariant: {
    method: 'POST',
    path: `${PREFIX}/variants`,
    summary: 'Copy the active variant of a group after its last one and make it active',
    scope: 'notebook:write',
    params: groupParams,
    response: z.object({ new_variant_name: z.string(), new_cell_id: z.string(), ...groups }),
    errors: [404, 409],
  },
  chooseVariant: {
    method: 'PUT',
    path: PREFIX,
    summary: 'Choose the active variant of a group, or whether one or all of them run',
    scope: 'notebook:write',
    params: groupParams,
    body: z.object({
      /** Empty: the first member. An unknown name is stored, and the first member is active. */
      active: z
        .string()
        .regex(/^([\p{L}_][\p{L}\p{N}_]*)?$/u)
        .nullish(),
      mode: z.enum(['switch', 'sweep']).nullish(),
    }),
    response: z.object(groups),
    errors: [400, 404, 409, 422],
  },
} as const satisfies Record<string, RouteContract>;
