import type { Socket } from 'node:net'
import { parseIp } from '../ip-address.ts'
import { addressGroup } from './address-group.ts'

/**
 * Bounds the connections of one client address (IPv6: of one /64). Trusted proxies are not bounded: they
 * bring the connections of many clients.
 */
export class AddressCounts {
  readonly #max: number
  readonly #isTrustedProxy: (address: string) => boolean
  readonly #counts = new Map<string, number>()

  constructor(max: number, isTrustedProxy: (address: string) => boolean) {
    this.#max = max
    this.#isTrustedProxy = isTrustedProxy
  }

  /** False: its address has reached the bound. Otherwise the connection counts until it closes. */
  enter(socket: Socket): boolean {
    const address = parseIp(socket.remoteAddress ?? '')?.text
    // The connection has closed already.
    if (address === undefined) return true
    if (this.#isTrustedProxy(address)) return true
    const key = addressGroup(address)
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
