import type { AuthorityList } from '../../kernel/authority-lists.ts'
import { can } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { offsetMs } from '../../kernel/time/zone-time.ts'
import { fetchListed } from './fetch-listed.ts'
import type { ComparisonParts } from './run-comparison.ts'
import { definitionOf, questionOf } from './reconciliation-parts.ts'
import type { ReconciliationRow } from './reconciliation-store.ts'

interface Parts extends ComparisonParts {
  clock: Clock
}

/** As comparisons by hand have it. */
const daysMax = 31
const dayMs = 86_400_000

/** What the authorities of all comparisons have since a moment, each on behalf of the user who saved it. */
export async function listsSince(parts: Parts, since: string): Promise<AuthorityList[]> {
  const lists: AuthorityList[] = []
  for (const row of await parts.stores.reconciliations.listAll()) {
    const list = await listOf(parts, row, since)
    if (list) lists.push(list)
  }
  return lists
}

async function listOf(
  parts: Parts,
  row: ReconciliationRow,
  since: string,
): Promise<AuthorityList | undefined> {
  const { authority, kind, register, workflow_id: workflowId } = definitionOf(row.definition)
  if (!authority) return undefined
  const found = { name: row.name, workflowId, kind, register }
  const failed = (problem: string) => ({ ...found, references: [], problem })
  const nowMs = parts.clock.now().getTime()
  const fromMs = Date.parse(since)
  if (nowMs - fromMs > daysMax * dayMs)
    return failed(`The backup is more than ${daysMax} days old: compare by hand.`)
  const caller = await parts.callerOf(row.user_id)
  if (!caller || !can(caller, 'reconciliation.run'))
    return failed(`${row.user_name}, on whose behalf it runs, may not do that any more.`)
  const dayOf = (moment: number) =>
    new Date(moment + offsetMs(row.time_zone, moment)).toISOString().slice(0, 10)
  const period = { from_day: dayOf(fromMs), to_day: dayOf(nowMs) }
  const question = questionOf(authority, period, row.time_zone)
  const fetched = await fetchListed(parts.lists, question, {
    caller,
    signal: undefined,
    name: 'authority',
  })
  return typeof fetched === 'string'
    ? failed(fetched)
    : { ...found, references: fetched.map(({ reference }) => reference), problem: null }
}
