import path from 'node:path'
import { inRoot } from './places.mjs'
import { readJson } from './json-file.mjs'

/**
 * The script behind a command that a package installs, to be run by a Node of our choice. The links
 * in node_modules/.bin would pick the first Node on the PATH, and are shell files on Windows.
 *
 * @param {string} name the package
 * @param {string} [command] where its name is not the package's
 */
export function toolPath(name, command = name) {
  const folder = inRoot('node_modules', name)
  const { bin } = readJson(path.join(folder, 'package.json'))
  return path.join(folder, typeof bin === 'string' ? bin : (bin?.[command] ?? ''))
}
