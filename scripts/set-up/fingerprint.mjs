// What a step was last done for. A step is skipped when its fingerprint still matches its stamp.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root } from '../lib/places.mjs'

/**
 * A hash over the names and contents of files, and over anything else that the result depends on.
 *
 * @param {string[]} files relative to the repository; a missing one counts as such
 * @param {string[]} [others]
 */
export function fingerprint(files, others = []) {
  const hash = createHash('sha256').update(JSON.stringify(others))
  for (const file of [...files].sort()) {
    const content = existsSync(inRoot(file)) ? readFileSync(inRoot(file)) : 'missing'
    hash.update(`\n${file.replaceAll('\\', '/')} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/**
 * All source files below a folder, relative to the repository. Tests are left out: they are not part
 * of what is built.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function sourcesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesBelow(name)
    return /\.test\.\w+$/.test(entry.name) ? [] : [name]
  })
}

/** @param {string} file @param {string} print */
export function isFresh(file, print) {
  return existsSync(file) && readFileSync(file, 'utf8') === print
}

/** Written only after the step succeeded. @param {string} file @param {string} print */
export function writeStamp(file, print) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, print)
}

/** To be done before the step begins: an interrupted step must not look done. @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true })
}
