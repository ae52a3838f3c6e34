/** The wire form of the results of a cell's tests, and of drafts of test files. */

import * as z from 'zod';

/** One test of a cell with its result (docs/spec/rest-notebooks.md, 5.2). */
export const testCase = z.object({
  name: z.string(),
  nodeid: z.string(),
  outcome: z.enum(['passed', 'failed', 'error', 'skipped']),
  /** Pytest's message for a failure; the reason for a skip; empty if it passed. */
  message: z.string(),
  /** Extension: the line of the failure in the test file, from 1. */
  line: z.number().int().nullable().optional(),
  /** Extension. */
  duration_ms: z.number().optional(),
});
export type TestCase = z.infer<typeof testCase>;

/** The common part of all forms of a cell's test results (docs/spec/rest-notebooks.md, 5.2). */
export const testCounts = z.object({
  passed: z.number().int(),
  failed: z.number().int(),
  errored: z.number().int(),
  skipped: z.number().int(),
  tests: z.array(testCase),
  pytest_unavailable: z.boolean(),
  /** Epoch milliseconds. */
  ran_at: z.number(),
  /** Extension: why pytest is missing. */
  problem: z.string().optional(),
});

/** The last results of a cell's tests, in the cell and in runtime.json (docs/spec/rest-notebooks.md, 2.2). */
export const testResult = testCounts.extend({
  cell_source_hash: z.string(),
  test_source_hash: z.string(),
  input_fingerprint: z.string(),
  auto_installed: z.array(z.string()),
  /** The cell, its tests or an input has changed since they ran. */
  stale: z.boolean(),
});
export type TestResult = z.infer<typeof testResult>;
/** Staleness is computed, never stored. */
export type StoredTestResult = Omit<TestResult, 'stale'>;
export const storedTestResult = testResult.omit({ stale: true });

/**
 * Extension: text typed into a test file that was changed externally in the meantime, until a user decides which
 * text stays.
 */
export const storedTestDraft = z.object({
  cell_id: z.string(),
  text: z.string(),
  /** The text that the edit started from. */
  base: z.string(),
});
export type StoredTestDraft = z.infer<typeof storedTestDraft>;
