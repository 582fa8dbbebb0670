// What the journeys use of json-server 0.17, which comes without types.
declare module 'json-server' {
  import type { Server } from 'node:http'

  interface Application {
    use(handler: unknown): void
    listen(port: number, host: string, listening: () => void): Server
  }

  const jsonServer: {
    create(): Application
    defaults(options: { logger: boolean }): unknown
    bodyParser: unknown
    router(data: unknown): unknown
  }
  export default jsonServer
}
