import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'
import { keyOf, type Company, type Kind, type Stored } from './kinds.ts'

interface UnclearRun {
  id: number
  state: string
  reference: string | null
  registers?: string[]
  step: { position: number; message: string | null } | null
  healing: { plan: string; next_at: string | null } | null
  can: { resume: boolean; resolve: boolean; close: boolean }
}

interface Step {
  position: number
  state: string
  documents: { id: number; register: string; reference: string; state: string }[]
}

/**
 * The person who does what nothing else does: says what the authority has, as its portal shows it. Each is a decision,
 * and is counted.
 */
export class Clerk {
  readonly #fleet: Fleet
  readonly #stored: () => Stored[]
  /** What was decided, and why it was left. */
  readonly decisions: string[] = []

  constructor(fleet: Fleet, stored: () => Stored[]) {
    this.#fleet = fleet
    this.#stored = stored
  }

  /** Waits until nothing is under way or heals by itself, for so long at most; false where something still does. */
  async waitForHealing(withinMs: number): Promise<boolean> {
    const endsAtMs = performance.now() + withinMs
    while (performance.now() < endsAtMs) {
      if ((await this.#countUnderWay()) === 0) return true
      await delay(1_000)
    }
    return false
  }

  /** While the installation is held nothing is sent, and what the journals knew is asked about. */
  async waitForFound(withinMs: number): Promise<void> {
    const endsAtMs = performance.now() + withinMs
    while (performance.now() < endsAtMs && (await this.#unclear('&healing=1')).length > 0)
      await delay(1_000)
  }

  /** Decides what is left until nothing is. */
  async settle(withinMs: number): Promise<void> {
    const endsAtMs = performance.now() + withinMs
    while (performance.now() < endsAtMs) {
      await this.waitForHealing(endsAtMs - performance.now())
      const left = await this.#unclear('')
      if (left.length === 0) return
      for (const run of left) await this.#decide(run)
    }
  }

  async #countUnderWay(): Promise<number> {
    const states = ['queued', 'running', 'pending']
    const open = await Promise.all(
      states.map(async (state) => {
        const answer = await this.#fleet.mustCall('GET', `/api/runs?state=${state}&limit=1`)
        return (answer.body as [{ data: unknown[] }])[0].data.length
      }),
    )
    const healing = await this.#unclear('&healing=1')
    return open.reduce((sum, count) => sum + count, 0) + healing.length
  }

  async #unclear(filter: string): Promise<UnclearRun[]> {
    const answer = await this.#fleet.mustCall('GET', `/api/runs/unclear?limit=100${filter}`)
    return (answer.body as [{ data: UnclearRun[] }])[0].data
  }

  async #decide(run: UnclearRun): Promise<void> {
    const { id, can, state, step, healing } = run
    const why = `run ${id} (${run.reference}) ${state}: ${step?.message ?? ''} [${healing?.plan ?? 'no healing'}]`
    this.decisions.push(why)
    if (can.resolve && step) return this.#resolve(id, step.position)
    if (can.resume) await this.#fleet.mustCall('POST', `/api/runs/${id}/resume`, {})
    else await this.#fleet.mustCall('POST', `/api/runs/${id}/close`, { reason: 'Looked at.' })
  }

  /** As the portal of the authority shows it. */
  async #resolve(id: number, position: number): Promise<void> {
    const answer = await this.#fleet.mustCall('GET', `/api/runs/${id}`)
    const { steps } = answer.body as { steps: Step[] }
    const documents = steps.find((step) => step.position === position)?.documents ?? []
    const there = this.#stored()
    const portalOf = ({ register, reference }: Step['documents'][number]) => {
      const [company, kind] = register.split('-') as [Company, Kind]
      return there.find((each) => keyOf(each) === keyOf({ company, kind, reference }))
    }
    const said = documents
      .filter(({ state }) => state !== 'accepted' && state !== 'not_accepted')
      .map((document) => {
        const found = portalOf(document)
        const verdict = !found ? 'not_received' : found.verdict
        return { id: document.id, verdict, reference: found?.number ?? '' }
      })
    const isNone = said.every(({ verdict }) => verdict === 'not_received')
    const [only] = said
    const body = isNone ? { verdict: 'not_received' } : { verdict: 'by_document', documents: said }
    const resolved = await this.#fleet.mustCall('POST', `/api/runs/${id}/resolve`, {
      step: position,
      ...body,
      note: `Seen at the portal: ${only?.verdict ?? ''}.`,
    })
    if (resolved.status !== 200) throw new Error(JSON.stringify(resolved))
  }
}
