// A real OpenID provider for the journeys, on a free port. Its sign-in page takes any name, with any password;
// `clerk…` is in the group clerks. Prints the port when it listens.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const redirectUri = process.argv[2] ?? ''

const claimsOf = (name: string) => ({
  sub: name,
  name: `Name of ${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  groups: name.startsWith('clerk') ? ['clerks'] : [],
})

const configuration = {
  clients: [
    {
      client_id: 'gatehouse',
      client_secret: 'a-secret-of-the-client',
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [redirectUri],
    },
  ],
  claims: {
    openid: ['sub'],
    profile: ['name', 'groups'],
    email: ['email', 'email_verified'],
  },
  findAccount: (_: unknown, name: string) => ({ accountId: name, claims: () => claimsOf(name) }),
  cookies: { keys: ['of the journeys'] },
}

let answer: RequestListener | undefined
const server = createServer({ keepAliveTimeout: 0 }, (request, response) =>
  answer?.(request, response),
)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  answer = new Provider(`http://127.0.0.1:${port}`, configuration).callback()
  process.stdout.write(`${port}\n`)
})
