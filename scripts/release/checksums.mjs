// What a receiver checks the files of a release with.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mustRun } from '../lib/processes.mjs'
import { StepFailed } from '../lib/steps.mjs'

const checksums = 'SHA256SUMS'

/** One line per file, as `sha256sum --check` reads them. @param {string} folder */
export function writeChecksums(folder) {
  const files = readdirSync(folder).sort()
  const lines = files.map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex')
    return `${digest}  ${file}\n`
  })
  writeFileSync(path.join(folder, checksums), lines.join(''))
  return `${files.length} files in ${checksums}`
}

/**
 * Signs the checksums with the SSH key that GATEHOUSE_RELEASE_KEY names. A public key works where an agent holds its
 * private one. Without that setting nothing is signed.
 *
 * @param {string} folder
 */
export async function signChecksums(folder) {
  const key = process.env['GATEHOUSE_RELEASE_KEY']?.trim()
  if (!key) return 'skipped: GATEHOUSE_RELEASE_KEY names no key'
  if (!existsSync(key))
    throw new StepFailed(`There is no key ${key}, which GATEHOUSE_RELEASE_KEY names.`)
  await mustRun('The signature', {
    command: 'ssh-keygen',
    args: ['-Y', 'sign', '-f', path.resolve(key), '-n', 'gatehouse-release', checksums],
    cwd: folder,
  })
  return `${checksums}.sig`
}
