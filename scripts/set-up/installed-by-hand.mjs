import { isDeepStrictEqual } from 'node:util'
import { readJson } from '../lib/json-file.mjs'
import { inRoot } from '../lib/places.mjs'

/**
 * Whether an `npm install` by hand has installed exactly what the lock says, and the lock is up to
 * date. npm notes in node_modules what it installed, when it is done. An install of ours would delete
 * all of it, perhaps under a running server.
 *
 * @param {string[]} folders the workspaces
 */
export function isInstalledByHand(folders) {
  /** @type {Record<string, { version?: string, integrity?: string, optional?: boolean }>} */
  const locked = readJson(inRoot('package-lock.json')).packages ?? {}
  /** @type {typeof locked} */
  const installed = readJson(inRoot('node_modules', '.package-lock.json')).packages ?? {}
  const hasAll = Object.entries(locked)
    .filter(([place]) => place.includes('node_modules/'))
    .every(([place, { version, integrity, optional }]) => {
      const here = installed[place]
      // Binaries for other platforms are in the lock only.
      return here ? here.version === version && here.integrity === integrity : optional === true
    })
  const hasNoMore = Object.keys(installed).every((place) => place in locked)
  return hasAll && hasNoMore && ['', ...folders].every((folder) => agrees(folder, locked[folder]))
}

/** Whether a package.json asks for what the lock holds of it. @param {string} folder @param {any} entry */
function agrees(folder, entry) {
  const manifest = readJson(inRoot(folder, 'package.json'))
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].every(
    (kind) => isDeepStrictEqual(manifest[kind] ?? {}, entry?.[kind] ?? {}),
  )
}
