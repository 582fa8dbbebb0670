import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { createSecretBox } from '../../kernel/secret-box.ts'

/** What is sealed: it opens as nothing else. `of` is the API of a token. */
interface SealedThing {
  kind: 'config' | 'token' | 'message' | 'question'
  account: string
  of?: number
}

/** More than any configuration or message has; it bounds what a sealed text may unfold to. */
const unfoldedMaxBytes = 1 << 29

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/**
 * What control plane and gateways say to each other through the database, packed and encrypted with the key of
 * the gateways' account. `open` rejects what was sealed with another key, for another account, or changed.
 */
export function createGatewaySeal(key: Buffer) {
  const box = createSecretBox(key)
  const placeOf = ({ kind, account, of = 0 }: SealedThing) => ({
    table: `gateway ${kind}`,
    row: of,
    field: account,
  })
  return {
    seal: async (value: unknown, thing: SealedThing): Promise<string> => {
      const packed = await pack(JSON.stringify(value))
      return box.seal(packed.toString('base64'), placeOf(thing))
    },
    open: async (sealed: string, thing: SealedThing): Promise<unknown> => {
      const packed = Buffer.from(box.open(sealed, placeOf(thing)), 'base64')
      const text = await unpack(packed, { maxOutputLength: unfoldedMaxBytes })
      return JSON.parse(text.toString('utf8')) as unknown
    },
  }
}

export type GatewaySeal = ReturnType<typeof createGatewaySeal>
