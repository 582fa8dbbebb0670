import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Clerk } from './clerk.ts'
import { handInAll, handInMissing, handInsOf, shownDocuments, type HandedIn } from './erp.ts'
import { Fleet, type FleetOptions } from './fleet.ts'
import { judgeFire, type FireFaults } from './judge-fire.ts'
import { registerCompanies } from './register-companies.ts'
import { runAuthorities, type Authorities } from './run-authorities.ts'

export interface HealingFire extends Omit<FleetOptions, 'folder'> {
  documents: number
  /** SIGKILLs of each server. */
  kills: number
  /** The mean pause of each of six hands between two calls. */
  pauseMs: number
  seed: number
  /** How long healing may take after a restore, and at the end. */
  settleWithinMs: number
}

interface HealingFireReport extends FireFaults {
  documents: number
  kills: number
  restores: number
  /** Submits that the journals knew and the restored databases did not. */
  found: number
  /** Handed in once more after a restore. */
  again: number
  decisions: string[]
  states: Record<string, number>
  seconds: number
}

/** What may not be in a report. */
export const faultsOf = ({ acceptedTwice, lost, wrong }: HealingFireReport): string[] => [
  ...acceptedTwice,
  ...lost,
  ...wrong,
]

/** Between two legs a backup of the first is restored. */
const legs = 3

/**
 * Three companies that number their documents alike send through three workflows each to hostile authorities, while the
 * servers are killed and twice a backup is restored. A clerk decides only what nothing else does, at the end.
 */
export async function faceHealingFire(options: HealingFire): Promise<HealingFireReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-healing-'))
  const authorities = await runAuthorities(join(folder, 'record.jsonl'), options.seed)
  const fleet = new Fleet({ ...options, folder })
  try {
    return await carryAll(options, fleet, authorities)
  } finally {
    await fleet.stop()
    await authorities.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function carryAll(
  options: HealingFire,
  fleet: Fleet,
  authorities: Authorities,
): Promise<HealingFireReport> {
  const beganMs = performance.now()
  const all = handInsOf(options.documents)
  const clerk = new Clerk(fleet, () => authorities.stored())
  let [found, again] = [0, 0]
  let backup: string | undefined
  for (let leg = 0; leg < legs; leg++) {
    if (backup !== undefined) await fleet.restore(backup)
    await fleet.start(Math.ceil(options.kills / legs))
    if (leg === 0)
      await registerCompanies(
        (method, path, body) => fleet.mustCall(method, path, body),
        authorities.url,
      )
    else {
      const restored = await afterRestore(fleet, clerk, all, options)
      found += restored.found
      again += restored.again
    }
    const share = all.slice((leg * all.length) / legs, ((leg + 1) * all.length) / legs)
    fleet.expose()
    backup = await carryLeg(fleet, share, options.pauseMs, leg < legs - 1)
    if (leg < legs - 1) await fleet.stop()
  }
  await clerk.settle(options.settleWithinMs)
  const shown = await shownDocuments(fleet)
  const faults = judgeFire(all, authorities.stored(), shown)
  return {
    documents: all.flatMap(({ references }) => references).length,
    kills: fleet.kills,
    restores: legs - 1,
    found,
    again,
    decisions: clerk.decisions,
    states: countStates([...shown.values()]),
    seconds: Math.round((performance.now() - beganMs) / 1_000),
    ...faults,
    lost: await Promise.all(faults.lost.map((text) => withRun(fleet, text))),
  }
}

/** Hands a share in while the servers are killed, and writes a backup at three quarters of it. */
async function carryLeg(
  fleet: Fleet,
  share: readonly HandedIn[],
  pauseMs: number,
  isBackedUp: boolean,
): Promise<string | undefined> {
  const at = Math.floor((share.length * 3) / 4)
  await handInAll(fleet, share.slice(0, at), pauseMs)
  const backup = isBackedUp ? await fleet.backUp() : undefined
  await handInAll(fleet, share.slice(at), pauseMs)
  while (!fleet.isSpared()) await delay(200)
  return backup
}

/** What an operator does after a restore: looks, lets healing ask, checks the gap, releases, hands in what is missing. */
async function afterRestore(
  fleet: Fleet,
  clerk: Clerk,
  all: readonly HandedIn[],
  { settleWithinMs }: HealingFire,
) {
  const held = await fleet.mustCall('GET', '/api/installation/held')
  const { found } = held.body as { found: { total: number } }
  await clerk.waitForFound(settleWithinMs)
  for (let after: number | null = 0; after !== null;) {
    const checked = await fleet.mustCall('POST', '/api/installation/check-gap', { after })
    const body = checked.body as { next_after?: number | null }
    if (checked.status !== 200) throw new Error(JSON.stringify(checked))
    after = body.next_after ?? null
  }
  const released = await fleet.mustCall('POST', '/api/installation/release', { note: 'Checked.' })
  if (released.status !== 200) throw new Error(JSON.stringify(released))
  return { found: found.total, again: await handInMissing(fleet, all) }
}

/** Adds what the product shows of the run, to find the reason. */
async function withRun(fleet: Fleet, text: string): Promise<string> {
  const [company, kind, no] = text.replace(/:.*/, '').split('/')
  const path = `/api/workflows/${company}-${kind}/runs?reference=${no}`
  const { status, body } = await fleet.mustCall('GET', path)
  return `${text}; ${status} ${JSON.stringify(body)}`
}

function countStates(documents: readonly { state: string }[]): Record<string, number> {
  const byState = Map.groupBy(documents, ({ state }) => state)
  return Object.fromEntries([...byState].map(([state, { length }]) => [state, length]))
}
