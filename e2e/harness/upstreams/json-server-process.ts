// A real upstream for the journeys: json-server with the given file, in memory, on a free port.
// Prints the port when it listens.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import jsonServer from 'json-server'

const data: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const server = jsonServer.create()
server.use(jsonServer.defaults({ logger: false }))
server.use(jsonServer.bodyParser)
server.use(jsonServer.router(data))
const listener = server.listen(0, '127.0.0.1', () => {
  const { port } = listener.address() as AddressInfo
  process.stdout.write(`${port}\n`)
})
// On a busy machine a call may be just about to use a connection that is idle.
listener.keepAliveTimeout = 0
