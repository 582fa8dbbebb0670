import { createHmac, timingSafeEqual } from 'node:crypto'
import type { HookScheme } from '@gatehouse/contract'

/** More signatures than this in one header are not looked at. */
const signaturesMax = 8

interface SignedMessage {
  /** The bytes as they came. */
  body: Buffer
  header: (name: string) => string | undefined
}

/** The key of a secret: `whsec_` is followed by base64, any other secret is text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)

/** True where one of the secrets has signed the message. Every comparison takes the same time. */
export function isSigned(
  scheme: HookScheme,
  secrets: readonly string[],
  { body, header }: SignedMessage,
): boolean {
  const given = (header(scheme.header) ?? '').split(' ').slice(0, signaturesMax)
  const signatures = given.flatMap((each) =>
    each.startsWith(scheme.prefix)
      ? [Buffer.from(each.slice(scheme.prefix.length), scheme.encoding)]
      : [],
  )
  const head = headOf(scheme, header)
  let isGenuine = false
  for (const secret of secrets) {
    const expected = createHmac('sha256', keyOf(secret)).update(head).update(body).digest()
    for (const signature of signatures)
      if (signature.length === expected.length && timingSafeEqual(signature, expected))
        isGenuine = true
  }
  return isGenuine
}

/** What is signed before the body. */
function headOf(
  { signed, id_header, timestamp_header }: HookScheme,
  header: SignedMessage['header'],
): string {
  const timestamp = header(timestamp_header) ?? ''
  if (signed === 'timestamp.body') return `${timestamp}.`
  return signed === 'body' ? '' : `${header(id_header) ?? ''}.${timestamp}.`
}

/** False where the sender names a moment that is too far away. Seconds since 1970, or a date. */
export function isInWindow(
  { timestamp_header, signed }: HookScheme,
  windowSeconds: number,
  header: SignedMessage['header'],
  at: Date,
): boolean {
  if (signed === 'body' || timestamp_header === '') return true
  const text = header(timestamp_header)?.trim() ?? ''
  const ms = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Math.abs(ms - at.getTime()) <= windowSeconds * 1000
}
