import { constants, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import type { StoredTls } from '@gatehouse/contract/credential'
import { KeyFileProblem, type KeyFileFault } from './key-files/key-file-problem.ts'
import { isSlowKey, slowKeyWords } from './key-files/key-size.ts'
import { isEncrypted, openKey, toPem } from './key-files/open-key.ts'
import { openPfxFile } from './key-files/open-pfx.ts'
import { workMax } from './key-files/work-bound.ts'

/** What is shown of a client certificate. */
interface ClientCertificate {
  subject: string
  issuer: string
  /** ISO 8601, in UTC. */
  expires_at: string
}

export type CheckedTls =
  /**
   * Null: there is no client certificate. `opened`: the same settings, whose key or PFX file takes no passphrase and
   * no work any more.
   */
  | { ok: true; certificate: ClientCertificate | null; opened: StoredTls }
  | { ok: false; problems: { field: keyof StoredTls; message: string }[] }

/** Whether `checkTls` may have to decrypt: a thread should do it then. */
export const mayTakeWork = ({ client_key, pfx }: StoredTls): boolean =>
  pfx !== '' || isEncrypted(client_key)

/**
 * Checks what an API is to show over TLS: the PFX file opens, the key fits the certificate, and no
 * certificate is over at `now`. Reports every problem on its field. Takes about a second of a processor at most: a
 * file that asks for more is refused (`key-files/work-bound.ts`).
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
  const { certificate, opened = tls } = attempt(() => clientOf(tls)) ?? {}
  if (certificate) attempt(() => checkDates(certificate, tls, now))
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, certificate: certificate ? shown(certificate) : null, opened }
}

/**
 * The options for a connection. Settings of earlier versions are stored encrypted: they are opened here, within the
 * same bound as by `checkTls`. Nothing that is encrypted reaches Node, which has no such bound. Throws where the
 * settings can't be used.
 */
export function secureContextOptions(tls: StoredTls): SecureContextOptions {
  const { client_certificate: cert, client_key, pfx, passphrase, ca, legacy_renegotiation } = tls
  return {
    ...(cert === '' ? {} : { cert, key: toPem(openKey(client_key, passphrase)) }),
    ...(pfx === '' ? {} : { pfx: openPfxFile(Buffer.from(pfx, 'base64'), passphrase).plain }),
    ...(ca === '' ? {} : { ca: [ca] }),
    ...(legacy_renegotiation ? { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT } : {}),
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

/** What is shown of the client certificate, and the settings with its key in the clear. */
interface Client {
  certificate: X509Certificate | undefined
  opened: StoredTls
}

function clientOf(tls: StoredTls): Client {
  if (tls.pfx !== '') return clientOfPfx(tls)
  if (tls.client_certificate === '') return { certificate: undefined, opened: tls }
  const certificate = readCertificate(tls.client_certificate, 'client_certificate')
  const key = readKey(tls)
  if (!certificate.checkPrivateKey(key)) {
    throw new TlsProblem('client_key', 'The key does not belong to the client certificate.')
  }
  refuseSlowKey(key, 'client_key')
  const opened = isEncrypted(tls.client_key) ? { ...tls, client_key: toPem(key) } : tls
  return { certificate, opened }
}

function readCertificate(pem: string, field: 'ca' | 'client_certificate'): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new TlsProblem(field, 'The certificate can’t be read.', cause)
  }
}

function readKey({ client_key, passphrase }: StoredTls): KeyObject {
  if (isEncrypted(client_key) && passphrase === '') {
    throw new TlsProblem('passphrase', 'The key is encrypted: enter its passphrase.')
  }
  try {
    return openKey(client_key, passphrase)
  } catch (cause) {
    throw keyProblem(cause)
  }
}

function refuseSlowKey(key: KeyObject, field: 'client_key' | 'pfx'): void {
  if (isSlowKey(key)) throw new TlsProblem(field, slowKeyWords)
}

function clientOfPfx(tls: StoredTls): Client {
  try {
    const { key, certificate, plain } = openPfxFile(Buffer.from(tls.pfx, 'base64'), tls.passphrase)
    refuseSlowKey(key, 'pfx')
    return { certificate, opened: { ...tls, pfx: plain.toString('base64') } }
  } catch (cause) {
    throw cause instanceof TlsProblem ? cause : pfxProblem(cause)
  }
}

const workWords = `${workMax.pbkdf2Rounds.toLocaleString('en')} rounds of PBKDF2 at most`

const problemsOfKey: Readonly<Record<KeyFileFault, string>> = {
  unreadable: 'The key can’t be read.',
  empty: 'The key can’t be read.',
  locked: 'The passphrase does not open the key.',
  unsupported: 'The key is encrypted in a way that is not supported. Encrypt it again with AES.',
  work: `The key takes too much work to open. Encrypt it again, with ${workWords}.`,
}

const problemsOfPfx: Readonly<Record<KeyFileFault, string>> = {
  unreadable: 'The PFX file can’t be read.',
  empty: 'The PFX file holds no certificate with its key.',
  locked: 'The passphrase does not open the PFX file.',
  unsupported:
    'The PFX file is encrypted in a way that is not supported. Export it again with AES.',
  work: `The PFX file takes too much work to open. Export it again, with ${workWords}.`,
}

function keyProblem(cause: unknown): TlsProblem {
  const fault = faultOf(cause)
  const field = fault === 'locked' ? 'passphrase' : 'client_key'
  return new TlsProblem(field, problemsOfKey[fault], cause)
}

function pfxProblem(cause: unknown): TlsProblem {
  const fault = faultOf(cause)
  return new TlsProblem(fault === 'locked' ? 'passphrase' : 'pfx', problemsOfPfx[fault], cause)
}

const faultOf = (cause: unknown): KeyFileFault =>
  cause instanceof KeyFileProblem ? cause.fault : 'unreadable'

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
