import { randomBytes } from 'node:crypto'
import type {
  ClientCredentials,
  RefreshTokenCredential,
  StoredCredential,
} from '@gatehouse/contract'
import { createAddressGuard, createHttpUpstream } from '@gatehouse/upstream'
import { firstRefreshToken } from '@gatehouse/upstream/token-authority'
import { pino } from 'pino'
import type { Db } from '../../src/db/connect.ts'
import { SignInService } from '../../src/features/sign-in/sign-in-service.ts'
import { signInStore } from '../../src/features/sign-in/sign-in-store.ts'
import { createSecretBox } from '../../src/kernel/secret-box.ts'

const endpoint = {
  client_id: 'client-1',
  client_secret: 'client-secret-of-test',
  scope: '',
  audience: '',
  body_fields: [],
  login_headers: [],
  scheme: 'Bearer',
  refused_when: null,
}

export const clientCredentials = (token_url: string): ClientCredentials => ({
  ...endpoint,
  token_url,
  kind: 'oauth2_client_credentials',
  client_authentication: 'basic',
  private_key: '',
  key_id: '',
  algorithm: 'RS256',
})

export const refreshCredential = (token_url: string): RefreshTokenCredential => ({
  ...endpoint,
  token_url,
  kind: 'oauth2_refresh_token',
  client_authentication: 'basic',
  refresh_token: firstRefreshToken,
})

export type SignInServer = ReturnType<typeof createSignInServer>

/**
 * The sign-in of one server. Several may share a database, a key and a credential. `close` ends its
 * connections.
 */
export function createSignInServer(
  db: Db,
  shared: { credential: StoredCredential; key: Buffer },
  { owner = 'one', now = () => new Date(), beforeCall = async () => {} } = {},
) {
  const lines: { level: number; msg: string }[] = []
  const upstream = createHttpUpstream({
    guard: createAddressGuard({ allow: [], deny: [], own: () => [] }),
  })
  const service = new SignInService({
    store: signInStore(db),
    secrets: createSecretBox(shared.key),
    upstream: {
      send: async (request) => {
        await beforeCall()
        return upstream.send(request)
      },
    },
    clock: { now },
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
    owner,
    targetOf: async () => ({
      name: 'Authority',
      credential: shared.credential,
      tls: null,
      connectTimeoutMs: 5_000,
      answerTimeoutMs: 5_000,
    }),
  })
  return { service, lines, close: () => upstream.close() }
}

export const newKey = () => randomBytes(32)

/** A row that tokens may refer to. */
export async function insertApi(db: Db): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await db
    .insertInto('api')
    .values({
      name: 'Authority',
      name_key: 'authority',
      context: 'authority',
      api_protocol: 'http',
      authentication: 0,
      gateway_status: 'active',
      api_access: 'internally',
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
