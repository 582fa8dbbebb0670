import type { Socket } from 'node:net'
import { createGuardedConnector } from '../connector.ts'
import type { ConnectorOptions } from '../connector.ts'
import { UpstreamFailure } from '../failures.ts'
import { failureOfConnecting, ProcedureFailure } from './procedure-failure.ts'

/**
 * Opens a TCP connection to an address that the guard has checked. The driver adds TLS. Throws a
 * ProcedureFailure. When `signal` aborts, a socket that opens later is destroyed.
 */
export async function openDatabaseSocket(
  { host, port }: { host: string; port: number },
  options: ConnectorOptions,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted()
  const connect = createGuardedConnector(options)
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    connect({ hostname: host, protocol: 'http:', port: String(port) }, (error, socket) => {
      signal.removeEventListener('abort', leave)
      if (error) return reject(toFailure(error))
      if (!signal.aborted) return resolve(socket)
      socket.destroy()
      reject(signal.reason)
    })
  })
}

function toFailure(error: Error): ProcedureFailure {
  if (error instanceof UpstreamFailure) return failureOfConnecting(error)
  return new ProcedureFailure('upstream.refused', { isSent: false, detail: error.message })
}
