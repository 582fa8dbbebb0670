import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SMTPServer } from 'smtp-server'

const certificate = fileURLToPath(
  new URL('../../../packages/upstream/fixtures/self-signed-localhost.pem', import.meta.url),
)

/** Where the settings say that the dashboard is. */
const publicUrl = 'https://gatehouse.example.com'

/** A mail server with one box, and the settings of a product that sends to it over TLS. */
export async function startMailBox() {
  const pem = readFileSync(certificate)
  const mails: string[] = []
  const server = new SMTPServer({
    key: pem,
    cert: pem,
    authOptional: true,
    onData: (stream, _session, callback) => {
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (part: string) => (text += part))
      stream.on('end', () => {
        mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    settings: {
      SMTP_URL: `smtp://localhost:${port}`,
      SMTP_FROM: 'gatehouse@example.com',
      SMTP_CA: certificate,
      PUBLIC_URL: publicUrl,
    },
    /** The path of the link in the mail of this number, once it is there: a journey runs elsewhere. */
    linkIn: async (number: number) => {
      while (mails.length < number) await setTimeout(10)
      const link = /https:\S+#[\w-]{43}/.exec(mails[number - 1]!)?.[0] ?? ''
      if (!link.startsWith(`${publicUrl}/`)) throw new Error(`No link: ${mails[number - 1]}`)
      return link.slice(publicUrl.length)
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
