import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Translation } from '../../src/lib/fill-in.ts'

const folder = join(import.meta.dirname, '../../languages/ar')

export interface Catalogue {
  /** Every text of a screen with its translation; null: it is the same in every language. */
  all: Map<string, Translation | null>
  /** Texts that two files translate: the last one counts. */
  twice: string[]
  /** What the server says. */
  server: Map<string, Translation | null>
}

/**
 * Reads the Arabic texts: one file for each feature, and `server.json`.
 */
export function readCatalogue(): Catalogue {
  const all: Catalogue['all'] = new Map()
  let server: Catalogue['server'] = new Map()
  const twice: string[] = []
  for (const file of globSync('*.json', { cwd: folder }).toSorted()) {
    const texts = Object.entries(
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Translation | null>,
    )
    if (basename(file) === 'server.json') {
      server = new Map(texts)
      continue
    }
    for (const [text, translation] of texts) {
      if (all.has(text)) twice.push(text)
      all.set(text, translation)
    }
  }
  return { all, server, twice }
}
