/** Listens on a free port of this machine and prints it. @param {import('node:http').Server} server */
export function listen(server) {
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(`listening ${typeof address === 'object' ? address?.port : ''}`)
  })
}
