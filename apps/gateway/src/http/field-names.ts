import { hopByHopNames } from '@gatehouse/upstream/http'

/** What the gateway does with a request header field of a name. */
export type FieldKind =
  | 'pass'
  /** Belongs to one connection, or is ours to set: never passed on. */
  | 'drop'
  | 'host'
  | 'content-length'
  | 'content-type'
  | 'transfer-encoding'
  | 'connection'
  | 'upgrade'
  | 'expect'
  | 'authorization'
  | 'cookie'
  | 'x-forwarded-for'
  | 'x-forwarded-proto'
  | 'x-forwarded-host'
  /** Other fields that only a trusted proxy may set. */
  | 'proxied'
  | 'x-request-id'
  | 'via'
  | 'trace'
  | 'traceparent'
  | 'tracestate'
  | 'invalid'

/**
 * Who the client is and where it came from, as the usual servers and proxies write it. Upstreams
 * behind such a proxy believe these fields, even if a client wrote them.
 */
const proxiedNames = [
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-cluster-client-ip',
  'x-originating-ip',
  'x-original-forwarded-for',
  'x-proxyuser-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'fastly-client-ip',
  'fly-client-ip',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'x-envoy-external-address',
  'x-host',
  'x-original-host',
  'x-original-uri',
  'x-original-method',
  'remote-user',
  'remote-name',
  'remote-email',
  'remote-group',
  'remote-groups',
  'x-userid',
  'x-username',
  'x-anonymous-consumer',
  'x-endpoint-api-userinfo',
  'x-arr-clientcert',
  'client-cert',
  'client-cert-chain',
  'wl-proxy-client-cert',
  'sm-user',
  'iv-user',
  'iv-groups',
  'iv-creds',
] as const

/**
 * The same as beginnings of names. Not among them is what a client shows for itself: a token or key is checked by who
 * reads it (`X-Auth-Token`), and `X-User-Agent` names a program.
 */
const proxiedPrefix = new RegExp(
  `^(?:x-(?:${[
    'forwarded',
    'user(?!-agent$)',
    'auth(?=-)(?!-(?:token|key)$)',
    'authenticated',
    'credential',
    'consumer',
    'remote',
    'webauth',
    'ms-client-principal',
    'goog-authenticated-user',
    'goog-iap',
    'amzn-oidc',
    'amzn-mtls',
    'ssl',
    'tls-client',
    'client-(?:cert|dn|verify|subject|ssl)',
    'authentik',
    'vouch',
    'pomerium-claim',
  ].join('|')})|ssl-client|cf-access-authenticated-user|tailscale-user)(?:-|$)`,
)

const special = new Map<string, FieldKind>([
  ...[...hopByHopNames].map((name): [string, FieldKind] => [name, 'drop']),
  ['host', 'host'],
  ['content-length', 'content-length'],
  ['content-type', 'content-type'],
  ['transfer-encoding', 'transfer-encoding'],
  ['connection', 'connection'],
  ['upgrade', 'upgrade'],
  ['expect', 'expect'],
  ['authorization', 'authorization'],
  ['cookie', 'cookie'],
  ['x-forwarded-for', 'x-forwarded-for'],
  ['x-forwarded-proto', 'x-forwarded-proto'],
  ['x-forwarded-host', 'x-forwarded-host'],
  ...proxiedNames.map((name): [string, FieldKind] => [name, 'proxied']),
  ['x-request-id', 'x-request-id'],
  ['via', 'via'],
  ['x-gatehouse-trace', 'trace'],
  ['traceparent', 'traceparent'],
  ['tracestate', 'tracestate'],
  // Some frameworks read another path or method from these than the one that was let through.
  ['x-original-url', 'drop'],
  ['x-rewrite-url', 'drop'],
  ['x-http-method-override', 'drop'],
  ['x-http-method', 'drop'],
  ['x-method-override', 'drop'],
  // Only belongs to a switch to HTTP/2, which is refused.
  ['http2-settings', 'drop'],
])

const known = new Map<string, FieldKind>()
const knownMax = 2_048

/** By the name as it came, in any case. Names seen before cost one look-up. */
export function fieldKind(name: string): FieldKind {
  const kind = known.get(name)
  if (kind !== undefined) return kind
  const found = classify(name.toLowerCase())
  // A client that makes up names must not fill the memory.
  // The copy does not hold on to the head that the name was cut from.
  if (known.size < knownMax && name.length <= 64) known.set(Buffer.from(name).toString(), found)
  return found
}

function classify(name: string): FieldKind {
  const kind = special.get(name)
  if (kind !== undefined) return kind
  // Some servers read `x_forwarded_for` and `x-forwarded-for` as one name.
  if (name.includes('_')) return 'invalid'
  return proxiedPrefix.test(name) ? 'proxied' : 'pass'
}

const endToEnd =
  /^(?:host|authorization|cookie|content-.*|x-forwarded-.*|x-api-key|via|x-request-id|x-gatehouse-.*)$/

/**
 * Whether Connection may name this field, so that it is dropped on the way: not those that decide
 * what the other side does with the request.
 */
export function mayBeNominated(name: string): boolean {
  return !endToEnd.test(name) && fieldKind(name) !== 'proxied'
}

const answerDropped: ReadonlySet<string> = new Set([
  ...hopByHopNames,
  'x-request-id',
  'x-gateway-mock',
  // Both act on the whole host, and so on the dashboard beside us.
  'strict-transport-security',
  'clear-site-data',
])

/** Whether a field of an answer is passed on to the client. Names are lower case. */
export function isAnswerFieldPassed(name: string): boolean {
  return !answerDropped.has(name)
}
