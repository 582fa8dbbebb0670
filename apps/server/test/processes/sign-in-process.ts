import { connect } from '../../src/db/connect.ts'
import { createSignInServer, refreshCredential } from '../servers/sign-in-server.ts'

/**
 * Signs in again and again until it is killed, by a refresh token that is rotated each time. Prints one
 * line per attempt: `ok` and how many there were, or why there is no token.
 */
const [folder = '', tokenUrl = '', key = '', apiId = ''] = process.argv.slice(2)
const { service } = createSignInServer(
  connect({ kind: 'file', folder }),
  { credential: refreshCredential(tokenUrl), key: Buffer.from(key, 'hex') },
  { owner: 'mortal' },
)
process.stdin.resume().on('end', () => process.exit(0))
for (let count = 1; ; count++) {
  const line = await service.signInNow({ apiId: Number(apiId), which: 'live' }).then(
    () => `ok ${count}`,
    (error: unknown) => String(error),
  )
  process.stdout.write(`${line}\n`)
  if (!line.startsWith('ok')) break
}
