import { hkdfSync } from 'node:crypto'
import type { Server } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { TlsSettings } from '../messages/worker-settings.ts'

/** Whether a server asks those who connect for a certificate. Which of them it takes is decided for each request. */
export class CertificateRequests {
  readonly #server: Server
  readonly #tls: TlsSettings | null
  #isAsking = false

  constructor(server: Server, tls: TlsSettings | null) {
    this.#server = server
    this.#tls = tls
  }

  /**
   * From the next connection on. A session that began while nobody was asked holds no certificate: it is not resumed
   * once they are, at no worker.
   */
  ask(isAsking: boolean): void {
    if (this.#tls === null || this.#isAsking === isAsking) return
    if (!(this.#server instanceof TlsServer)) return
    this.#isAsking = isAsking
    const keys = Buffer.from(this.#tls.ticketKeys, 'base64')
    // Read at each connection, as the options of the constructor are.
    Object.assign(this.#server, { requestCert: isAsking })
    const ofAsked = () => Buffer.from(hkdfSync('sha256', keys, '', 'client certificates', 48))
    this.#server.setTicketKeys(isAsking ? ofAsked() : keys)
  }
}
