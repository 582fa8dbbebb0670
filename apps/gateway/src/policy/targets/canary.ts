import type { TrafficPolicy } from '@gatehouse/contract/gateway'

type CanarySettings = NonNullable<TrafficPolicy['canary']>

/** Why a call goes to the canary. */
export type CanaryChoice = 'header' | 'token' | 'share'

/** What of a call counts. */
export interface CanaryCall {
  /** Null: it came without a personal token. */
  readonly tokenId: number | null
  /** Of the caller; null: there is none. */
  readonly quotaKey: string | null
  readonly address: string
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[]
}

/** Says which calls of one API go to its canary. The same client always gets the same answer, from every worker. */
export class Canary {
  readonly url: string
  readonly #settings: CanarySettings
  readonly #tokens: ReadonlySet<number>
  readonly #header: string
  readonly #stickyHeader: string
  /** Clients of one API are not those of another. */
  readonly #salt: string

  constructor(apiId: number, settings: CanarySettings) {
    this.url = settings.url
    this.#settings = settings
    this.#tokens = new Set(settings.token_ids)
    this.#header = settings.header_name.toLowerCase()
    this.#stickyHeader = settings.sticky_header.toLowerCase()
    this.#salt = `${apiId}:`
  }

  /** Null: the call goes where the others go. */
  choose(call: CanaryCall): CanaryChoice | null {
    const { header_value, percent } = this.#settings
    if (this.#header !== '' && hasValue(call.rawHeaders, this.#header, header_value))
      return 'header'
    if (call.tokenId !== null && this.#tokens.has(call.tokenId)) return 'token'
    return percent > 0 && shareOf(this.#salt + this.#clientOf(call)) < percent ? 'share' : null
  }

  /** A client that does not show what tells it apart is told apart by its address. */
  #clientOf({ quotaKey, address, rawHeaders }: CanaryCall): string {
    const { sticky_by } = this.#settings
    if (sticky_by === 'token' && quotaKey !== null) return quotaKey
    const value = sticky_by === 'header' ? valueOf(rawHeaders, this.#stickyHeader) : undefined
    return value === undefined ? `a${address}` : `h${value}`
  }
}

function valueOf(raw: readonly string[], lowerName: string): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === lowerName) return raw[at + 1]
  return undefined
}

function hasValue(raw: readonly string[], lowerName: string, value: string): boolean {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at + 1] === value && raw[at]?.toLowerCase() === lowerName) return true
  return false
}

/** From 0 to below 100, evenly, by FNV-1a and the last step of MurmurHash3. */
export function shareOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * 100
}
