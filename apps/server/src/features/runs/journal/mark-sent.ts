import { AppError } from '../../../kernel/app-error.ts'
import type { InTransaction } from '../../../stores.ts'
import { enterFound } from './enter-found.ts'
import { markStep } from './mark-step.ts'
import type { SubmitEntry } from './submit-entry.ts'

/** Lines that are compared with the ledger at once. */
const comparedMax = 500

interface Marking {
  inTransaction: InTransaction
  entries: AsyncIterable<SubmitEntry>
  /** The owner of the attempts: this server. */
  owner: string
  now: () => string
}

/**
 * Enters each document that the journal knows as sent, and the database does not, as a run of which nothing is known
 * but that: its outcome is unknown, so healing asks, and no other run sends it. Where the database has its step, that is
 * unknown. Returns how many are new.
 */
export async function markSent({ entries, ...marking }: Marking): Promise<number> {
  let marked = 0
  let waiting: SubmitEntry[] = []
  const compare = async () => {
    const found = waiting
    waiting = []
    const known = await marking.inTransaction(({ runs }) =>
      runs.listUuidsOf(found.map(({ attempt }) => attempt)),
    )
    for (const entry of found)
      if (known.get(entry.attempt) !== entry.uuid && (await markEntry(entry, marking))) marked++
  }
  for await (const entry of entries) {
    // Without a reference nobody could ask about it, and nothing could hold it back.
    if (entry.references.length === 0) continue
    waiting.push(entry)
    if (waiting.length >= comparedMax) await compare()
  }
  if (waiting.length > 0) await compare()
  return marked
}

/** False where the ledger holds every document of it already. */
async function markEntry(
  entry: SubmitEntry,
  { inTransaction, owner, now }: Omit<Marking, 'entries'>,
): Promise<boolean> {
  try {
    return await inTransaction(async (stores) => {
      const entering = { owner, now: now() }
      const step = await stores.runs.findStepByUuid(entry.uuid)
      if (step) return markStep(stores, step, entry, entering)
      await enterFound(stores, entry, entering)
      return true
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return false
  }
}
