import { X509Certificate } from 'node:crypto'

const clientAuthentication = '1.3.6.1.5.5.7.3.2'

export interface CertifiedConnection {
  /** Null: its client has shown none. */
  readonly certificate: X509Certificate | null
  readonly isSecure: boolean
}

/** The authorities whose client certificates an API takes. What can't be read of them takes nobody's. */
export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[]
  /** A connection shows one certificate for all of its requests; null: none of these has issued it. */
  readonly #issuers = new WeakMap<X509Certificate, X509Certificate | null>()

  /** `pem`: one or more certificates. */
  constructor(pem: string) {
    const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    this.#authorities = texts.flatMap((text) => {
      try {
        return new X509Certificate(text)
      } catch {
        return []
      }
    })
  }

  /** What is wrong with the certificate that the client of a connection has proved to hold; null: nothing. */
  problem({ certificate, isSecure }: CertifiedConnection, nowMs: number): string | null {
    if (!isSecure)
      return 'This API is called over TLS that ends at the gateway itself, with a client certificate.'
    return certificate === null
      ? 'This API takes calls with a client certificate alone.'
      : this.#problemOf(certificate, nowMs)
  }

  /**
   * One of the authorities has to have issued it itself: a session that is resumed does not bring what stood between
   * them.
   */
  #problemOf(certificate: X509Certificate, nowMs: number): string | null {
    const issuer = this.#issuerOf(certificate)
    if (issuer === null)
      return 'The client certificate was not issued by an authority that this API takes.'
    if (certificate.ca) return 'The client certificate is that of an authority.'
    // Absent: it is for any use (RFC 5280 §4.2.1.12). The types of Node leave that out.
    const uses = certificate.keyUsage as readonly string[] | undefined
    if (uses !== undefined && !uses.includes(clientAuthentication))
      return 'The client certificate is not made for clients.'
    if (certificate.validToDate.getTime() <= nowMs) return 'The client certificate has expired.'
    if (certificate.validFromDate.getTime() > nowMs)
      return 'The client certificate is not valid yet.'
    return issuer.validToDate.getTime() <= nowMs
      ? 'The authority of the client certificate has expired.'
      : null
  }

  #issuerOf(certificate: X509Certificate): X509Certificate | null {
    const known = this.#issuers.get(certificate)
    if (known !== undefined) return known
    const issuer = this.#authorities.find((each) => hasIssued(each, certificate)) ?? null
    this.#issuers.set(certificate, issuer)
    return issuer
  }
}

const hasIssued = (authority: X509Certificate, certificate: X509Certificate): boolean =>
  authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
