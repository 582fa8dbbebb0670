import { z } from 'zod'
import { answerRule, optionalPath } from '../../endpoints/answer-rule-input.ts'
import { acrossFields, type SoFar } from '../../kernel/across-fields.ts'
import { choice, optionalInteger, requiredText } from '../../kernel/fields.ts'
import {
  callUrl,
  contentType,
  printable,
  requiredPath,
  scheme,
  secretLine,
  secretText,
  sendAs,
} from './credential-fields.ts'
import { bodyFieldList, headerList } from './outgoing-header.ts'
import { assertionAlgorithms, clientAuthentications, credentialKinds } from './stored-credential.ts'
import type { StoredCredential } from './stored-credential.ts'

export * from './credential-schemas.ts'
export * from './keep-secrets.ts'
export * from './outgoing-header.ts'
export * from './stored-credential.ts'
export type { SecretTexts } from './secret-fields.ts'
export * from './tls-settings.ts'

const common = { refused_when: answerRule }

const bearer = z.object({
  kind: z.literal('bearer'),
  ...common,
  token: secretText(8_192, 'token').refine((value) => /^[\x21-\x7e]*$/.test(value), {
    error: 'The token may only contain visible ASCII characters.',
  }),
  scheme,
})

const basic = z.object({
  kind: z.literal('basic'),
  ...common,
  /** RFC 7617 §2: the first colon ends it. ZATCA's is a certificate. */
  username: requiredText(8_192, 'user name').refine((value) => !value.includes(':'), {
    error: 'The user name may not contain a colon.',
  }),
  password: secretLine(8_192, 'password'),
})

const headers = z.object({
  kind: z.literal('headers'),
  ...common,
  headers: headerList('headers', { max: 10, isSecret: true }).refine((list) => list.length > 0, {
    error: 'Add at least one header.',
  }),
})

const optionalChoice = <const C extends readonly [string, ...string[]]>(
  choices: C,
  label: string,
  byDefault: C[number],
) => z.preprocess((value) => (value === '' ? null : value) ?? byDefault, choice(choices, label))

const tokenEndpoint = {
  ...common,
  token_url: callUrl('token URL'),
  client_id: printable(1_024, 'client ID').refine((value) => value !== '', {
    error: 'The client ID field is required.',
  }),
  client_secret: secretLine(8_192, 'client secret'),
  scope: printable(2_048, 'scope'),
  audience: printable(2_048, 'audience'),
  body_fields: bodyFieldList('fields', 20),
  login_headers: headerList('headers', { max: 10 }),
  scheme,
}

const privateKeyLabel =
  /^\s*-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[\s\S]+-----END (?:RSA |EC )?PRIVATE KEY-----\s*$/

const clientCredentials = z
  .object({
    kind: z.literal('oauth2_client_credentials'),
    ...tokenEndpoint,
    client_authentication: optionalChoice(clientAuthentications, 'client authentication', 'basic'),
    private_key: secretText(16_384, 'private key').refine(
      (value) => value === '' || privateKeyLabel.test(value),
      {
        error:
          'The private key must be PEM text that begins with -----BEGIN PRIVATE KEY-----, without a passphrase.',
      },
    ),
    key_id: printable(256, 'key ID'),
    algorithm: z.preprocess(
      (value) => (value === '' ? null : value) ?? 'RS256',
      z.enum(assertionAlgorithms, {
        error: `The algorithm must be one of: ${assertionAlgorithms.join(', ')}.`,
      }),
    ),
  })
  .superRefine(...acrossFields<LoginHeaders>(checkLoginHeaders))

const refreshToken = z
  .object({
    kind: z.literal('oauth2_refresh_token'),
    ...tokenEndpoint,
    client_authentication: optionalChoice(['basic', 'body'], 'client authentication', 'basic'),
    refresh_token: secretLine(8_192, 'refresh token'),
  })
  .superRefine(...acrossFields<LoginHeaders>(checkLoginHeaders))

interface LoginHeaders {
  client_authentication: string
  login_headers: { name: string }[]
}

/** Basic authentication of the client is an Authorization header already. */
function checkLoginHeaders(
  { client_authentication, login_headers }: SoFar<LoginHeaders>,
  context: Pick<z.RefinementCtx, 'addIssue'>,
) {
  if (client_authentication !== 'basic') return
  const at = (login_headers ?? []).findIndex(
    (header) => header?.name?.toLowerCase() === 'authorization',
  )
  if (at < 0) return
  context.addIssue({
    code: 'custom',
    path: ['login_headers', at, 'name'],
    message: 'Authorization carries the client ID and secret already.',
  })
}

const loginCall = z
  .object({
    kind: z.literal('login_call'),
    ...common,
    url: callUrl('login URL'),
    method: z.preprocess(
      (value) => (value === '' ? null : value) ?? 'POST',
      z.literal('POST', { error: 'The method of a login call is POST.' }),
    ),
    headers: headerList('headers', { max: 10, isSecret: true }),
    body: secretText(65_536, 'body'),
    content_type: contentType,
    token_path: requiredPath('token path'),
    expires_path: optionalPath('expiry path'),
    lifetime_seconds: optionalInteger('lifetime', 1, 31_536_000),
    send_as: sendAs,
  })
  .superRefine(
    ...acrossFields<{ body: string; content_type: string }>(({ body, content_type }, context) => {
      if (!body || !/^application\/(?:[\w.-]+\+)?json\b/i.test(content_type ?? '')) return
      if (isJson(body)) return
      context.addIssue({ code: 'custom', path: ['body'], message: 'The body is not JSON.' })
    }),
  )

function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/**
 * A credential as the form sends it. A secret that is absent or blank comes out blank: `mergeKept`
 * says whether the stored one is kept.
 */
export const credentialInput = z.discriminatedUnion(
  'kind',
  [bearer, basic, headers, clientCredentials, refreshToken, loginCall],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? `The kind must be one of: ${credentialKinds.join(', ')}.`
        : 'The sign-in must be an object with a kind.',
  },
)
export type CredentialInput = z.input<typeof credentialInput>

/** What the schema gives is a stored credential whose secrets may be blank. */
type Output = z.output<typeof credentialInput>
export type CredentialDraft = Output extends StoredCredential ? StoredCredential : never
