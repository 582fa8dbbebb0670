import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An authenticator app: codes of a secret (RFC 6238), none of them twice. */
export class Authenticator {
  readonly #key: Buffer
  #last = 0

  constructor(secret: string) {
    const bits = [...secret].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0'))
    const bytes = bits.join('').match(/.{8}/g) ?? []
    this.#key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
  }

  /** The code of this half minute; of the next one, where that was given already. */
  code(): string {
    this.#last = Math.max(this.#last + 1, Math.floor(Date.now() / 30_000))
    const counter = Buffer.alloc(8)
    counter.writeUInt32BE(this.#last, 4)
    const mac = createHmac('sha1', this.#key).update(counter).digest()
    const value = mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7f_ff_ff_ff
    return String(value % 1_000_000).padStart(6, '0')
  }
}
