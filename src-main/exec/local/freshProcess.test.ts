import { expect, test } from 'vitest';
import { setsEnvironmentVariables } from './freshProcess.ts';

const sets: readonly string[] = [
  'import os\nos.environ["OMP_NUM_THREADS"] = "1"',
  "os.environ['A'] += 'x'",
  'os.environ[names[0]] = "x"',
  'os.environ["A"], x = "1", 2',
  'os.environ.update(A="1")',
  'os.environ.setdefault("KERAS_BACKEND", "torch")',
  'os.environ |= {"A": "1"}',
  'os.environ.pop("A", None)',
  'del os.environ["A"]',
  'env = os.environ\nenv["A"] = "1"',
  'from os import environ as env',
  'from os import environ\nenviron["A"] = "1"',
  'os.putenv("A", "1")',
  'from dotenv import load_dotenv\nload_dotenv()',
  'with mock.patch.dict(os.environ, {"A": "1"}): pass',
];
const reads: readonly string[] = [
  'key = os.environ["API_KEY"]',
  'key = os.environ.get("API_KEY", "")',
  'if os.environ["MODE"] == "test": pass',
  'ok = "A" in os.environ',
  'env = dict(os.environ, A="1")',
  'subprocess.run(["true"], env={**os.environ, "A": "1"})',
  'copy = os.environ.copy()',
  'environment = 1',
];

test.each(sets)('[EX-61] sets an environment variable: %s', (code) =>
  expect(setsEnvironmentVariables(code)).toBe(true),
);
test.each(reads)('sets no environment variable: %s', (code) =>
  expect(setsEnvironmentVariables(code)).toBe(false),
);
