import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetNode } from './fleet-node.ts'
import type { TokenBook } from './token-book.ts'
import type { Answered, VersionBook } from './version-book.ts'

interface TrafficOptions {
  gateways: readonly FleetNode[]
  versions: VersionBook
  tokens: TokenBook
  /** Of a token that is never revoked. */
  token: string
  /** Between two requests of one client. */
  pauseMs: number
}

export interface TrafficCount {
  requests: number
  /** Requests without a proper answer, at gateways that were there. */
  failed: string[]
  wrong: string[]
  /** Answers of gateways that were not there meanwhile. */
  excused: number
}

interface Reply {
  status: number
  text: string
}

/** Longer than any answer takes; a gateway that is frozen gives none. */
const answerMaxMs = 10_000

/**
 * Clients of every gateway, each with one request after the other: over kept connections and new ones, to APIs with
 * and without a rate limit, and with tokens that live and that were revoked.
 */
export class Traffic {
  readonly #options: TrafficOptions
  readonly #clients: Promise<void>[] = []
  #isStopped = false
  #count: TrafficCount = emptyCount()
  /** The last change that each gateway has shown. */
  readonly #shown = new Map<FleetNode, number>()
  readonly #kept = new Agent({ keepAlive: true })

  constructor(options: TrafficOptions) {
    this.#options = options
  }

  /** Resolves when every gateway has what the clients ask for. */
  async ready(): Promise<void> {
    for (const { gatewayUrl } of this.#options.gateways)
      for (const path of ['/till/hello', '/limited/hello'])
        while ((await ask(gatewayUrl + path, this.#options.token, false)).status !== 200)
          await sleep(20)
  }

  start(): void {
    for (const gateway of this.#options.gateways) {
      const kept = this.#kept
      this.#client(gateway, () => this.#hello(gateway, '/till/hello', kept))
      this.#client(gateway, () => this.#hello(gateway, '/till/hello', kept))
      this.#client(gateway, () => this.#hello(gateway, '/till/hello', false))
      this.#client(gateway, () => this.#hello(gateway, '/limited/hello', kept))
      this.#client(gateway, () => this.#anyToken(gateway, kept))
    }
  }

  /** The last change that it has shown since it was there; -1: none. */
  shownBy(gateway: FleetNode): number {
    return this.#shown.get(gateway) ?? -1
  }

  /** Asks it again and again, beside its clients. */
  async untilShown(gateway: FleetNode, number: number): Promise<void> {
    while (this.shownBy(gateway) < number) await this.#hello(gateway, '/till/hello', this.#kept)
  }

  /** A standby has taken over without the last changes: gateways go back to what it has. */
  forget(): void {
    this.#shown.clear()
  }

  /** What was counted since the last time. */
  take(): TrafficCount {
    const count = this.#count
    this.#count = emptyCount()
    return count
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  #client(gateway: FleetNode, work: () => Promise<void>): void {
    const run = async () => {
      while (!this.#isStopped) {
        if (gateway.isThere) await work()
        await sleep(this.#options.pauseMs)
      }
    }
    this.#clients.push(run())
  }

  async #hello(gateway: FleetNode, path: string, agent: Agent | false): Promise<void> {
    const sent = this.#sentTo(gateway)
    const reply = await ask(gateway.gatewayUrl + path, this.#options.token, agent)
    const isProper = this.#note(sent, reply, reply.status === 200, path)
    if (!isProper || path !== '/till/hello') return
    const number = Number((JSON.parse(reply.text) as string).split(' ')[1])
    this.#judge(sent, this.#options.versions.faultOf(number, sent))
    if (this.#options.versions.isDone(number))
      this.#shown.set(gateway, Math.max(number, this.shownBy(gateway)))
  }

  async #anyToken(gateway: FleetNode, agent: Agent): Promise<void> {
    const known = this.#options.tokens.pick()
    if (!known) return
    const sent = this.#sentTo(gateway)
    const reply = await ask(`${gateway.gatewayUrl}/till/hello`, known.token, agent)
    const isProper = reply.status === 200 || reply.status === 401
    if (!this.#note(sent, reply, isProper, 'a token')) return
    this.#judge(sent, this.#options.tokens.faultOf(known, reply.status, sent))
  }

  #sentTo(by: FleetNode): Answered {
    return { by, sentMs: performance.now(), shownBefore: this.shownBy(by) }
  }

  #note({ by, sentMs }: Answered, reply: Reply, isProper: boolean, what: string): boolean {
    const nowMs = performance.now()
    if (!by.wasThere(sentMs, nowMs)) {
      this.#count.excused++
      // What it showed before is no measure for what it keeps: that is written after it is shown.
      this.#shown.delete(by)
      return false
    }
    this.#count.requests++
    const tookMs = Math.round(nowMs - sentMs)
    if (!isProper)
      this.#count.failed.push(
        `${by.name} ${what}: ${reply.status} ${reply.text} after ${tookMs} ms`,
      )
    return isProper
  }

  #judge({ by }: Answered, fault: string | undefined): void {
    if (fault !== undefined) this.#count.wrong.push(`${by.name}: ${fault}`)
  }
}

const emptyCount = (): TrafficCount => ({ requests: 0, failed: [], wrong: [], excused: 0 })

/** One request; a failure has status 0. */
function ask(url: string, token: string, agent: Agent | false): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, text: error.code ?? error.message })
    const signal = AbortSignal.timeout(answerMaxMs)
    const headers = { authorization: `Bearer ${token}` }
    get(url, { agent, headers, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', fail)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).on('error', fail)
  })
}
