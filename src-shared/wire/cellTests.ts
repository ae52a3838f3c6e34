import * as z from 'zod';

/** One test of a cell and how it went (rest-notebooks 2, 5.2, 5.3). */
export const testCase = z.object({
  name: z.string(),
  nodeid: z.string(),
  outcome: z.enum(['passed', 'failed', 'error', 'skipped']),
  /** Why it failed, in pytest's words; why it was skipped; empty where it passed. */
  message: z.string(),
  /** Ours: where in the test file it failed, from 1. */
  line: z.number().int().nullable().optional(),
  /** Ours. */
  duration_ms: z.number().optional(),
});
export type TestCase = z.infer<typeof testCase>;

/** What every form of a cell's test results carries (rest-notebooks 2, 5.2, 5.3). */
export const testCounts = z.object({
  passed: z.number().int(),
  failed: z.number().int(),
  errored: z.number().int(),
  skipped: z.number().int(),
  tests: z.array(testCase),
  pytest_unavailable: z.boolean(),
  /** Epoch milliseconds. */
  ran_at: z.number(),
  /** Ours: why pytest is not there, in words. */
  problem: z.string().optional(),
});

/** The last results of a cell's tests, as the cell carries them and runtime.json keeps them (rest-notebooks 2.2). */
export const testResult = testCounts.extend({
  cell_source_hash: z.string(),
  test_source_hash: z.string(),
  input_fingerprint: z.string(),
  auto_installed: z.array(z.string()),
  /** The cell, its tests or something it reads is not what it was when they ran. */
  stale: z.boolean(),
});
export type TestResult = z.infer<typeof testResult>;
/** Staleness is computed, never kept. */
export type KeptTestResult = Omit<TestResult, 'stale'>;
export const keptTestResult = testResult.omit({ stale: true });

/** Ours: words typed into a test file that somebody else changed meanwhile, until a person says which text stays. */
export const keptTestDraft = z.object({
  cell_id: z.string(),
  text: z.string(),
  /** The text they were made from. */
  base: z.string(),
});
export type KeptTestDraft = z.infer<typeof keptTestDraft>;
