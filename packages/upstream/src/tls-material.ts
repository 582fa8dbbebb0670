import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { SecureContextOptions } from 'node:tls'
import type { StoredTls } from '@gatehouse/contract/credential'

/** What is shown of a client certificate. */
interface ClientCertificate {
  subject: string
  issuer: string
  /** ISO 8601, in UTC. */
  expires_at: string
}

type CheckedTls =
  /** Null: there is no client certificate. */
  | { ok: true; certificate: ClientCertificate | null }
  | { ok: false; problems: { field: keyof StoredTls; message: string }[] }

/**
 * Checks what an API is to show over TLS: the PFX file opens, the key fits the certificate, and no
 * certificate is over at `now`. Reports every problem on its field.
 */
export function checkTls(tls: StoredTls, now: Date): CheckedTls {
  const problems: { field: keyof StoredTls; message: string }[] = []
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof TlsProblem)) throw error
      problems.push({ field: error.field, message: error.message })
      return undefined
    }
  }
  attempt(() => checkAuthorities(tls.ca, now))
  const certificate = attempt(() => clientCertificate(tls))
  if (certificate) attempt(() => checkDates(certificate, tls, now))
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, certificate: certificate ? shown(certificate) : null }
}

/** The options for a connection. Throws what Node throws where the settings were not checked. */
export function secureContextOptions(tls: StoredTls): SecureContextOptions {
  return {
    ...(tls.client_certificate === '' ? {} : { cert: tls.client_certificate, key: tls.client_key }),
    ...(tls.pfx === '' ? {} : { pfx: Buffer.from(tls.pfx, 'base64') }),
    ...(tls.passphrase === '' ? {} : { passphrase: tls.passphrase }),
    ...(tls.ca === '' ? {} : { ca: [tls.ca] }),
    ...(tls.legacy_renegotiation ? { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT } : {}),
  }
}

class TlsProblem extends Error {
  readonly field: keyof StoredTls

  constructor(field: keyof StoredTls, message: string, cause?: unknown) {
    super(message, { cause })
    this.field = field
  }
}

function checkAuthorities(ca: string, now: Date): void {
  for (const pem of ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []) {
    const certificate = readCertificate(pem, 'ca')
    if (certificate.validToDate <= now) {
      throw new TlsProblem('ca', `The certificate of the authority ${ended(certificate)}.`)
    }
  }
}

function clientCertificate(tls: StoredTls): X509Certificate | undefined {
  if (tls.pfx !== '') return openPfx(tls)
  if (tls.client_certificate === '') return undefined
  const certificate = readCertificate(tls.client_certificate, 'client_certificate')
  const key = readKey(tls)
  if (!certificate.checkPrivateKey(key)) {
    throw new TlsProblem('client_key', 'The key does not belong to the client certificate.')
  }
  return certificate
}

function readCertificate(pem: string, field: 'ca' | 'client_certificate'): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new TlsProblem(field, 'The certificate can’t be read.', cause)
  }
}

function readKey({ client_key, passphrase }: StoredTls): KeyObject {
  const isEncrypted = client_key.includes('ENCRYPTED')
  if (isEncrypted && passphrase === '') {
    throw new TlsProblem('passphrase', 'The key is encrypted: enter its passphrase.')
  }
  try {
    return createPrivateKey({ key: client_key, passphrase })
  } catch (cause) {
    if (isEncrypted)
      throw new TlsProblem('passphrase', 'The passphrase does not open the key.', cause)
    throw new TlsProblem('client_key', 'The key can’t be read.', cause)
  }
}

/** Node reads PFX files for connections only, so this asks a socket that goes nowhere. */
function openPfx(tls: StoredTls): X509Certificate {
  try {
    const secureContext = createSecureContext(secureContextOptions({ ...tls, ca: '' }))
    const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const socket = new TLSSocket(nowhere, { secureContext, isServer: true })
    socket.on('error', () => {})
    const certificate = socket.getX509Certificate()
    socket.destroy()
    if (certificate) return certificate
  } catch (cause) {
    throw pfxProblem(cause)
  }
  throw new TlsProblem('pfx', 'The PFX file holds no certificate with its key.')
}

function pfxProblem(cause: unknown): TlsProblem {
  const text = cause instanceof Error ? cause.message : ''
  if (/mac verify/i.test(text)) {
    return new TlsProblem('passphrase', 'The passphrase does not open the PFX file.', cause)
  }
  if (/unsupported/i.test(text)) {
    const message =
      'The PFX file is encrypted in a way that OpenSSL 3 no longer reads. Export it again with AES.'
    return new TlsProblem('pfx', message, cause)
  }
  return new TlsProblem('pfx', 'The PFX file can’t be read.', cause)
}

function checkDates(certificate: X509Certificate, { pfx }: StoredTls, now: Date): void {
  if (certificate.validToDate > now) return
  const message = `The client certificate ${ended(certificate)}.`
  throw new TlsProblem(pfx === '' ? 'client_certificate' : 'pfx', message)
}

const ended = ({ validToDate }: X509Certificate) =>
  `expired on ${validToDate.toISOString().slice(0, 10)}`

/** Node puts each part of a name on a line; where there is none, it gives none. */
const oneLine = (name: string | undefined) => (name ?? '').split('\n').join(', ')

const shown = ({ subject, issuer, validToDate }: X509Certificate): ClientCertificate => ({
  subject: oneLine(subject),
  issuer: oneLine(issuer),
  expires_at: validToDate.toISOString(),
})
