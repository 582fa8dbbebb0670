import { randomBytes } from 'node:crypto'
import { lentMs, traceHeader, traceHeaderName } from '@gatehouse/gateway/supervisor'
import type { GatewayTrace, StartedTrace, TriedAs } from '@gatehouse/server'

/** A request that was traced is answered within its time-outs; its trace follows at once. */
const traceMs = 120_000

/** Requests of _Try it_ that the control plane signs, and the traces that workers report of them. */
export class Traces {
  /** As the gateway has made it for its workers. */
  secret = ''
  readonly #waiting = new Map<string, (trace: GatewayTrace) => void>()

  /** The prefix of the id says what is tried: `e7`, `u`. */
  begin(prefix: string, as: TriedAs | undefined): StartedTrace & { id: string } {
    const id = `${prefix}_${randomBytes(12).toString('base64url')}`
    const { promise, resolve } = Promise.withResolvers<GatewayTrace | undefined>()
    const late = setTimeout(() => resolve(undefined), traceMs).unref()
    this.#waiting.set(id, resolve)
    const trace = promise.finally(() => {
      clearTimeout(late)
      this.#waiting.delete(id)
    })
    const lent = as && { ...as, untilMs: Date.now() + lentMs }
    return { id, header: [traceHeaderName, traceHeader(this.secret, id, lent)], trace }
  }

  receive(trace: GatewayTrace & { id: string }): void {
    this.#waiting.get(trace.id)?.(trace)
  }
}
