import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// RFC 6238 with the values that every authenticator app knows: SHA-1, 30 seconds, six digits.
const stepMs = 30_000
const digits = 6
/** RFC 4226 §4, R6: 160 bits are recommended. */
const secretBytes = 20
/** A code of the step before or after is taken too: clocks differ, and typing takes time (RFC 6238 §5.2). */
const stepsAround = [-1, 0, 1]

/** RFC 4648 §6. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A fresh secret, in Base32. */
export const newSecret = (): string => toBase32(randomBytes(secretBytes))

export const stepAt = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** The time step whose code this is, around `now`; undefined where it is none. */
export function stepOf(code: string, secret: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const given = Buffer.from(code)
  const current = stepAt(now)
  return stepsAround
    .map((around) => current + around)
    .find((step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), given))
}

/** The code of a time step (RFC 4226 §5.3). */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** What the QR code of an authenticator app says. */
export function otpauthUri(account: string, secret: string): string {
  const issuer = 'Gatehouse'
  const query = `secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${query}`
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((eight) => Number.parseInt(eight, 2)))
}
