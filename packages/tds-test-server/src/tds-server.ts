import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { TdsServerOptions, TdsServerRecord } from './tds-options.ts'
import type { TdsRequest } from './tds-requests.ts'
import { TdsSession } from './tds-session.ts'

export interface TdsServer extends Readonly<TdsServerRecord> {
  port: number
  /** Connections that are open now. */
  readonly openCount: number
  /** The most that were open at once. */
  readonly openPeak: number
  /** Resolves when no connection is open. */
  whenAllClosed(): Promise<void>
  /** SQL texts of batches and of sp_executesql. */
  sqlTexts(): string[]
  calls(procedure: string): Extract<TdsRequest, { kind: 'rpc' }>[]
  close(): Promise<void>
}

/**
 * A server that speaks TDS 7.4 as far as a client that calls procedures can see, after the published
 * description ([MS-TDS], revision of 2023). A script holds its answers; it knows no SQL.
 */
export async function startTdsServer(options: TdsServerOptions): Promise<TdsServer> {
  const record: TdsServerRecord = { prelogins: [], logins: [], requests: [], attentions: 0 }
  const sessions = new Map<Socket, TdsSession>()
  let openPeak = 0
  const server = createServer({ noDelay: true }, (socket) => {
    sessions.set(socket, new TdsSession(socket, options, record))
    openPeak = Math.max(openPeak, sessions.size)
    socket.on('close', () => {
      sessions.delete(socket)
      server.emit('session closed')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    prelogins: record.prelogins,
    logins: record.logins,
    requests: record.requests,
    get attentions() {
      return record.attentions
    },
    port: (server.address() as AddressInfo).port,
    get openCount() {
      return sessions.size
    },
    get openPeak() {
      return openPeak
    },
    async whenAllClosed() {
      while (sessions.size > 0) await once(server, 'session closed')
    },
    sqlTexts: () =>
      record.requests.flatMap(({ request }) => {
        if (request.kind === 'batch') return [request.sql]
        if (request.kind !== 'rpc' || request.procedure !== 'sp_executesql') return []
        return [String(request.parameters[0]?.value)]
      }),
    calls: (procedure: string) =>
      record.requests.flatMap(({ request }) =>
        request.kind === 'rpc' && request.procedure === procedure ? [request] : [],
      ),
    async close() {
      server.close()
      for (const session of sessions.values()) session.destroy()
      while (sessions.size > 0) await once(server, 'session closed')
    },
  }
}
