// Holds the lock files to what `npm ci` needs on every platform, and to what we promise about them.

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readJson } from '../lib/json-file.mjs'
import { inRoot } from '../lib/places.mjs'

/** @typedef {{ optionalDependencies?: Record<string, string>, resolved?: string, hasInstallScript?: boolean, link?: boolean, integrity?: string }} Entry */

/**
 * What is wrong with a lock, one sentence each.
 *
 * @param {Record<string, Entry>} packages the `packages` of a lock file, by folder
 * @returns {string[]}
 */
export function lockProblems(packages) {
  return Object.entries(packages).flatMap(([folder, entry]) => [
    // npm writes the lock on one platform and may leave out another's binaries; `npm ci` there fails.
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, folder, name))
      .map((name) => `${folder || 'the top package'} names ${name}, which has no entry.`),
    // An address would tie every install to the registry that the lock was written with.
    ...(/^https?:/.test(entry.resolved ?? '')
      ? [`${folder} holds an address: ${entry.resolved}.`]
      : []),
    ...(entry.hasInstallScript ? [`${folder} runs a script when it is installed.`] : []),
  ])
}

/**
 * Node's look-up: beside the package, then in each folder above.
 *
 * @param {Record<string, Entry>} packages
 * @param {string} folder
 * @param {string} name
 */
function isLocked(packages, folder, name) {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (`${at}${at ? '/' : ''}node_modules/${name}` in packages) return true
    if (at === '') return false
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = [
    'package-lock.json',
    path.join('tools', 'runtime', 'package-lock.json'),
  ].flatMap((file) => {
    const { packages } = readJson(inRoot(file))
    return packages
      ? lockProblems(packages).map((problem) => `${file}: ${problem}`)
      : [`${file} is missing or broken.`]
  })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
