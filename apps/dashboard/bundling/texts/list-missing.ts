// Prints the texts that have no Arabic translation, under the file that has them.
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { findTexts } from './find-texts.ts'
import { readCatalogue } from './read-catalogue.ts'
import { mayHaveTexts, sources } from './translate-texts.ts'

const { all } = readCatalogue()
const counted = { missing: 0, all: 0 }
for (const file of globSync('**/*.{ts,tsx}', { cwd: sources }).toSorted()) {
  const path = sources + file
  if (!mayHaveTexts(path)) continue
  const { texts } = findTexts(path, readFileSync(path, 'utf8'))
  const missing = texts.filter((text) => !all.has(text))
  counted.all += texts.length
  counted.missing += missing.length
  if (missing.length === 0) continue
  process.stdout.write(`${relative('.', path)}\n${missing.map((text) => `  ${text}\n`).join('')}`)
}
process.stdout.write(`${counted.missing} of ${counted.all} texts have no translation\n`)
