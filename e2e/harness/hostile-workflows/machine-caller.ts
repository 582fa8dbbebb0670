import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { oneThatIsUp, type MortalServer } from '../hostile-authority/mortal-server.ts'
import type { Claims } from './claims.ts'

export interface Machine {
  /** Names its documents; also their order key. */
  name: string
  token: string
  servers: readonly MortalServer[]
  claims: Claims
}

interface Run {
  id: number
  state: string
  reference: string | null
  authority_reference: string | null
}

/** What a call was answered; undefined where no answer came. */
interface Answered {
  status: number
  body: { run?: Run; code?: string; batch?: { id: number; total: number } }
}

/** 200, 502 and 504 are answers of callers who waited for the end; all name a run that is stored. */
const takenStatuses = new Set([200, 202, 502, 504])
/** What the run of such an answer may be. A caller that did not wait gets 202 in any case. */
const statesBy: Record<number, readonly string[]> = {
  200: ['succeeded'],
  502: ['rejected', 'not_started', 'stopped', 'blocked'],
  504: ['unknown'],
}
/** "Try again": the product or its store was away, or the same call is under way. */
export const againStatuses: ReadonlySet<number> = new Set([409, 429, 503])
/** Far more than a machine needs while the servers are killed. */
export const triesMax = 400

/** The input of a document of a workflow. Its reference is made of the order key and its place there. */
export function inputOf(workflow: string, customer: string, number: number) {
  const no = `${workflow}/${customer}/${String(number).padStart(5, '0')}`
  return { no, customer, total: `${number}.10` }
}

/**
 * Hands one document in, as often as it takes: the server may be gone, or be killed before it answers. The
 * machine itself goes away before some answers, and sends some documents once more although they were
 * taken. Always with the key of the document, so all of that is one run.
 */
export async function handIn(machine: Machine, workflow: string, number: number): Promise<void> {
  const { claims } = machine
  const input = inputOf(workflow, machine.name, number)
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    ...(number % 3 === 0 ? { prefer: `wait=${randomInt(1, 5)}` } : {}),
  }
  const path = `/api/workflows/${workflow}/runs`
  const send = () => {
    // A lost answer: the caller does not wait for it.
    const leaveAfterMs = randomInt(6) === 0 ? randomInt(1, 30) : undefined
    return postAs(machine, path, JSON.stringify(input), headers, leaveAfterMs)
  }
  let times = randomInt(5) === 0 ? 2 : 1
  for (let tries = 0; tries < triesMax; tries++) {
    const answered = await send()
    const run = answered?.body.run
    if (answered && run && takenStatuses.has(answered.status)) {
      claims.taken(input.no, run.id)
      claims.shown(input.no, run)
      if (statesBy[answered.status]?.includes(run.state) === false)
        claims.problem(`${input.no}: ${answered.status} with a run that is ${run.state}`)
      if (--times === 0) return
    } else if (answered && !againStatuses.has(answered.status))
      claims.problem(`${input.no}: ${answered.status} ${JSON.stringify(answered.body)}`)
    else await delay(50)
  }
  claims.problem(`${input.no} could not be handed in`)
}

/** The run as the product shows it to its machine; undefined where it does not know it. */
export async function lookUp(machine: Machine, workflow: string, id: number) {
  const server = await oneThatIsUp(machine.servers)
  const answer = await fetch(`${server.url}/api/workflows/${workflow}/runs/${id}`, {
    headers: { authorization: `Bearer ${machine.token}` },
  })
  return answer.ok ? ((await answer.json()) as { run: Run }).run : undefined
}

/** A POST of a machine; undefined where no answer came. */
export async function postAs(
  machine: Machine,
  path: string,
  body: string,
  headers: Record<string, string>,
  leaveAfterMs = 60_000,
): Promise<Answered | undefined> {
  const server = await oneThatIsUp(machine.servers)
  try {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${machine.token}` },
      body,
      signal: AbortSignal.timeout(leaveAfterMs),
    })
    return { status: answer.status, body: (await answer.json()) as Answered['body'] }
  } catch {
    return undefined
  }
}
