import { parseIp } from '@gatehouse/upstream/http'
import type { Socket } from 'node:net'
import { addressKey } from './address-key.ts'
import type { ClientRules } from './client-rules.ts'

/**
 * Bounds the connections of one client address (IPv6: of one /64). Trusted proxies are not bounded: they
 * bring the connections of many clients.
 */
export class AddressCounts {
  readonly #max: number
  readonly #rules: ClientRules
  readonly #counts = new Map<string, number>()

  constructor(max: number, rules: ClientRules) {
    this.#max = max
    this.#rules = rules
  }

  /** False: its address has reached the bound. Otherwise the connection counts until it closes. */
  enter(socket: Socket): boolean {
    const address = parseIp(socket.remoteAddress ?? '')?.text
    // The connection has closed already.
    if (address === undefined) return true
    if (this.#rules.isTrustedProxy(address)) return true
    const key = addressKey(address)
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#max) return false
    this.#counts.set(key, count + 1)
    socket.once('close', () => this.#leave(key))
    return true
  }

  #leave(key: string): void {
    const count = this.#counts.get(key) ?? 0
    if (count > 1) this.#counts.set(key, count - 1)
    else this.#counts.delete(key)
  }
}
