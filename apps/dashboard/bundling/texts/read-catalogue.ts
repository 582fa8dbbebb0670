import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Translation } from '../../src/lib/format/fill-in.ts'

const folder = join(import.meta.dirname, '../../languages/ar')

export interface Catalogue {
  /** Every text of a screen with its translation; null: it is the same in every language. */
  all: Map<string, Translation | null>
  /** Texts that two files translate: the last one counts. */
  twice: string[]
  /** What the server says to those who sign in. */
  server: Map<string, Translation | null>
  /** What it says behind the login. */
  serverMore: Map<string, Translation | null>
}

/**
 * Reads the Arabic texts: one file for each feature, and two for the server.
 */
export function readCatalogue(): Catalogue {
  const all: Catalogue['all'] = new Map()
  const servers = new Map<string, Catalogue['server']>()
  const twice: string[] = []
  for (const file of globSync('*.json', { cwd: folder }).toSorted()) {
    const texts = Object.entries(
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Translation | null>,
    )
    if (basename(file).startsWith('server')) {
      servers.set(basename(file), new Map(texts))
      continue
    }
    for (const [text, translation] of texts) {
      if (all.has(text)) twice.push(text)
      all.set(text, translation)
    }
  }
  const ofServer = (file: string) => servers.get(file) ?? new Map<string, Translation | null>()
  return { all, twice, server: ofServer('server.json'), serverMore: ofServer('server-more.json') }
}
