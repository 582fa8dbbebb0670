// The licences of the packages in a build, which they ask to be passed on.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readJson } from '../lib/json-file.mjs'

/** The text of one file that names every package with its licence. @param {string[]} folders */
export function noticesOf(folders) {
  const notices = new Map(folders.map((folder) => noticeOf(folder)))
  const texts = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return ['This build of Gatehouse contains the following packages.', ...texts].join(
    `\n\n${'-'.repeat(80)}\n`,
  )
}

/** @param {string} folder @returns {[string, string]} */
function noticeOf(folder) {
  const { name, version, license } = readJson(path.join(folder, 'package.json'))
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    : []
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  return [
    `${name}@${version}`,
    [`${name} ${version} (${license ?? 'see its text'})`, ...texts].join('\n\n'),
  ]
}
