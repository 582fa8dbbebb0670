import { TLSSocket } from 'node:tls'
import { openGuardedSocket, type ConnectorOptions } from './connector.ts'
import type { UpstreamFailure } from './failures.ts'

/** What a connection showed. Times are in ms. */
export type ConnectionCheck =
  | {
      ok: true
      /** The address that the name resolved to. */
      address: string
      tookMs: number
      /** Null without TLS. */
      certificate: { subject: string; issuer: string; validUntil: Date } | null
    }
  | { ok: false; failure: UpstreamFailure; tookMs: number }

const timeoutMs = 10_000

/**
 * Connects to an http or https URL and closes: name, guard, TCP and, for https, TLS with its certificate, 10 s
 * at most. Nothing is sent and nothing is read.
 */
export function checkConnection(
  options: Pick<ConnectorOptions, 'guard' | 'ca' | 'lookup'>,
  url: URL,
): Promise<ConnectionCheck> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const { promise, resolve } = Promise.withResolvers<ConnectionCheck>()
  openGuardedSocket({ ...options, connectTimeoutMs: timeoutMs }, url, (failure, socket) => {
    if (failure) return resolve({ ok: false, failure, tookMs: took() })
    const certificate = socket instanceof TLSSocket ? readCertificate(socket) : null
    const address = socket.remoteAddress ?? ''
    socket.destroy()
    return resolve({ ok: true, address, tookMs: took(), certificate })
  })
  return promise
}

function readCertificate(socket: TLSSocket) {
  const { subject, issuer, valid_to } = socket.getPeerCertificate()
  return {
    subject: nameOf(subject.CN),
    issuer: nameOf(issuer.O ?? issuer.CN),
    validUntil: new Date(valid_to),
  }
}

/** A name may come more than once. */
const nameOf = (value: string | string[] | undefined) => [value ?? []].flat().join(', ')
