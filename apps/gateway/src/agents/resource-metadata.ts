import { agentPath, apiAt } from './agent-path.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** RFC 9728 §3: the path of the resource follows it. */
export const metadataPath = '/.well-known/oauth-protected-resource'

const originOf = ({ forwardedProto, forwardedHost, connection, host }: Exchange): string =>
  `${forwardedProto || (connection.isSecure ? 'https' : 'http')}://${forwardedHost || host}`

/** Where the client of an agent learns who signs it in; undefined: only personal tokens are taken. */
export const metadataUrl = (exchange: Exchange): string | undefined =>
  issuersOf(exchange).length === 0
    ? undefined
    : `${originOf(exchange)}${metadataPath}${exchange.path}`

/** Those that clients can ask: an issuer may also be called by a name that is no address. */
const issuersOf = ({ snapshot }: Exchange): string[] =>
  snapshot.callers.rights.issuers.flatMap(({ issuer }) =>
    /^https?:\/\//.test(issuer) ? [issuer] : [],
  )

/** Answers with the metadata of the resource at the path behind; false: there is nothing to say. */
export function answerMetadata(exchange: Exchange): boolean {
  const issuers = issuersOf(exchange)
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD'
  const path = exchange.path.slice(metadataPath.length) || agentPath
  if (issuers.length === 0 || !isRead || apiAt(exchange, path) === undefined) return false
  const resource = `${originOf(exchange)}${path}`
  const metadata = {
    resource,
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    resource_name: 'Gatehouse',
  }
  exchange.answer(
    200,
    [
      'Content-Type',
      'application/json',
      'Cache-Control',
      'no-store',
      // Clients in browsers read it before they sign in.
      'Access-Control-Allow-Origin',
      '*',
    ],
    JSON.stringify(metadata),
  )
  return true
}
