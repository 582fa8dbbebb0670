import type { FieldChange } from '../format/compare-values.ts'
import { readObject, toObject } from '../browser/kept-json.ts'
import { dropKept, keptNames, readKept, writeKept } from '../browser/kept-storage.ts'

/** What a user has typed into a form and not saved. */
export interface Draft {
  /** ISO 8601. */
  at: string
  changes: FieldChange[]
  /** A secret was typed, which is never kept. */
  hadSecret: boolean
}

const dayMs = 86_400_000
const ageMaxMs = 7 * dayMs
const draftsMax = 20
/** Browsers keep about five million characters for all of a site's pages. */
const lengthMax = 250_000

const start = 'draft.'
const startOf = (userId: number) => `${start}${userId}.`
const nameOf = (userId: number, path: string) => startOf(userId) + path

/** The draft of this user for the form at this path, unless it is older than seven days. */
export function readDraft(userId: number, path: string): Draft | undefined {
  const draft = parse(readKept(nameOf(userId, path), 'browser'))
  if (draft && Date.now() - Date.parse(draft.at) < ageMaxMs) return draft
  dropDraft(userId, path)
  return undefined
}

/**
 * Keeps what was typed, in this browser. A user has at most 20 drafts: the oldest makes way. What is longer
 * than 250,000 characters, or finds no room, is not kept, nor is what was kept before of the same form.
 */
export function writeDraft(userId: number, path: string, draft: Draft): void {
  const text = JSON.stringify(draft)
  dropDraft(userId, path)
  if (text.length > lengthMax) return
  for (const name of newestFirst(userId).slice(draftsMax - 1)) dropKept(name, 'browser')
  try {
    writeKept(nameOf(userId, path), text, 'browser')
  } catch {
    // A full or forbidden storage: the form works, it only will not outlive the page.
  }
}

export const dropDraft = (userId: number, path: string): void =>
  dropKept(nameOf(userId, path), 'browser')

/** Nothing that another user has typed stays behind once somebody else is signed in. */
export function dropDraftsOfOthers(userId: number): void {
  for (const name of keptNames(start, 'browser'))
    if (!name.startsWith(startOf(userId))) dropKept(name, 'browser')
}

/** Names of the user's drafts, the newest first. */
function newestFirst(userId: number): string[] {
  const at = (name: string) => parse(readKept(name, 'browser'))?.at ?? ''
  return keptNames(startOf(userId), 'browser')
    .map((name) => ({ name, at: at(name) }))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
    .map(({ name }) => name)
}

function parse(text: string | null): Draft | undefined {
  const { at, changes, hadSecret } = readObject(text)
  if (typeof at !== 'string' || !Array.isArray(changes)) return undefined
  return { at, changes: changes.flatMap(toChange), hadSecret: hadSecret === true }
}

function toChange(value: unknown): FieldChange[] {
  const { path, base, mine } = toObject(value)
  return typeof path === 'string' ? [{ path, base, mine }] : []
}
