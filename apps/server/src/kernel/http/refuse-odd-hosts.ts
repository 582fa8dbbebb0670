import type { IncomingMessage } from 'node:http'
import { isHostField } from '@gatehouse/upstream/http'
import { AppError } from '../app-error.ts'

type Head = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion' | 'url'>

/**
 * Refuses a request that does not name one host, or another than its target does, with a 400, as the gateway
 * does (RFC 9112 §3.2). A proxy before us may have gone by the other of two.
 */
export function refuseOddHosts({ rawHeaders, httpVersion, url = '' }: Head): void {
  const hosts = rawHeaders.filter((_, at) => rawHeaders[at - 1]?.toLowerCase() === 'host' && at % 2)
  const [host] = hosts
  if (hosts.length > 1) throw odd('Send one Host header.')
  if (host === undefined && httpVersion !== '1.0') throw odd('Send a Host header.')
  if (host !== undefined && !isHostField(host)) throw odd('The Host header is not a host.')
  const named = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (named !== undefined && named.toLowerCase() !== host?.toLowerCase())
    throw odd('The target names another host than the Host header.')
}

const odd = (message: string) => new AppError('request.malformed', { message })
