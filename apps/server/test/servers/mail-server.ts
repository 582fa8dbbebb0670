import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

const certificateFile = join(
  import.meta.dirname,
  '../../../../packages/upstream/fixtures/self-signed-localhost.pem',
)

/** A certificate of localhost, with its key. */
export const mailCertificate = readFileSync(certificateFile, 'utf8')

export const publicUrl = 'https://gatehouse.example.com'

/** Settings of a product that sends its e-mails to this server, over TLS. */
export const mailSettings = (port: number) => ({
  SMTP_URL: `smtp://gatehouse:a%20password%20of%20mail@localhost:${port}`,
  SMTP_FROM: 'gatehouse@example.com',
  SMTP_CA: certificateFile,
  PUBLIC_URL: publicUrl,
})

interface ReceivedMail {
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
  /** The text of the mail of this number, once it is there. */
  const textOf = async (number: number) => {
    while (mails.length < number) await setTimeout(10)
    return mails[number - 1]!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  }
  return {
    mails,
    control,
    textOf,
    /** The link by which the receiver of this mail chooses a password. */
    linkOf: async (number: number) =>
      /https:\S+\/dashboard\/password#[\w-]{43}/.exec(await textOf(number))?.[0] ?? '',
    port: (server.server.address() as AddressInfo).port,
    subjects: () =>
      mails.map(({ text }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(text)?.[1]?.replace(/\r\n/g, '')),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
