import { buildServer } from './build-server.ts'
import { mailSettings, startMailServer } from './mail-server.ts'

export type MailingServer = Awaited<ReturnType<typeof startMailingServer>>

/** The real app beside a real mail server. */
export async function startMailingServer(environment: NodeJS.ProcessEnv = {}) {
  const mail = await startMailServer()
  const server = await buildServer({ ...mailSettings(mail.port), ...environment })
  return {
    ...server,
    mail,
    tokenOf: async (number: number) => (await mail.linkOf(number)).split('#')[1] ?? '',
    close: async () => {
      await server.close()
      await mail.close()
    },
  }
}
