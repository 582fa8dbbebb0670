import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { passwordMaxLength, passwordMinLength } from '@gatehouse/contract/password-length'
import { z } from 'zod'
import { readPostgresAddress } from '../db/postgres/postgres-hosts.ts'

// What a setting may hold. Every message completes the sentence "NAME=value can't be used: …".

/** A setting with a default, which is used where the variable is blank. */
export const withDefault = <T extends z.ZodType<unknown, string>>(fallback: string, schema: T) =>
  z
    .string()
    .transform((text) => text || fallback)
    .pipe(schema)

/** A setting that is undefined where the variable is blank. */
export const optional = <T extends z.ZodType<unknown, string>>(schema: T) =>
  z
    .string()
    .transform((text) => text || undefined)
    .pipe(schema.optional())

const portMessage = 'a port is a number from 0 to 65535'
export const port = z
  .string()
  .regex(/^\d{1,5}$/, portMessage)
  .transform(Number)
  .refine((parsed) => parsed <= 65_535, portMessage)

export const address = z
  .string()
  .refine(
    (text) => isIP(text) > 0 || text === 'localhost',
    'an IP address to listen on, like 127.0.0.1 or 0.0.0.0',
  )

export const httpUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text),
    'a URL without a path, like https://gateway.example.com',
  )
  .transform((text) => text.replace(/\/$/, ''))

/** Where a collector of telemetry is; signals have paths below it. */
export const collectorUrl = z
  .string()
  .refine((text) => {
    const url = /^https?:\/\/[^?#@]+$/.test(text) && URL.canParse(text) ? new URL(text) : null
    return url !== null && url.hostname !== ''
  }, 'a URL like http://localhost:4318')
  .transform((text) => text.replace(/\/+$/, ''))

/** Header fields as OpenTelemetry writes them: `name=value,name=value`, values percent-encoded. */
export const headerList = z.string().transform((text, context): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, encoded] =
      /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21-\x7e]*)\s*$/.exec(entry) ?? []
    const value = encoded === undefined ? null : decoded(encoded)
    if (name === undefined || value === null) {
      context.addIssue('a list like name=value,name=value')
      return z.NEVER
    }
    headers[name] = value
  }
  return headers
})

function decoded(text: string): string | null {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]*$/.test(value) ? value : null
  } catch {
    return null
  }
}

export const postgresUrl = z
  .string()
  .refine(
    (text) => readPostgresAddress(text) !== undefined,
    'a connection string like postgres://user@host:5432/database, or with several hosts ' +
      '(host1:5432,host2:5432) and target_session_attrs=read-write, primary or any',
  )

export const redisUrl = z
  .string()
  .refine(
    (text) =>
      /^rediss?:\/\/[^/?#]+(?:\/\d{0,5})?$/.test(text) &&
      URL.canParse(text) &&
      new URL(text).hostname !== '',
    'a URL like redis://user:password@host:6379/0, or rediss:// for TLS',
  )

export const keyPrefix = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, 'up to 100 letters, digits, points, colons, hyphens and underscores')

export const email = z
  .string()
  .refine((text) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254, 'an e-mail address')

export const password = z
  .string()
  .refine(
    ({ length }) => length >= passwordMinLength && length <= passwordMaxLength,
    `a password has ${passwordMinLength} to ${passwordMaxLength} characters`,
  )

export const key = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine(
    (bytes) => bytes.length === 32,
    '32 random bytes in base64, as `openssl rand -base64 32` prints them',
  )

export const visibleAscii = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/, '16 to 512 visible ASCII characters')

export const number = (min: number, max: number) => {
  const message = `a number from ${min} to ${max}`
  return z
    .string()
    .transform(Number)
    .refine((parsed) => parsed >= min && parsed <= max, message)
}

export const whole = (min: number, max: number) => {
  const message = `a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((parsed) => parsed >= min && parsed <= max, message)
}

export const choice = <const C extends readonly [string, ...string[]]>(choices: C) =>
  z
    .string()
    .refine((text): text is C[number] => choices.includes(text), `one of ${choices.join(', ')}`)

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
)

export const networks = list.refine(
  (entries) => entries.every(isNetwork),
  'a list of networks like 10.0.0.0/8,fd00::/8',
)

function isNetwork(entry: string): boolean {
  const [network = '', bits, ...rest] = entry.split('/')
  const family = isIP(network)
  const isBits =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  return family > 0 && isBits && rest.length === 0
}

export const folders = list
  .refine(
    (entries) => entries.every((entry) => isAbsolute(entry)),
    'a list of absolute paths like /var/log/nginx,/var/log/php',
  )
  .transform((entries) => entries.map((entry) => resolve(entry)))

export const folder = z
  .string()
  .refine((entry) => isAbsolute(entry), 'an absolute path like /var/backups')
  .transform((entry) => resolve(entry))
