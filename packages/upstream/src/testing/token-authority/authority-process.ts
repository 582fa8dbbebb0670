import type { AddressInfo } from 'node:net'
import { createAuthorityServer } from './authority-server.ts'

/** Prints its port, and ends with the process that started it. */
const server = createAuthorityServer()
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
