import { z } from 'zod'
import { conditionTests } from '../../endpoints/answer-rule.ts'
import {
  assertionAlgorithms,
  clientAuthentications,
  credentialFields,
  credentialKinds,
} from './stored-credential.ts'
import type { CredentialKind, ShownCredential, StoredCredential } from './stored-credential.ts'

const text = z.string()
const namedValues = z.array(z.object({ name: text, value: text }))

const refused_when = z
  .object({
    statuses: text,
    join: z.enum(['all', 'any']),
    conditions: z.array(z.object({ path: text, test: z.enum(conditionTests), value: text })),
  })
  .nullable()

const tokenEndpoint = {
  refused_when,
  token_url: text,
  client_id: text,
  client_secret: text,
  scope: text,
  audience: text,
  body_fields: namedValues,
  login_headers: namedValues,
  scheme: text,
}

const shapes = {
  bearer: { refused_when, token: text, scheme: text },
  basic: { refused_when, username: text, password: text },
  headers: { refused_when, headers: namedValues },
  oauth2_client_credentials: {
    ...tokenEndpoint,
    client_authentication: z.enum(clientAuthentications),
    private_key: text,
    key_id: text,
    algorithm: z.enum(assertionAlgorithms),
  },
  oauth2_refresh_token: {
    ...tokenEndpoint,
    client_authentication: z.enum(['basic', 'body']),
    refresh_token: text,
  },
  login_call: {
    refused_when,
    url: text,
    method: z.literal('POST'),
    headers: namedValues,
    body: text,
    content_type: text,
    token_path: text,
    expires_path: text,
    lifetime_seconds: z.number().int().nullable(),
    send_as: namedValues,
  },
} satisfies {
  [K in CredentialKind]: {
    [F in Exclude<keyof Extract<StoredCredential, { kind: K }>, 'kind'>]: z.ZodType<
      Extract<StoredCredential, { kind: K }>[F]
    >
  }
}

/** The whole form, as the server and its gateway pass it on. */
export const storedCredential: z.ZodType<StoredCredential> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bearer'), ...shapes.bearer }),
  z.object({ kind: z.literal('basic'), ...shapes.basic }),
  z.object({ kind: z.literal('headers'), ...shapes.headers }),
  z.object({
    kind: z.literal('oauth2_client_credentials'),
    ...shapes.oauth2_client_credentials,
  }),
  z.object({ kind: z.literal('oauth2_refresh_token'), ...shapes.oauth2_refresh_token }),
  z.object({ kind: z.literal('login_call'), ...shapes.login_call }),
])

const shownValues = z.array(z.object({ name: text, has_value: z.boolean() }))

function shownObject(kind: CredentialKind) {
  const secrecies: Readonly<Record<string, string>> = credentialFields[kind]
  const fields = Object.entries<z.ZodType>(shapes[kind]).map(([field, schema]) => {
    if (secrecies[field] === 'secret') return [`has_${field}`, z.boolean()] as const
    return [field, secrecies[field] === 'secret_values' ? shownValues : schema] as const
  })
  return z.object({ kind: z.literal(kind), ...Object.fromEntries(fields) })
}

const [first, ...others] = credentialKinds

/** The form without secrets: what answers hold, and what is stored in clear. */
export const shownCredential = z.discriminatedUnion('kind', [
  shownObject(first),
  ...others.map(shownObject),
]) as unknown as z.ZodType<ShownCredential>
