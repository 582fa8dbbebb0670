import { fieldText } from '../endpoint-texts.ts'
import type { ImportedCall } from '../imported-document.ts'

/** What of a command may sign in. */
interface SigningParts {
  headers: readonly [name: string, value: string][]
  /** `name:password`. */
  user: string | undefined
  bearer: string | undefined
}

/** What a client sends by itself, or what the gateway decides. */
const ordinary =
  /^(?:accept|accept-encoding|accept-language|cache-control|connection|content-length|content-type|cookie|dnt|host|origin|pragma|priority|referer|sec-.*|te|upgrade-insecure-requests|user-agent)$/i
const secret = /(?:key|token|secret|auth|password|credential)/i

/** How the command signs in, and the names of the headers that are left out. */
export function signInOf({ user, bearer, headers }: SigningParts) {
  const others = headers.filter(([name]) => !ordinary.test(name))
  const authorization = others.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  const named = others.filter(([name]) => name.toLowerCase() !== 'authorization')
  const secrets = named.filter(([name]) => secret.test(name))
  const passedOver = named
    .filter(([name]) => !secret.test(name))
    .map(([name]) => fieldText(name, 60))
  const signIn =
    (bearer === undefined ? undefined : bearerOf('Bearer', bearer)) ??
    (user === undefined ? undefined : basicOf(user)) ??
    (authorization === undefined ? undefined : authorizationOf(authorization)) ??
    (secrets.length === 0 ? null : headersOf(secrets))
  return { signIn, passedOver }
}

type SignIn = NonNullable<ImportedCall['signIn']>

const bearerOf = (scheme: string, token: string): SignIn => ({
  kind: 'bearer',
  scheme,
  token,
  refused_when: null,
})

function basicOf(user: string): SignIn {
  const [username, password = ''] = splitAtFirst(user, ':')
  return { kind: 'basic', username, password, refused_when: null }
}

function authorizationOf(value: string): SignIn {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(\S.*)$/.exec(value) ?? []
  if (/^basic$/i.test(scheme)) return basicOf(Buffer.from(rest, 'base64').toString('utf8'))
  if (scheme !== '' && !/\s/.test(rest)) return bearerOf(scheme, rest)
  return headersOf([['Authorization', value]])
}

function headersOf(secrets: [name: string, value: string][]): SignIn {
  const headers = secrets.slice(0, headersMax).map(([name, value]) => ({ name, value }))
  return { kind: 'headers', headers, refused_when: null }
}

/** As many as a sign-in may have. */
const headersMax = 10

/** What is before and behind the first of these signs; all, and nothing, where there is none. */
export function splitAtFirst(text: string, sign: string): [string, string | undefined] {
  const at = text.indexOf(sign)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
