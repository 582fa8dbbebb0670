import { X509Certificate } from 'node:crypto'
import type { ApiDefinition, TrafficPolicy } from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'

const authoritiesMax = 20

/** The certificates of a PEM text that was checked by its form; undefined for one that can't be read. */
function readAll(pem: string): (X509Certificate | undefined)[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return texts.map((text) => {
    try {
      return new X509Certificate(text)
    } catch {
      return undefined
    }
  })
}

/** Throws a 422 where an authority can't be read, is none, or has expired. */
export function refuseBadAuthorities({ traffic_policy }: ApiDefinition, now: Date): void {
  const ca = traffic_policy?.client_certificates?.ca
  if (ca === undefined) return
  const problem = problemOf(readAll(ca), now)
  if (problem !== undefined)
    throw fieldError({ 'traffic_policy.client_certificates.ca': [problem] })
}

function problemOf(read: (X509Certificate | undefined)[], now: Date): string | undefined {
  if (read.length > authoritiesMax) return `Name ${authoritiesMax} authorities at most.`
  for (const certificate of read) {
    if (certificate === undefined) return 'A certificate can’t be read.'
    const name = nameOf(certificate)
    if (name === '') return 'A certificate names no subject, as an authority has to.'
    if (!hasReadableKey(certificate)) return `${name} has a key of a kind that is not supported.`
    if (!certificate.ca) return `${name} is no authority: it may not issue certificates.`
    if (certificate.validToDate <= now)
      return `${name} expired on ${certificate.validToDate.toISOString().slice(0, 10)}.`
  }
  return undefined
}

/** As people may see them. */
export const shownAuthorities = (policy: TrafficPolicy | null | undefined) =>
  readAll(policy?.client_certificates?.ca ?? '').flatMap((certificate) =>
    certificate === undefined
      ? []
      : {
          subject: nameOf(certificate),
          expires_at: certificate.validToDate.toISOString(),
        },
  )

/** Node puts each part of a name on a line; where there is none, it gives none. */
const nameOf = ({ subject }: X509Certificate) =>
  ((subject as string | undefined) ?? '').split('\n').join(', ')

function hasReadableKey(certificate: X509Certificate): boolean {
  try {
    return certificate.publicKey.asymmetricKeyType !== undefined
  } catch {
    return false
  }
}
