/** All rows of the soundness test, by kind. */

import { ANALYSIS } from './analysis.ts';
import { CLASSES } from './classes.ts';
import { EDITS } from './edits.ts';
import { ENDINGS } from './endings.ts';
import { ENVIRONMENT } from './environment.ts';
import { FILES } from './files.ts';
import { FILES_READ } from './filesRead.ts';
import { FUNCTIONS } from './functions.ts';
import { IN_PLACE } from './inPlace.ts';
import { IN_PLACE_CODE } from './inPlaceCode.ts';
import { IN_PLACE_KINDS } from './inPlaceKinds.ts';
import { MODULES } from './modules.ts';
import { MODULES_EDITED } from './modulesEdited.ts';
import { MOUNTS } from './mounts.ts';
import { NAMES } from './names.ts';
import { NOCACHE } from './nocache.ts';
import { PROCESS_SETTINGS } from './processSettings.ts';
import { PROCESS_STATE } from './processState.ts';
import { RERUNS } from './reruns.ts';
import type { RowsOfKind } from './row.ts';
import { SCOPES } from './scopes.ts';
import { SYNTAX } from './syntax.ts';
import { UNPICKLABLE } from './unpicklable.ts';
import { VALUES } from './values.ts';
import { VALUE_TYPES } from './valueTypes.ts';
import { WRITTEN } from './written.ts';

export const EVERY_ROW: readonly RowsOfKind[] = [
  { kind: 'scopes', rows: SCOPES },
  { kind: 'functions', rows: FUNCTIONS },
  { kind: 'classes', rows: CLASSES },
  { kind: 'values', rows: VALUES },
  { kind: 'valueTypes', rows: VALUE_TYPES },
  { kind: 'unpicklable', rows: UNPICKLABLE },
  { kind: 'analysis', rows: ANALYSIS },
  { kind: 'names', rows: NAMES },
  { kind: 'syntax', rows: SYNTAX },
  { kind: 'endings', rows: ENDINGS },
  { kind: 'inPlace', rows: IN_PLACE },
  { kind: 'inPlaceKinds', rows: IN_PLACE_KINDS },
  { kind: 'inPlaceCode', rows: IN_PLACE_CODE },
  { kind: 'processState', rows: PROCESS_STATE },
  { kind: 'processSettings', rows: PROCESS_SETTINGS },
  { kind: 'modules', rows: MODULES },
  { kind: 'modulesEdited', rows: MODULES_EDITED },
  { kind: 'files', rows: FILES },
  { kind: 'filesRead', rows: FILES_READ },
  { kind: 'mounts', rows: MOUNTS },
  { kind: 'written', rows: WRITTEN },
  { kind: 'environment', rows: ENVIRONMENT },
  { kind: 'nocache', rows: NOCACHE },
  { kind: 'reruns', rows: RERUNS },
  { kind: 'edits', rows: EDITS },
];
