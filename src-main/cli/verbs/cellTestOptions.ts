import type { parseArguments } from '../arguments.ts';
import { TARGET_OPTIONS } from '../place/target.ts';
import { TEST_OPTIONS } from './cellRunning.ts';

/** The options of `svc cell test`, for folders and servers. */
export const CELL_TEST_OPTIONS = { ...TEST_OPTIONS, ...TARGET_OPTIONS };

/** The parsed command line of `svc cell test`. */
export type TestArguments = ReturnType<typeof parseArguments<typeof CELL_TEST_OPTIONS>>;
