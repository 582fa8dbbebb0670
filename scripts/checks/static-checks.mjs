// The checks that read the source and run nothing of it: two at a time, each counted as one test.

import os from 'node:os'
import path from 'node:path'
import { stampFolder } from '../lib/places.mjs'
import { runQuietly } from '../lib/processes.mjs'
import { printLine } from '../lib/steps.mjs'
import { toolPath } from '../lib/tool-path.mjs'

/** @typedef {{ name: string, args: () => string[], env?: Record<string, string> }} StaticCheck */

// Two checks run at a time, and each computes on one core: a checker that spreads over the cores computes the
// types that its parts share once for each of them, which takes twice the time.
const onOneCore = '--singleThreaded'

/** @type {StaticCheck[]} The slow ones first. */
const checks = [
  {
    name: 'lint',
    args: () => [toolPath('oxlint'), '--type-aware', '--deny-warnings'],
    env: { GOMAXPROCS: '1' },
  },
  { name: 'types', args: () => [toolPath('typescript', 'tsc'), '-p', '.', onOneCore] },
  {
    name: 'dashboard types',
    args: () => [toolPath('typescript', 'tsc'), '-p', 'apps/dashboard', onOneCore],
  },
  { name: 'format', args: () => [toolPath('oxfmt'), '--check', '.'] },
  { name: 'import arrows', args: () => ['scripts/checks/import-arrows.mjs'] },
  { name: 'sizes', args: () => ['scripts/checks/sizes.mjs'] },
  { name: 'unused exports', args: () => ['scripts/checks/unused-exports.mjs'] },
  { name: 'folders', args: () => ['scripts/checks/folders.mjs'] },
  { name: 'locks', args: () => ['scripts/checks/locks.mjs'] },
]

/** What a type checker has found before, so that it looks again at what was changed alone. @param {string} name */
const remembering = (name) => [
  '--incremental',
  '--tsBuildInfoFile',
  path.join(stampFolder, `${name}.tsbuildinfo`),
]

/** The same without the rules of lint that need types, and with what was found before. */
const quickChecks = checks.map((check) => {
  if (check.name === 'lint')
    return { ...check, args: () => [toolPath('oxlint'), '--deny-warnings'] }
  if (!check.name.endsWith('types')) return check
  return { ...check, args: () => [...check.args(), ...remembering(check.name.replace(' ', '-'))] }
})

/**
 * Runs all of them, whatever fails, and prints a line for each; of a failed one also what it says.
 *
 * @param {import('../lib/processes.mjs').Node} node
 * @param {{ isQuick?: boolean }} [options]
 * @returns {Promise<import('../tests/test-command.mjs').Counts>}
 */
export async function runStaticChecks(node, { isQuick = false } = {}) {
  const waiting = isQuick ? [...quickChecks] : [...checks]
  let failed = 0
  const lane = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (!(await passes(check, node))) failed++
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, os.cpus().length) }, lane))
  return { passed: checks.length - failed, failed, skipped: 0 }
}

/** @param {StaticCheck} check @param {import('../lib/processes.mjs').Node} node */
async function passes({ name, args, env = {} }, node) {
  const began = performance.now()
  const { code, output } = await runQuietly({ node, args: args(), env })
  printLine(name, code === 0 ? 'passed' : 'FAILED', began)
  if (code !== 0) console.log(`${output.trimEnd()}\n`)
  return code === 0
}
