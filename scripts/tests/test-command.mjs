// `npm test`: the static checks, then every test, then one closing line that counts both.
// `npm test -- packages/contract` or `-- --project e2e` passes its arguments to Vitest and leaves the
// static checks out, for work on one thing.
// `npm run check -- --changed`: seconds of checks, and the tests that are nearest to a change.

import { ensurePrograms } from '../set-up/ensure-programs.mjs'
import { runInForeground } from '../lib/processes.mjs'
import { runStaticChecks } from '../checks/static-checks.mjs'
import { toolPath } from '../lib/tool-path.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @param {import('../lib/processes.mjs').Node} node
 * @param {string[]} args what Vitest gets, and `--times`
 */
export async function test(node, args) {
  const filters = args.filter((arg) => arg !== '--times')
  // `npm test --times`, without the dashes in between, is an option of npm, which passes it on so.
  const isTimed = filters.length < args.length || process.env['npm_config_times'] === 'true'
  const suitesMissing = await ensurePrograms()
  const programs = process.env['CI']
    ? { passed: 0, failed: suitesMissing, skipped: 0 }
    : { passed: 0, failed: 0, skipped: suitesMissing }
  const checks = filters.length === 0 ? await runStaticChecks(node) : none
  const env = {
    ...(isTimed ? { GATEHOUSE_TEST_TIMES: '1' } : {}),
    ...(filters.length === 0 ? { GATEHOUSE_WHOLE_GATE: '1' } : {}),
  }
  return close([programs, checks, await runVitest(node, filters, env)])
}

const quickSuites = [
  'scripts',
  'contract',
  'logging',
  'upstream',
  'alone',
  'http1',
  'gateway',
  'server',
  'dashboard',
]

/** `npm run test:quick`: the static checks and what needs no other program. @param {import('../lib/processes.mjs').Node} node */
export async function testQuickly(node) {
  return close([await runStaticChecks(node), await runVitest(node, projectFilters(quickSuites))])
}

/** @param {string[]} suites */
const projectFilters = (suites) => suites.flatMap((suite) => ['--project', suite])

/** `npm run test:nightly`: the tests that take minutes each. @param {import('../lib/processes.mjs').Node} node @param {string[]} filters */
export async function testNightly(node, filters) {
  await ensurePrograms()
  return close([await runVitest(node, filters, { GATEHOUSE_NIGHTLY: '1' })])
}

/**
 * `npm run check`: the static checks alone. `-- --changed [revision]`: those that take seconds, and the tests
 * that are nearest to what differs from the revision, or from the last commit.
 *
 * @param {import('../lib/processes.mjs').Node} node
 * @param {string[]} args
 */
export async function check(node, [flag, revision = 'HEAD']) {
  if (flag !== '--changed') return close([await runStaticChecks(node)])
  const quick = await runStaticChecks(node, { isQuick: true })
  // Only here: it needs what the dependencies bring.
  const { testsSince } = await import('./reached-tests.mjs')
  const tests = testsSince(revision)
  if (tests.length === 0) return close([quick])
  return close([quick, await runVitest(node, [...tests, ...projectFilters(quickSuites)])])
}

/** @type {Counts} */
const none = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {import('../lib/processes.mjs').Node} node
 * @param {string[]} filters
 * @param {Record<string, string>} [env] what `vitest.config.ts` reads
 * @returns {Promise<Counts>}
 */
async function runVitest(node, filters, env = {}) {
  /** @type {Counts | undefined} */
  let counts
  const args = [toolPath('vitest'), 'run', ...filters]
  const program = { node, args, env: { ...env, GATEHOUSE_COUNTS_TO_LAUNCHER: '1' } }
  const code = await runInForeground([program], (message) => {
    counts = message.gatehouseCounts ?? counts
  })
  const seen = counts ?? none
  // A run that broke outside of any test must not count as a success.
  return code !== 0 && seen.failed === 0 ? { ...seen, failed: 1 } : seen
}

/** Prints the line that CI reads, the very last one. @param {Counts[]} parts */
function close(parts) {
  /** @param {keyof Counts} key */
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
  const failed = sum('failed')
  console.log(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`)
  return failed === 0 ? 0 : 1
}
