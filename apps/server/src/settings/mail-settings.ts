import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import type { MailAccount } from '../kernel/mail/mailer.ts'

const schemes = { 'smtp:': 'starttls', 'smtps:': 'tls' } as const
const ports = { starttls: 587, tls: 465, none: 25 }

type Server = Pick<MailAccount, 'host' | 'port' | 'security' | 'user' | 'password'>

/** `smtp://user:password@host:587` wants STARTTLS, `smtps://` begins with TLS, `?security=none` encrypts nothing. */
export const smtpUrl = z.string().transform((text, context): Server => {
  const server = serverOf(text)
  if (server) return server
  context.addIssue('a URL like smtp://user:password@mail.example.com:587, or smtps:// for TLS')
  return z.NEVER
})

function serverOf(text: string): Server | undefined {
  const url = URL.parse(text)
  const scheme = schemes[url?.protocol as keyof typeof schemes]
  if (!url || !scheme || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash)
    return undefined
  const isPlain = scheme === 'starttls' && url.search === '?security=none'
  if (url.search !== '' && !isPlain) return undefined
  const security = isPlain ? 'none' : scheme
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? ports[security] : Number(url.port),
      security,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }
  } catch {
    return undefined
  }
}

interface Given {
  SMTP_URL?: Server | undefined
  SMTP_FROM?: string | undefined
  SMTP_CA?: string | undefined
  PUBLIC_URL?: string | undefined
}

type Refuse = (name: string, value: string, allowed: string) => never

/** Undefined: the product sends no e-mails of its own. */
export function mailAccountOf(given: Given, refuse: Refuse): MailAccount | undefined {
  const { SMTP_URL: server, SMTP_FROM: from, SMTP_CA: caFile, PUBLIC_URL } = given
  if (!server) return undefined
  if (from === undefined) return refuse('SMTP_FROM', '', 'SMTP_URL is set: name the sender too')
  if (PUBLIC_URL === undefined)
    return refuse('PUBLIC_URL', '', 'SMTP_URL is set: e-mails link to where the dashboard is')
  return { ...server, from, ca: caFile === undefined ? '' : readCa(caFile, refuse) }
}

function readCa(file: string, refuse: Refuse): string {
  try {
    const ca = readFileSync(file, 'utf8')
    createSecureContext({ ca })
    return ca
  } catch (error) {
    return refuse('SMTP_CA', file, `a certificate in PEM (${(error as Error).message})`)
  }
}
