// Which tests are nearest to a change, for the minutes between two changes. The gate runs all of them.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { readImports } from '../checks/import-graph.mjs'
import { root } from '../lib/places.mjs'

/** @typedef {{ from: string, to: string, isType: boolean }} Arrow */

const isTest = (/** @type {string} */ file) => /\.test\.tsx?$/.test(file)
const isSource = (/** @type {string} */ file) => /\.(ts|tsx|mjs)$/.test(file)

/** Puts everything together, so that it leads from any file to nearly every test. */
const isComposition = (/** @type {string} */ file) =>
  /^apps\/(server|standalone)\/src\/[^/]+$|^apps\/dashboard\/src\/app\/|^packages\/\w+\/src\/(index|modules)\.ts$/.test(
    file,
  )

/**
 * The tests of the features that were changed, and those that import what was changed, directly or through
 * other files. Files that compose the product are not followed.
 *
 * @param {string[]} changed files, relative to the repository
 * @param {string[]} files all sources and tests
 * @param {Arrow[]} imports between them
 */
export function reachedTests(changed, files, imports) {
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const { from, to, isType } of imports)
    if (!isType) importers.set(to, [...(importers.get(to) ?? []), from])
  const seen = new Set(changed)
  for (const file of seen) {
    if (isComposition(file) && !changed.includes(file)) continue
    for (const importer of importers.get(file) ?? []) seen.add(importer)
  }
  const folders = new Set(changed.filter(isSource).map((file) => path.posix.dirname(file)))
  return files
    .filter(isTest)
    .filter((file) => seen.has(file) || folders.has(path.posix.dirname(file)))
}

/**
 * The tests that what differs from a revision reaches.
 *
 * @param {string} revision
 */
export function testsSince(revision) {
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const changed = [...git('diff', '--name-only', '--diff-filter=d', revision), ...untracked]
  const files = [...git('ls-files'), ...untracked].filter(isSource)
  const deleted = new Set(git('ls-files', '--deleted'))
  const existing = files.filter((file) => !deleted.has(file))
  return reachedTests(changed, existing, readImports(root, existing))
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} has failed: ${stderr}`)
  return stdout.split('\n').filter(Boolean)
}
