import { existsSync, readdirSync } from 'node:fs'
import { inRoot } from '../lib/places.mjs'
import { readJson } from '../lib/json-file.mjs'

/**
 * The folders of the workspaces, relative to the repository: `packages/contract`, `e2e`, …
 *
 * @returns {string[]}
 */
export function workspaceFolders() {
  /** @type {string[]} */
  const patterns = readJson(inRoot('package.json')).workspaces ?? []
  return patterns
    .flatMap((pattern) => {
      if (!pattern.endsWith('/*')) return [pattern]
      const parent = pattern.slice(0, -2)
      return existsSync(inRoot(parent))
        ? readdirSync(inRoot(parent)).map((name) => `${parent}/${name}`)
        : []
    })
    .filter((folder) => existsSync(inRoot(folder, 'package.json')))
}
