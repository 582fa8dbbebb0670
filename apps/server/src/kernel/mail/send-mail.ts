import type { Socket } from 'node:net'
import type { MailSecurity } from '@gatehouse/contract'
import type { AddressGuard } from '@gatehouse/upstream/http'
import { createTransport } from 'nodemailer'
import { openMailSocket } from './guarded-mail-socket.ts'

// The whole of a try is bounded by the signal of its caller.
const answerTimeoutMs = 15_000
const answerMaxLength = 300

interface Mail {
  /** The same at every try, so that a mail that arrives twice is recognised. */
  id: string
  subject: string
  text: string
}

export interface MailSettings {
  host: string
  /** Null: 587. */
  port: number | null
  security: MailSecurity
  /** A certificate in PEM that is trusted in place of the system's; blank: there is none. */
  ca: string
  /** Blank: the server asks for no sign-in. */
  user: string
  from: string
  to: string[]
}

interface MailOptions {
  guard: AddressGuard
  settings: MailSettings
  password: string
  at: Date
  signal: AbortSignal
}

/** What the mail server said, without the password. */
export type MailAnswer =
  | { ok: true; status: number; answer: string }
  | { ok: false; status: number | null; answer: string }

/** Sends a mail once. The certificate of the server is always verified. */
export async function sendMail(mail: Mail, options: MailOptions): Promise<MailAnswer> {
  const { settings, password, signal } = options
  const stopping = aborted(signal)
  // It is raced against below; until then nobody listens.
  stopping.catch(() => {})
  let socket: Socket | undefined
  try {
    const { host, port, security } = settings
    const isPlain = security === 'none'
    socket = await openMailSocket({ guard: options.guard, host, port: port ?? 587, isPlain })
    const transport = transportOf(options, socket)
    const sending = transport.sendMail(contentOf(mail, options))
    const { response } = await Promise.race([sending, stopping])
    return { ok: true, status: statusOf(response) ?? 250, answer: shortened(response) }
  } catch (error) {
    const { message, response } = error as Error & { response?: string }
    const answer = shortened(response || message)
    const hidden = password === '' ? answer : answer.replaceAll(password, '***')
    return { ok: false, status: statusOf(response ?? '') ?? null, answer: hidden }
  } finally {
    socket?.destroy()
  }
}

const contentOf = ({ id, subject, text }: Mail, { settings, at }: MailOptions) => ({
  from: settings.from,
  to: settings.to,
  subject,
  text,
  date: at,
  messageId: `<${id}@${settings.from.split('@')[1] ?? 'gatehouse'}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

function transportOf({ settings, password }: MailOptions, connection: Socket) {
  const { host, port, security, user, ca } = settings
  return createTransport({
    host,
    port: port ?? 587,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user ? { auth: { user, pass: password } } : {}),
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca ? { ca } : {}),
    },
    greetingTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
    connection,
  })
}

/** Rejects once the signal is aborted. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('The mail server did not answer in time.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })

function statusOf(response: string): number | undefined {
  const found = /^(\d{3})[ -]/.exec(response)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** One line of what a foreign server says. */
const shortened = (text: string) =>
  text
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, answerMaxLength)
