import { readKept, writeKept } from '../../lib/browser/kept-storage.ts'

const name = 'recent-searches'
const recentMax = 6

/** What was searched for in this tab, the latest first; a logout forgets it. */
export function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(readKept(name) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

export function noteRecent(text: string): void {
  const recent = [text, ...readRecent().filter((each) => each !== text)].slice(0, recentMax)
  try {
    writeKept(name, JSON.stringify(recent))
  } catch {
    // The storage is full or forbidden: the search works without it.
  }
}
