import { buildServer, httpApi } from './build-server.ts'

/** A server with one API, for tests of its endpoints, and the token of its administrator. */
export async function buildServerWithApi() {
  const server = await buildServer()
  const { token } = server.admin
  const answer = await server.send('POST', '/api/apis', { token, body: httpApi() })
  return { server, token, apiId: (answer.body as { id: number }).id }
}
