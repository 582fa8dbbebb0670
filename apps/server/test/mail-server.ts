import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A certificate of localhost, with its key. */
export const mailCertificate = readFileSync(
  join(import.meta.dirname, '../../../packages/upstream/fixtures/self-signed-localhost.pem'),
  'utf8',
)

export interface ReceivedMail {
  from: string
  to: string[]
  user: string | undefined
  isSecure: boolean
  text: string
}

/** A real mail server. `refuse` holds what it answers instead of taking a mail. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = []
  const control = {
    refuse: undefined as string | undefined,
    isHanging: false,
    /** Reads a mail to its end, keeps nothing of it, and says nothing. */
    isHangingAfterData: false,
  }
  const server = new SMTPServer({
    key: mailCertificate,
    cert: mailCertificate,
    authOptional: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === 'a password of mail'
        ? callback(null, { user: username })
        : callback(new Error('535 The password is wrong')),
    onMailFrom: (_address, _session, callback) => {
      if (control.isHanging) return
      if (control.refuse === undefined) return callback()
      callback(Object.assign(new Error(control.refuse), { responseCode: 451 }))
    },
    onData: (stream, session, callback) => {
      if (control.isHangingAfterData) {
        stream.resume()
        return
      }
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (part: string) => (text += part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          isSecure: session.secure,
          text,
        })
        callback(null, `queued as ${mails.length}`)
      })
    },
    ...options,
  })
  // Connections that a test cuts off.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    mails,
    control,
    port: (server.server.address() as AddressInfo).port,
    subjects: () =>
      mails.map(({ text }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(text)?.[1]?.replace(/\r\n/g, '')),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
