import { setTimeout as delay } from 'node:timers/promises'
import type { Call } from '../run-product.ts'
import { changed } from './changed.ts'
import { largeBytes } from './soak-upstream.ts'
import type { SoakSetUp } from './set-up-soak.ts'

interface SoakServer {
  url: string
  /** Of the administrator. */
  token: string
  call: Call
}

interface SoakTargets {
  /** Each server with a dashboard. */
  servers: readonly SoakServer[]
  gatewayUrls: readonly string[]
  setUp: SoakSetUp
  /** 1: a few requests a second. 5: five times as many. */
  pace: number
}

interface SoakLoad {
  /** How often each kind of work was done. */
  counts: Record<string, number>
  faults: string[]
  stop(): Promise<void>
}

type Work = (round: number) => Promise<unknown>

/** At most these many faults are kept; one is too many already. */
const faultsMax = 50
/** Gateways that run alone learn of a revoked token a moment after the answer. */
const revokedWithinMs = 15_000

/** Begins to change, call, stream, run, and make and revoke tokens, each kind of work at its own pace. */
export function startSoakLoad({ servers, gatewayUrls, setUp, pace }: SoakTargets): SoakLoad {
  const stopped = new AbortController()
  const counts: Record<string, number> = {}
  const faults: string[] = []
  const running: Promise<void>[] = []
  const serverOf = (round: number) => servers[round % servers.length]!
  const gatewayOf = (round: number) => `${gatewayUrls[round % gatewayUrls.length]!}/soak`

  async function repeat(name: string, everyMs: number, work: Work): Promise<void> {
    for (let round = 0; !stopped.signal.aborted; round++) {
      try {
        await work(round)
        counts[name] = (counts[name] ?? 0) + 1
      } catch (error) {
        if (faults.length < faultsMax) faults.push(`${name}: ${String(error)}`)
      }
      await delay(everyMs / pace, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const start = (name: string, everyMs: number, work: Work) =>
    running.push(repeat(name, everyMs, work))

  start('calls', 250, (round) => expectOk(`${gatewayOf(round)}/hello`))
  start('answers that are cut', 3_000, (round) => expectCut(`${gatewayOf(round)}/cut`))
  start('uploads', 5_000, (round) => upload(`${gatewayOf(round)}/upload`))
  start('large answers', 5_000, (round) => readLarge(`${gatewayOf(round)}/large`, round % 2 === 1))
  for (const [at] of gatewayUrls.entries()) {
    start('streams', 500, () => readEvents(`${gatewayOf(at)}/events`, 40))
    start('streams that were left', 500, () => readEvents(`${gatewayOf(at)}/events`, 4))
  }
  start('changes', 5_000, (round) => setUp.change(`change ${round}`))
  start('tokens', 4_000, (round) => makeAndRevoke(serverOf(round), gatewayUrls, round))
  start('runs', 3_000, (round) => startAndFollow(serverOf(round), setUp.workflow, round))
  start('screens', 5_000, (round) => readScreens(serverOf(round)))
  return {
    counts,
    faults,
    stop: async () => {
      stopped.abort()
      await Promise.all(running)
    },
  }
}

async function expectOk(url: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
  return text
}

async function expectCut(url: string): Promise<void> {
  const whole = await expectOk(url).catch(() => undefined)
  if (whole !== undefined) throw new Error('a half answer was passed on as a whole one')
}

async function upload(url: string): Promise<void> {
  const body = Buffer.alloc(512 * 1024, 'u')
  const text = await expectOk(url, { method: 'POST', body })
  if (text !== JSON.stringify({ bytes: body.length })) throw new Error(text)
}

async function readLarge(url: string, isLeft: boolean): Promise<void> {
  const left = new AbortController()
  const answer = await fetch(url, { signal: left.signal })
  let bytes = 0
  for await (const chunk of answer.body!) {
    bytes += chunk.length
    if (isLeft && bytes > largeBytes / 4) break
  }
  left.abort()
  if (!isLeft && bytes !== largeBytes) throw new Error(`${bytes} bytes`)
}

/** Reads events until so many are there, and then leaves the stream if it goes on. */
async function readEvents(url: string, events: number): Promise<void> {
  const left = new AbortController()
  const answer = await fetch(url, { signal: left.signal })
  let text = ''
  for await (const chunk of answer.body!) {
    text += Buffer.from(chunk).toString()
    if (text.split('\n\n').length > events) break
  }
  left.abort()
  if (!text.includes(`data: ${events - 1}\n`))
    throw new Error(`${answer.status} ${text.slice(-80)}`)
}

async function makeAndRevoke({ call }: SoakServer, gatewayUrls: readonly string[], round: number) {
  const { access_token } = (await changed(
    call('POST', '/admin/token/store', { name: `soak ${round}` }),
  )) as { access_token: { id: number; token: string } }
  const statusAt = async (url: string) => {
    const headers = { authorization: `Bearer ${access_token.token}` }
    const answer = await fetch(`${url}/soak/guarded`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
  const becomes = async (status: number) => {
    const endsAt = performance.now() + revokedWithinMs
    for (const url of gatewayUrls)
      for (let seen = 0; seen !== status; await delay(50)) {
        seen = await statusAt(url)
        if (performance.now() > endsAt) throw new Error(`a token still has ${seen}, not ${status}`)
      }
  }
  await becomes(200)
  await changed(call('DELETE', `/api/token/${access_token.id}`))
  await becomes(401)
}

async function startAndFollow({ url, token, call }: SoakServer, workflow: string, round: number) {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const path = `/api/workflows/${workflow}/runs`
  const taken = await call('POST', path, { no: `INV-${round}` }, headers)
  const { run } = taken.body as { run?: { id: number } }
  if (!run) throw new Error(`${taken.status} ${JSON.stringify(taken.body)}`)
  const authorization = `Bearer ${token}`
  const text = await expectOk(`${url}/api/runs/${run.id}/events`, { headers: { authorization } })
  if (!text.includes('"succeeded"')) throw new Error(text.slice(-300))
}

async function readScreens({ call }: SoakServer): Promise<void> {
  for (const path of ['/api/home', '/api/nodes', '/api/traffic', '/api/runs', '/api/gateway']) {
    const { status } = await call('GET', path)
    if (status !== 200) throw new Error(`${path}: ${status}`)
  }
}
