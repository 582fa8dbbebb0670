import type { Permission } from '@gatehouse/contract'
import { testPassword, type TestServer } from '../servers/build-server.ts'

/** The text of a new token for programs with these permissions, of who has this session. */
export async function makeAdminToken(
  server: TestServer,
  session: string,
  ...permissions: Permission[]
): Promise<string> {
  const body = { name: 'CI', permissions, expires_in_days: 1, current_password: testPassword }
  const answer = await server.send('POST', '/api/admin-tokens', { token: session, body })
  return (answer.body as { admin_token: { token: string } }).admin_token.token
}
